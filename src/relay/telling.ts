/**
 * Owns telling the person who made a relay that it was paused: once, and again only when it did not get through, or when whoever
 * was about to tell them died and nobody knows whether it did.
 */
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import type { RelayWork } from '../store/index.js';
import { toRelay } from './relay.js';
import type { Poster, Relay } from './types.js';

export interface Telling {
  /** At once, beside whatever else goes on. */
  tell(relay: Relay): void;
  /** Tells those who were not reached, every now and then, whoever was to tell them; beside whatever else goes on, too. */
  look(): void;
  /** Resolves when nobody is being told: whoever was told without its being noted is told again. */
  settled(): Promise<void>;
}

const lookEveryMs = 60_000;
/** Longer than any call takes. */
const claimMs = 2 * 60_000;

export function createTelling(deps: { relays: RelayWork; poster: Poster; clock: Clock; log: Log }): Telling {
  const { relays, poster, clock, log } = deps;
  // The first look finds whom a process before this one did not reach; the others, whom one beside it did not.
  let lookedAt = Number.NEGATIVE_INFINITY;

  const tell = async (relay: Relay): Promise<void> => {
    const now = clock.now();
    const until = now + claimMs;
    if (!(await relays.claimTelling(relay.id, now, until))) {
      return;
    }
    try {
      const paused = await relays.find(relay.id);
      await poster.tellPaused(paused ? toRelay(paused) : relay);
    } catch (error) {
      log.warn({ relay: relay.id, err: error, code: codeOf(error) }, 'the person who made a relay was not reached yet');
      lookedAt = clock.now();
      await relays.forgetTold(relay.id, until);
      return;
    }
    await relays.told(relay.id, until, clock.now());
  };

  const working = new Set<Promise<void>>();
  const beside = (work: Promise<void>): void => {
    const noted = work
      .catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'could not note whom to tell');
      })
      .finally(() => working.delete(noted));
    working.add(noted);
  };

  const tellUntold = async (): Promise<void> => {
    for (const relay of await relays.untold(clock.now())) {
      await tell(toRelay(relay));
    }
  };

  return {
    tell: (relay) => beside(tell(relay)),
    look() {
      // However far the clock was set, and in whichever direction.
      if (Math.abs(clock.now() - lookedAt) >= lookEveryMs) {
        lookedAt = clock.now();
        beside(tellUntold());
      }
    },
    async settled() {
      await Promise.all(working);
    },
  };
}
