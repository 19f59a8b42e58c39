/**
 * The merge of scans from several sources: the account, the relay, another spelling. Pure. A source that was not read
 * to its end limits the list to its oldest scan: what belongs before that is unknown.
 */
import type { SeenScan } from '../../scans/seen-scan.js';

export interface Stream {
  /** Newest first. */
  readonly scans: readonly SeenScan[];
  /** There are no others. */
  readonly complete: boolean;
  /** How many there are, where that is known without reading all. */
  readonly total?: number;
}

export function merge(streams: readonly Stream[]): Stream {
  const [only] = streams;
  if (only && streams.length === 1) {
    return only;
  }
  const reach = Math.max(...streams.map(reachOf));
  const placed = streams.flatMap(({ scans }) => withMoments(scans)).filter(({ at }) => at >= reach);
  const totals = streams.map(totalOf);
  return {
    // Array.sort is stable: scans of one moment keep their order, the first source's first.
    scans: once(placed.sort((a, b) => (a.at === b.at ? 0 : b.at - a.at)).map(({ scan }) => scan)),
    complete: streams.every((stream) => stream.complete),
    ...(totals.every((total) => total !== undefined) ? { total: totals.reduce((sum, total) => sum + total, 0) } : {}),
  };
}

function reachOf({ scans, complete }: Stream): number {
  return complete ? Number.NEGATIVE_INFINITY : (withMoments(scans).at(-1)?.at ?? Number.POSITIVE_INFINITY);
}

function totalOf({ scans, complete, total }: Stream): number | undefined {
  return complete ? scans.length : total;
}

/** A scan without a readable time stays behind the one it followed. */
function withMoments(scans: readonly SeenScan[]): { readonly scan: SeenScan; readonly at: number }[] {
  let before = Number.MAX_SAFE_INTEGER;
  return scans.map((scan) => {
    before = scan.at ?? before;
    return { scan, at: before };
  });
}

/** A case-insensitive account finds a scan under each spelling. Other scans may have the same id: see `isSameScan`. */
function once(scans: readonly SeenScan[]): SeenScan[] {
  const names = new Set<string>();
  return scans.filter(({ id, value, atText }) => {
    const name = JSON.stringify([id, value, atText]);
    return id === undefined || id === '' || (!names.has(name) && names.add(name));
  });
}
