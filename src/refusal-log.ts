/**
 * The log of refused requests: one line per minute and sender, with the number since the line before. Unauthorized
 * requests cannot fill the disk. The number of senders remembered is bounded; beyond it, new ones share a line.
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
  more: number;
}

const windowMs = 60_000;
const maxSenders = 1_000;

export function createRefusalLog(deps: {
  readonly log: Log;
  readonly clock: Clock;
  /** The address a request comes from; undefined where it is not trusted, or the sender has disconnected. */
  readonly senderOf: (request: IncomingMessage) => string | undefined;
}) {
  const { log, clock } = deps;
  /** The senders of this minute, oldest first: one that begins a new minute moves to the end. */
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
        window.more += 1;
        return;
      }
      windows.delete(keyOf(sender));
      windows.set(keyOf(sender), { since: now, more: 0 });
      log[level]({ sender, code, ...details, ...(window?.more ? { moreSince: window.more } : {}) }, message);
    },
  };
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;

export const silentRefusals: RefusalLog = { add: () => undefined };
