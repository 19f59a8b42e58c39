/**
 * Sender of notices to relay creators. Each notice goes out once; it is sent again only if it failed, or if the process
 * that claimed it stopped before it recorded the outcome.
 */
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Relay } from '../relays/relay.js';

/** One kind of notice: to whom it is due, and which instance sends it. */
export interface Notice {
  readonly what: string;
  due(now: number): Promise<readonly Relay[]>;
  /** True for exactly one caller; the claim expires at `until`. */
  claim(relay: Relay, now: number, until: number): Promise<boolean>;
  /** `at`: when it was claimed. Rejects if it should be tried again. */
  send(relay: Relay, at: number): Promise<void>;
  sent(relay: Relay, until: number, at: number): Promise<void>;
  release(relay: Relay, until: number): Promise<void>;
}

export interface Telling {
  /** At once, in the background. */
  tell(relay: Relay): void;
  /** Retries unsent notices now and then, of any instance; in the background, too. */
  look(): void;
  /** Resolves when no notice is in flight. */
  settled(): Promise<void>;
}

const lookEveryMs = 60_000;
/** Longer than any call takes. */
const claimMs = 2 * 60_000;

export function createTelling({ notice, clock, log }: { notice: Notice; clock: Clock; log: Log }): Telling {
  // The first poll finds notices that an earlier process left; later polls, those of other instances.
  let lookedAt = Number.NEGATIVE_INFINITY;

  const tell = async (relay: Relay): Promise<void> => {
    const at = clock.now();
    const until = at + claimMs;
    if (!(await notice.claim(relay, at, until))) {
      return;
    }
    try {
      await notice.send(relay, at);
    } catch (error) {
      const line = { relay: relay.id, what: notice.what, err: error, code: codeOf(error) };
      log.warn(line, 'the person who made a relay was not reached yet');
      lookedAt = clock.now();
      await notice.release(relay, until);
      return;
    }
    await notice.sent(relay, until, at);
  };

  const working = new Set<Promise<void>>();
  const beside = (work: Promise<void>): void => {
    const noted = work
      .catch((error: unknown) => {
        log.error({ what: notice.what, err: error, code: codeOf(error) }, 'could not note whom to tell');
      })
      .finally(() => working.delete(noted));
    working.add(noted);
  };

  const tellDue = async (): Promise<void> => {
    for (const relay of await notice.due(clock.now())) {
      await tell(relay);
    }
  };

  return {
    tell: (relay) => beside(tell(relay)),
    look() {
      // The clock may have been set in either direction.
      if (Math.abs(clock.now() - lookedAt) >= lookEveryMs) {
        lookedAt = clock.now();
        beside(tellDue());
      }
    },
    async settled() {
      await Promise.all(working);
    },
  };
}
