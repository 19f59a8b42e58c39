/**
 * Sender of notices to people. Each goes out once; it is sent again only if it failed, or if the process that claimed it
 * stopped before it recorded the outcome.
 */
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import type { ChannelQueueKey } from './outbox/channel-queues.js';

/** One kind of notice: what it is about, and which instance sends it. */
export interface Notice<Subject> {
  readonly what: string;
  due(now: number): Promise<readonly Subject[]>;
  /** True for exactly one caller; the claim expires at `until`. */
  claim(about: Subject, now: number, until: number): Promise<boolean>;
  /** `at`: when it was claimed. Rejects if it should be tried again. */
  send(about: Subject, at: number, until: number): Promise<void>;
  sent(about: Subject, until: number, at: number): Promise<void>;
  release(about: Subject, until: number): Promise<void>;
}

export interface Notifier<Subject> {
  /** At once, in the background. */
  notify(about: Subject): void;
  /** Looks for all that is due, in the background. */
  pollNow(): void;
  /** Retries unsent notices now and then, of any instance; in the background, too. */
  poll(): void;
  /** Resolves when no notice is in flight. */
  settled(): Promise<void>;
}

const pollEveryMs = 60_000;
/** Longer than any call takes. */
const claimMs = 2 * 60_000;

export function createNotifier<Subject extends { readonly id: string } | ChannelQueueKey>(deps: {
  notice: Notice<Subject>;
  clock: Clock;
  log: Log;
}): Notifier<Subject> {
  const { notice, clock, log } = deps;
  // The first poll finds notices that an earlier process left; later polls, those of other instances.
  let polledAt = Number.NEGATIVE_INFINITY;

  const notify = async (about: Subject): Promise<void> => {
    const at = clock.now();
    const until = at + claimMs;
    if (!(await notice.claim(about, at, until))) {
      return;
    }
    try {
      await notice.send(about, at, until);
    } catch (error) {
      const whose = 'id' in about ? { relay: about.id } : { channel: about.channel };
      const line = { ...whose, what: notice.what, err: error, code: codeOf(error) };
      log.warn(line, 'a notice was not delivered yet');
      polledAt = clock.now();
      await notice.release(about, until);
      return;
    }
    await notice.sent(about, until, at);
  };

  const working = new Set<Promise<void>>();
  const run = (work: Promise<void>): void => {
    const settled = work
      .catch((error: unknown) => {
        log.error(
          { what: notice.what, err: error, code: codeOf(error) },
          'the outcome of a notice could not be recorded',
        );
      })
      .finally(() => working.delete(settled));
    working.add(settled);
  };

  const notifyDue = async (): Promise<void> => {
    for (const about of await notice.due(clock.now())) {
      await notify(about);
    }
  };

  return {
    notify: (about) => run(notify(about)),
    pollNow: () => run(notifyDue()),
    poll() {
      // The clock may have been set in either direction.
      if (Math.abs(clock.now() - polledAt) >= pollEveryMs) {
        polledAt = clock.now();
        run(notifyDue());
      }
    },
    async settled() {
      await Promise.all(working);
    },
  };
}
