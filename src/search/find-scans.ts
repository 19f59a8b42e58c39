/**
 * The scans that are kept here, read for searches, exports and reports: newest first, each scan once. It makes no call
 * but for names, once a minute at most.
 */
import type { Account, CallOptions } from '../codereadr/types.js';
import type { Mirror } from '../mirror/index.js';
import type { Owner } from '../ownership.js';
import type { AccountSource, Scan, Scans, ScanWalk } from '../scans/index.js';
import { scanKey } from '../scans/key.js';
import { openScanContext, type ReceivingRelays } from '../scans/scan-context.js';
import { type ScanContext, type SeenScan, seen } from '../scans/seen-scan.js';
import type { ScanSlice } from '../scans/walk.js';
import { formsOf, type ScanQuery, type SearchedScan } from './query.js';

/** The dependencies; without `mirror`, only the relays' scans are read. */
export interface FindScansDeps {
  readonly scans: Pick<Scans, 'walk'>;
  readonly relays?: ReceivingRelays | undefined;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}

export interface FoundScan {
  readonly at: number;
  readonly scan: SeenScan;
  readonly searched: SearchedScan;
  /** When a relay received the scan. */
  readonly receivedAt?: number;
}

/** The age up to which a service's name needs no call. */
const freshNamesMs = 60_000;

/** The walk of a query: few scans of one barcode are read alone; of a relay, only what it received. */
export function walkOf({ barcode, relay }: ScanQuery, from: number, to: number): ScanWalk {
  const walk = { from, to, relayId: relay?.id };
  return barcode?.match === 'alike'
    ? { ...walk, keys: [...new Set([...formsOf(barcode.text).exact].map(scanKey))] }
    : { ...walk, barcode: barcode && { ...barcode, match: barcode.match } };
}

interface FindScansRequest {
  readonly owner: Owner;
  readonly account: Account;
  readonly walk: ScanWalk;
  readonly priority: NonNullable<CallOptions['priority']>;
  readonly signal?: AbortSignal | undefined;
}

/** Finds scans. `copy`: which of the account's scans are kept here; undefined: none are. */
export async function findScans(deps: FindScansDeps, request: FindScansRequest) {
  const copy = await deps.mirror?.scansCopy(request.owner);
  return { slices: readFoundScans(deps, request, copy), copy };
}

/** The slices of a walk, with its scans in the form in which they are shown and compared. */
export async function* readFoundScans(
  { scans, relays }: Omit<FindScansDeps, 'mirror'>,
  { owner, account, walk, priority, signal }: FindScansRequest,
  source: AccountSource | undefined,
): AsyncGenerator<Pick<ScanSlice, 'reached'> & { readonly scans: readonly FoundScan[] }, void> {
  const contextOf = await openScanContext(relays, { owner, account }, { priority, signal }, freshNamesMs);
  for await (const slice of scans.walk(owner, source, walk)) {
    const context = await contextOf(slice.scans);
    yield { reached: slice.reached, scans: slice.scans.map((scan) => foundScan(scan, context)) };
  }
}

function foundScan(scan: Scan, context: ScanContext): FoundScan {
  const shownScan = seen(scan, context);
  const [first] = scan.received;
  const properties = (scan.recorded ?? first!).properties.filter(({ name }) => !context.secret.includes(name));
  const relays = scan.received.map(({ relayId }) => relayId);
  return {
    at: scan.at,
    scan: shownScan,
    searched: { ...shownScan, at: scan.at, relays, properties, finding: first?.finding },
    receivedAt: first?.receivedAt,
  };
}
