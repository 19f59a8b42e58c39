/**
 * Owns reading a barcode's scans from the account, newest first, piece by piece. Refuses to trust `offset`: the reference
 * counts it differently for scans than for values, and new scans shift it. Every further piece overlaps the one before by
 * a few scans and is joined by id; where nothing overlaps, all is read again.
 */
import { retrieveScans } from '../account/catalogue/index.js';
import type { Account, CallOptions, RecordedScan } from '../account/types.js';
import { accountZone } from './seen-scan.js';

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
 * `reading` and at least as many scans as `wanted`, where there are so many: usually one call. Where a piece does not
 * join on, or brings nothing new because so many scans came in between, it begins again from the top, once.
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
  let begunAgain = false;
  while (current.scans.length < goal && !current.complete) {
    const next = await readPiece(account, value, current, goal - current.scans.length, options);
    if (next && (next.complete || next.scans.length > current.scans.length)) {
      current = next;
      continue;
    }
    if (begunAgain) {
      break;
    }
    begunAgain = true;
    current = await readTop(account, value, goal, options);
  }
  return current;
}

async function readTop(account: Account, value: string, wanted: number, options: CallOptions): Promise<Reading> {
  const limit = Math.min(wanted, largestPiece) + 1;
  const answer = await ask(account, value, limit, undefined, options);
  return {
    scans: unique([], answer.scans),
    complete: answer.scans.length < limit,
    ...told(answer.count, answer.scans.length),
  };
}

/** One more piece, or undefined where it does not join on to what is there. */
async function readPiece(
  account: Account,
  value: string,
  reading: Reading,
  missing: number,
  options: CallOptions,
): Promise<Reading | undefined> {
  const offset = Math.max(0, reading.scans.length - overlap);
  const limit = Math.min(Math.max(missing, firstPiece), largestPiece) + overlap + 1;
  const answer = await ask(account, value, limit, offset, options);
  const known = new Set(reading.scans.map((scan) => scan.id));
  const joins = offset === 0 || answer.scans.some((scan) => known.has(scan.id));
  if (!joins) {
    return undefined;
  }
  return {
    scans: unique(reading.scans, answer.scans),
    complete: answer.scans.length < limit,
    ...(reading.total === undefined ? {} : { total: reading.total }),
  };
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
      timezone: accountZone,
    },
    options,
  );
}

function unique(known: readonly RecordedScan[], more: readonly RecordedScan[]): RecordedScan[] {
  const byId = new Map(known.map((scan) => [scan.id, scan]));
  for (const scan of more) {
    if (!byId.has(scan.id)) {
      byId.set(scan.id, scan);
    }
  }
  return [...byId.values()];
}

/** The reference does not say whether `count` is what matched or what was sent; more than was sent can only be the first. */
function told(count: number | undefined, sent: number): { total: number } | Record<never, never> {
  return count !== undefined && count > sent ? { total: count } : {};
}
