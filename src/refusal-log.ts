/**
 * The log of refused requests: one line a minute for each sender and message, so that unauthorized requests cannot fill
 * the disk; the next line has the number of requests without one. Beyond a bound, new senders share a line.
 */
import type { IncomingMessage } from 'node:http';
import { type Clock, steadyNow } from './clock.js';
import type { Log } from './log.js';

export interface Refusal {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly code: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

interface Window {
  readonly since: number;
  unloggedCount: number;
}

const windowMs = 60_000;
const maxSenders = 1_000;

export function createRefusalLog(deps: {
  readonly log: Log;
  readonly clock: Clock;
  /** The address a request comes from; undefined where it cannot be parsed, or the sender has disconnected. */
  readonly senderOf: (request: IncomingMessage) => string | undefined;
}) {
  const { log, clock } = deps;
  /** The minutes of senders and messages, the earliest begun first: a key whose next minute begins moves to the end. */
  const windows = new Map<string, Window>();

  function makeRoom(now: number): boolean {
    for (const [key, { since }] of windows) {
      if (windows.size < maxSenders || now - since < windowMs) {
        break;
      }
      windows.delete(key);
    }
    return windows.size < maxSenders;
  }

  return {
    add(request: IncomingMessage, { level, message, code, details }: Refusal): void {
      const now = steadyNow(clock);
      const keyOf = (sender: string) => `${message}\n${sender}`;
      const address = deps.senderOf(request) ?? 'unknown';
      const sender = windows.has(keyOf(address)) || makeRoom(now) ? address : 'others';
      const window = windows.get(keyOf(sender));
      if (window && now - window.since < windowMs) {
        window.unloggedCount += 1;
        return;
      }
      windows.delete(keyOf(sender));
      windows.set(keyOf(sender), { since: now, unloggedCount: 0 });
      const unlogged = window?.unloggedCount ? { moreSince: window.unloggedCount } : {};
      log[level]({ sender, code, ...details, ...unlogged }, message);
    },
  };
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;

export const silentRefusals: RefusalLog = { add: () => undefined };
