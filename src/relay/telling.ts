/**
 * Owns telling the person who made a relay that it was paused: once, and again only when it did not get through.
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
  /** Tells those who were not reached, when it is time to try again; beside whatever else goes on, too. */
  look(): void;
}

const againAfterMs = 60_000;

export function createTelling(deps: { relays: RelayWork; poster: Poster; clock: Clock; log: Log }): Telling {
  const { relays, poster, clock, log } = deps;
  // The first look finds whom a process before this one did not reach.
  let lookAt = Number.NEGATIVE_INFINITY;

  const tell = async (relay: Relay): Promise<void> => {
    if (!(await relays.claimTelling(relay.id, clock.now()))) {
      return;
    }
    try {
      const paused = await relays.find(relay.id);
      await poster.tellPaused(paused ? toRelay(paused) : relay);
    } catch (error) {
      log.warn({ relay: relay.id, err: error, code: codeOf(error) }, 'the person who made a relay was not reached yet');
      lookAt = clock.now() + againAfterMs;
      await relays.forgetTold(relay.id);
    }
  };

  const beside = (work: Promise<void>): void => {
    work.catch((error: unknown) => {
      lookAt = clock.now() + againAfterMs;
      log.error({ err: error, code: codeOf(error) }, 'could not note whom to tell');
    });
  };

  const tellUntold = async (): Promise<void> => {
    for (const relay of await relays.untold()) {
      await tell(toRelay(relay));
    }
  };

  return {
    tell: (relay) => beside(tell(relay)),
    look() {
      if (clock.now() >= lookAt) {
        lookAt = Number.POSITIVE_INFINITY;
        beside(tellUntold());
      }
    },
  };
}
