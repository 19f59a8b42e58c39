/**
 * The scans that are kept here, the mirror's and the relays' as one sequence: for a search, and for an export, which goes
 * on where it was. It makes no call but for names that are not cached.
 */
import type { Account, CallOptions } from '../codereadr/types.js';
import type { ReceivedScans } from '../lookup/scans/received.js';
import { namesFor } from '../lookup/scans/received-names.js';
import type { Mirror, ScanWalk } from '../mirror/index.js';
import type { Owner } from '../ownership.js';
import { type FoundScan, mergedScans, type Slices } from './merged-scans.js';
import { isBarcode, type ScanQuery } from './query.js';

/** `mirror` undefined: the relays' scans alone. */
export interface FindScansDeps {
  readonly mirror?: Pick<Mirror, 'scanWalk'> | undefined;
  readonly received?: Pick<ReceivedScans, 'walk' | 'relayValidators' | 'secretProperties'> | undefined;
}

export interface FoundScans {
  readonly slices: Slices<FoundScan>;
  /** What of the account's scans is kept here; undefined: none is. */
  readonly copy?: { readonly at: number; readonly since: number };
}

/** All times that a device can spell: a walk needs two ends. */
export const ever = { from: Date.parse('0000-01-01T00:00:00Z'), to: Date.UTC(10_000, 0, 1) } as const;

/** Of few scans with the barcode, no others are read. */
export function walkOf({ barcode }: ScanQuery, from: number, to: number): ScanWalk {
  return { from, to, ...(barcode ? { barcode } : {}) };
}

export async function findScans(
  { mirror, received }: FindScansDeps,
  request: {
    readonly owner: Owner;
    readonly account: Account;
    readonly walk: ScanWalk;
    readonly priority: NonNullable<CallOptions['priority']>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<FoundScans> {
  const { owner, account, walk, priority, signal } = request;
  const [recorded, relays, secret] = await Promise.all([
    mirror?.scanWalk(owner, walk),
    received?.relayValidators?.(owner),
    received?.secretProperties?.(owner),
  ]);
  const options: CallOptions = { priority, ...(signal ? { signal } : {}) };
  const slices = mergedScans(recorded?.scans, received?.walk?.(owner, walk) ?? [], {
    names: (records) => namesFor(account, records, options),
    relays: relays ?? [],
    secret: secret ?? [],
    // A scan whose barcode the mirror has in another spelling is not in the mirror's walk for this one.
    mirrored: async (ids) => ((await recorded?.withIds(ids)) ?? []).filter(({ value }) => isBarcode(walk, value)),
  });
  return { slices, ...(recorded ? { copy: { at: recorded.at, since: recorded.since } } : {}) };
}
