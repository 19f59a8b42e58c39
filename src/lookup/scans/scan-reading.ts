/**
 * The reader of a barcode's scans in the account, newest first, in overlapping pieces joined by id. `offset` is not
 * trusted: the reference defines it inconsistently, and new scans shift it. Without overlap, all is reread.
 */
import { refuseShortPage } from '../../codereadr/lists/short-page.js';
import { retrieveScans } from '../../codereadr/operations/index.js';
import { utcZone } from '../../codereadr/operations/zones.js';
import { type Account, AccountError, type CallOptions, type RecordedScan } from '../../codereadr/types.js';

/** How many scans one call reads, however few the card shows: the next page and the summary then need no call. */
export const firstPiece = 50;

/** The most scans of one call: to parse more at once would block the event loop. */
const largestPiece = 400;

const overlap = 5;

/** The most scans read of a barcode: nobody pages further. */
export const mostScans = 2_000;

export interface Reading {
  /** The scans, newest first. */
  readonly scans: readonly RecordedScan[];
  /** Whether the reading reaches the oldest scan. */
  readonly complete: boolean;
  /** How many scans there are, where the account reported more than it sent. */
  readonly total?: number;
}

/**
 * `firstReading` extended to at least `wantedCount` scans, if there are so many: usually one call. If a piece does not
 * overlap, because so many scans came or went, the scans are read again from the top, once.
 * @throws AccountError
 */
export async function readOn(
  account: Account,
  value: string,
  firstReading: Reading,
  wantedCount: number,
  options: CallOptions,
): Promise<Reading> {
  const goal = Math.min(wantedCount, mostScans);
  let joined = firstReading;
  let reread = false;
  while (joined.scans.length < goal && !joined.complete) {
    const piece = await readPiece(account, value, joined, goal - joined.scans.length, options);
    const joinedNext = join(joined, piece);
    if (joinedNext && (joinedNext.complete || joinedNext.scans.length > joined.scans.length)) {
      joined = joinedNext;
      continue;
    }
    if (reread) {
      break;
    }
    reread = true;
    const top = await readTop(account, value, goal, options);
    joined = join(joined, top) ?? top;
  }
  return joined;
}

/** The newest scans of a barcode, by one call. @throws AccountError */
export async function readTop(
  account: Account,
  value: string,
  wantedCount: number,
  options: CallOptions,
): Promise<Reading> {
  const limit = Math.min(wantedCount, largestPiece) + 1;
  const { scans, count } = await fetchScans(account, value, limit, undefined, options);
  const complete = scans.length < limit;
  // The total, if certain. The reference does not say whether `count` is the number of matching or of sent scans; only
  // a higher number than the sent ones is certain to be the former.
  return {
    scans: unknownOf([], scans),
    complete,
    ...(count !== undefined && count > scans.length ? { total: count } : {}),
  };
}

async function readPiece(
  account: Account,
  value: string,
  reading: Reading,
  missing: number,
  options: CallOptions,
): Promise<Reading> {
  const offset = Math.max(0, reading.scans.length - overlap);
  const limit = Math.min(Math.max(missing, firstPiece), largestPiece) + overlap + 1;
  const { scans } = await fetchScans(account, value, limit, offset, options);
  return { scans, complete: scans.length < limit };
}

/**
 * The known scans, followed by the piece's scans after the first known one; undefined without overlap. Earlier scans in
 * the piece are newer than every known one, so paging back does not need them.
 */
function join(earlierReading: Reading, piece: Reading): Reading | undefined {
  const ids = new Set(earlierReading.scans.map((scan) => scan.id));
  const first = piece.scans.findIndex((scan) => ids.has(scan.id));
  return first < 0
    ? undefined
    : {
        ...earlierReading,
        scans: [...earlierReading.scans, ...unknownOf(earlierReading.scans, piece.scans.slice(first))],
        complete: piece.complete,
      };
}

function unknownOf(known: readonly RecordedScan[], scans: readonly RecordedScan[]): RecordedScan[] {
  const ids = new Set(known.map((scan) => scan.id));
  // A scan without an id cannot be compared, so it is shown.
  return scans.filter((scan) => scan.id === '' || (!ids.has(scan.id) && ids.add(scan.id)));
}

/** @throws AccountError `account.broken`: the answer is shorter than it counts, or has a scan of no barcode */
async function fetchScans(
  account: Account,
  value: string,
  limit: number,
  offset: number | undefined,
  options: CallOptions,
) {
  const order = ['timestamp_desc', 'scan_id_desc'] as const;
  const query = { value, order_by: order, limit, offset, showProperties: true, timezone: utcZone };
  const { scans, count } = await account.client.call(retrieveScans, query, options);
  refuseShortPage({ count, length: scans.length, limit, offset });
  if (scans.some((scan) => scan.value === '')) {
    throw new AccountError('account.broken', 'a scan of an answer has no barcode', { reason: 'data' });
  }
  return { scans, count };
}
