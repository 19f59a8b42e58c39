/**
 * Owns reading a barcode's scans from the account, newest first, piece by piece. Refuses to trust `offset`: the reference
 * counts it differently for scans than for values, and new scans shift it. Every further piece overlaps the one before by
 * a few scans and is joined by id; where nothing overlaps, all is read again.
 */
import { retrieveScans } from '../../codereadr/operations/index.js';
import { utcZone } from '../../codereadr/operations/zones.js';
import type { Account, CallOptions, RecordedScan } from '../../codereadr/types.js';

/** One call brings this many, whatever the card shows: the next page and the summary then cost nothing. */
export const firstPiece = 50;

/** More than an answer of this many scans would hold up the event loop. */
const largestPiece = 400;

const overlap = 5;

/** Nobody pages further than this through one barcode's scans. */
export const mostScans = 2_000;

export interface Reading {
  /** Newest first. */
  readonly scans: readonly RecordedScan[];
  /** Nothing comes after the last of them. */
  readonly complete: boolean;
  /** How many there are, where the account told more than it sent. */
  readonly total?: number;
}

/**
 * The newest scans of a barcode: one call.
 * @throws AccountError
 */
export async function readNewest(account: Account, value: string, options: CallOptions): Promise<Reading> {
  return readTop(account, value, firstPiece, options);
}

/**
 * `reading` and at least as many scans as `wanted`, where there are so many: usually one call. Where a piece does not join
 * on, because so many scans came or went in between, it looks from the top again, once.
 * @throws AccountError
 */
export async function readOn(
  account: Account,
  value: string,
  reading: Reading,
  wanted: number,
  options: CallOptions,
): Promise<Reading> {
  const goal = Math.min(wanted, mostScans);
  let current = reading;
  let lookedAgain = false;
  while (current.scans.length < goal && !current.complete) {
    const piece = await readPiece(account, value, current, goal - current.scans.length, options);
    const next = join(current, piece);
    if (next && (next.complete || next.scans.length > current.scans.length)) {
      current = next;
      continue;
    }
    if (lookedAgain) {
      break;
    }
    lookedAgain = true;
    const top = await readTop(account, value, goal, options);
    current = join(current, top) ?? top;
  }
  return current;
}

async function readTop(account: Account, value: string, wanted: number, options: CallOptions): Promise<Reading> {
  const limit = Math.min(wanted, largestPiece) + 1;
  const { scans, count } = await ask(account, value, limit, undefined, options);
  const complete = scans.length < limit;
  // The reference does not say whether `count` is what matched or what was sent; more than was sent can only be the first.
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
  const { scans } = await ask(account, value, limit, offset, options);
  return { scans, complete: scans.length < limit };
}

/**
 * What is known, and behind it what follows the first known scan of the piece; undefined where they have none in common.
 * What the piece has before that is newer than everything known: whoever pages back does not look for it.
 */
function join(known: Reading, piece: Reading): Reading | undefined {
  const ids = new Set(known.scans.map((scan) => scan.id));
  const first = piece.scans.findIndex((scan) => ids.has(scan.id));
  return first < 0
    ? undefined
    : {
        ...known,
        scans: [...known.scans, ...unknownOf(known.scans, piece.scans.slice(first))],
        complete: piece.complete,
      };
}

function unknownOf(known: readonly RecordedScan[], scans: readonly RecordedScan[]): RecordedScan[] {
  const ids = new Set(known.map((scan) => scan.id));
  // One without an id cannot be told from another: it is shown.
  return scans.filter((scan) => scan.id === '' || (!ids.has(scan.id) && ids.add(scan.id)));
}

function ask(account: Account, value: string, limit: number, offset: number | undefined, options: CallOptions) {
  return account.client.call(
    retrieveScans,
    {
      value,
      order_by: ['timestamp_desc', 'scan_id_desc'],
      limit,
      ...(offset === undefined ? {} : { offset }),
      showProperties: true,
      timezone: utcZone,
    },
    options,
  );
}
