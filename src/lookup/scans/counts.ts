/**
 * How many scans a workspace had, by hour and result: what its relays received, and the account's scans as they are
 * mirrored. A scan that both have counts once, as the relay answered it. Counted at most once a minute.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import type { Mirror } from '../../mirror/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { ReceivedCount, RelayValidator } from '../../relay/index.js';
import { pairScans } from '../../scans/same-scan.js';
import type { ReceivedScans } from './received.js';

export const countedResults = ['valid', 'used', 'invalid', 'unchecked'] as const;
export type CountedResult = (typeof countedResults)[number];
export type ResultCounts = Readonly<Record<CountedResult, number>>;

export interface CountedHour {
  /** Milliseconds. */
  readonly from: number;
  readonly results: ResultCounts;
}

/** The hours since `from`, each with its counts. */
export type CountScans = (owner: Owner, from: number) => Promise<readonly CountedHour[]>;

const hourMs = 60 * 60_000;
const freshMs = 60_000;
const mostCached = 1_000;
/** Clocks of devices and of the account differ: a relay may have received a scan a little before it was made. */
const clocksDifferMs = 10 * 60_000;

export function createCountScans(deps: {
  readonly clock: Clock;
  readonly received?: Pick<ReceivedScans, 'counts' | 'identities' | 'relayValidators'> | undefined;
  readonly mirror?: Pick<Mirror, 'scansBetween'> | undefined;
}): CountScans {
  const { clock, received, mirror } = deps;
  const cache = new LRUCache<string, { readonly at: number; readonly hours: Promise<readonly CountedHour[]> }>({
    max: mostCached,
  });

  const countHour = async (owner: Owner, from: number, relays: readonly RelayValidator[]): Promise<CountedHour> => {
    const to = from + hourMs;
    const results = { valid: 0, used: 0, invalid: 0, unchecked: 0 };
    for (const count of (await received?.counts?.(owner, from, to)) ?? []) {
      results[resultOf(count, relays)] += count.scans;
    }
    for await (const scans of mirror?.scansBetween(owner, from, to) ?? []) {
      const values = scans.map(({ value }) => value);
      const known = (await received?.identities?.(owner, values, from - clocksDifferMs)) ?? [];
      const { recordOf } = pairScans(scans, known);
      for (const scan of scans) {
        if (!recordOf.has(scan)) {
          results[resultsOfAccount[scan.status]] += 1;
        }
      }
    }
    return { from, results };
  };

  const count = async (owner: Owner, from: number): Promise<readonly CountedHour[]> => {
    const relays = (await received?.relayValidators?.(owner)) ?? [];
    const hours: CountedHour[] = [];
    for (let at = from; at <= clock.now(); at += hourMs) {
      hours.push(await countHour(owner, at, relays));
      await nextTurn();
    }
    return hours;
  };

  return (owner, from) => {
    const key = `${ownerKey(owner)} ${from}`;
    const found = cache.get(key);
    const now = clock.now();
    if (found && Math.abs(now - found.at) < freshMs) {
      return found.hours;
    }
    const hours = count(owner, from);
    cache.set(key, { at: now, hours });
    hours.catch(() => cache.delete(key));
    return hours;
  };
}

const resultsOfAccount = {
  valid: 'valid',
  invalid: 'invalid',
  not_validated: 'unchecked',
  other: 'unchecked',
} as const satisfies Record<string, CountedResult>;

export function resultOf(
  { relayId, valid, finding, givenStatus }: Omit<ReceivedCount, 'scans'>,
  relays: readonly RelayValidator[],
): CountedResult {
  if (finding === 'duplicate') {
    return 'used';
  }
  const unchecked = givenStatus === '-1' && !relays.some(({ id }) => id === relayId);
  return finding === 'unknown_accepted' || (valid && unchecked) ? 'unchecked' : valid ? 'valid' : 'invalid';
}
