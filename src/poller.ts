/** The loop of background work: it polls, pauses, and polls again until it is stopped. A failed poll never ends it. */
import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.js';

export interface PollerOptions {
  readonly clock: Clock;
  poll(stopping: AbortSignal): Promise<unknown>;
  /** The pause between two polls, which `untilDue` and `wake` shorten, and after a failed poll, which they do not. */
  readonly everyMs: number;
  /** A pause before that one, which only a stop ends; there is none after a failed poll. */
  readonly gapMs?: number;
  /** The milliseconds until work is due, where that may be before the next poll. */
  untilDue?(): Promise<number | undefined>;
  onFailure(error: unknown): void;
  /** Called once when the poller stops, if it was started. */
  closing?(): Promise<void>;
}

export function createPoller(options: PollerOptions) {
  const { clock, everyMs, gapMs = 0, untilDue, onFailure, closing } = options;
  const stopping = new AbortController();
  // Every wait within a poll listens to this signal; Node would warn of a leak from the eleventh on.
  setMaxListeners(0, stopping.signal);
  let pause = new AbortController();
  let running: Promise<void> | undefined;

  const sleep = (ms: number, until: AbortSignal) => clock.sleep(ms, until).catch(() => undefined);

  const waitForNextPoll = async (): Promise<void> => {
    if (gapMs > 0) {
      await sleep(gapMs, stopping.signal);
    }
    if (!pause.signal.aborted) {
      const dueMs = (await untilDue?.().catch(() => undefined)) ?? everyMs;
      await sleep(Math.max(0, Math.min(everyMs, dueMs)), pause.signal);
    }
  };

  const runPoll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      pause = new AbortController();
      try {
        await options.poll(stopping.signal);
      } catch (error) {
        onFailure(error);
        await sleep(everyMs, stopping.signal);
        continue;
      }
      await waitForNextPoll();
    }
    await closing?.();
  };

  return {
    /** Starts the loop; a second call does nothing. */
    start(): void {
      running ??= runPoll();
    },
    /** Resolves once the poll under way, and `closing`, have ended. */
    async stop(): Promise<void> {
      stopping.abort();
      pause.abort();
      await running;
    },
    /** Ends the pause, as work may be due; the pause after a failure goes on. */
    wake: (): void => pause.abort(),
  };
}

export type Poller = ReturnType<typeof createPoller>;
