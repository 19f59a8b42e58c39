/**
 * How many scans a workspace had, by hour and result: those that its relays received, and the account's as they are
 * mirrored. A scan that both have counts once, as a search shows it. They are counted at most once a minute.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../clock.js';
import type { Mirror, ScansCopy } from '../../mirror/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import { createReadCache } from '../../read-cache.js';
import type { Scan, Scans } from '../../scans/index.js';
import { type SeenScan, statusOf } from '../../scans/seen-scan.js';
import type { LookupRelays } from '../assemble.js';

export const countedResults = ['valid', 'used', 'invalid', 'unchecked'] as const;
export type CountedResult = (typeof countedResults)[number];
export type ResultCounts = Readonly<Record<CountedResult, number>>;

export interface CountedHour {
  /** The start of the hour, in milliseconds. */
  readonly from: number;
  readonly results: ResultCounts;
}

/**
 * Which scans were known. `askedAt`: the time of the relays' scans. `copy`: which of the account's scans were read;
 * undefined: none are kept here, and all scans are the relays'.
 */
export interface ScansKnown {
  readonly askedAt: number;
  readonly copy?: { readonly at: number; readonly fullAt?: number | undefined; readonly since: number } | undefined;
}

/** Counts the scans of each hour since `from`. */
export type CountScans = (
  owner: Owner,
  from: number,
) => Promise<ScansKnown & { readonly hours: readonly CountedHour[] }>;

const hourMs = 60 * 60_000;

export function createCountScans(deps: {
  readonly clock: Clock;
  readonly scans: Pick<Scans, 'walk'>;
  readonly relays?: Pick<LookupRelays, 'validators'> | undefined;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}): CountScans {
  const { clock, scans, relays, mirror } = deps;

  const count = async (owner: Owner, since: number, copy: ScansCopy | undefined): ReturnType<CountScans> => {
    const askedAt = clock.now();
    const untilNow = askedAt + 1;
    const hours = Array.from({ length: Math.max(0, Math.ceil((untilNow - since) / hourMs)) }, (_, n) => ({
      from: since + n * hourMs,
      results: { valid: 0, used: 0, invalid: 0, unchecked: 0 },
    }));
    const validators = (await relays?.validators(owner)) ?? [];
    for await (const slice of scans.walk(owner, copy, { from: since, to: untilNow })) {
      for (const scan of slice.scans) {
        hours[Math.floor((scan.at - since) / hourMs)]!.results[countedAs(scan, validators)] += 1;
      }
      await nextTurn();
    }
    return { hours, askedAt, copy };
  };

  const cached = createReadCache<Awaited<ReturnType<CountScans>>>(clock, { max: 1_000, ttl: 60_000 });
  return async (owner, since) => {
    const copy = await mirror?.scansCopy(owner);
    const key = JSON.stringify([ownerKey(owner), since, copy?.connection]);
    return await cached(key, () => count(owner, since, copy));
  };
}

const resultsByStatus = {
  valid: 'valid',
  invalid: 'invalid',
  not_validated: 'unchecked',
  other: 'unchecked',
} as const satisfies Record<SeenScan['status'], CountedResult>;

function countedAs(scan: Scan, validators: readonly { readonly id: string }[]): CountedResult {
  return scan.received[0]?.finding === 'duplicate' ? 'used' : resultsByStatus[statusOf(scan, validators)];
}
