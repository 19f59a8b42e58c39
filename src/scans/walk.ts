/**
 * The walk over an owner's scans, newest first: those that relays received and those that the account recorded; a scan
 * that both have comes once. Its slices never hold the event loop for long; test scans are left out.
 */
import { type Kysely, sql } from 'kysely';
import { asAnswered, sameSpelling } from '../codereadr/barcode-equality.js';
import type { Schema } from '../database/schema.js';
import { inTurns } from '../in-turns.js';
import type { Owner } from '../ownership.js';
import { readScan } from './account/record.js';
import { type ScanRecord, toScan } from './received/received-scan-rows.js';
import { hasId } from './same-scan.js';
import type { Scan } from './scan.js';
import {
  type AccountRow,
  type AccountSource,
  barcodeCondition,
  openSource,
  type ReceivedRow,
  readSlice,
  type ScanWalk,
  type Source,
  sameScan,
  sliceStart,
} from './slice.js';

/** A slice of a walk. `reached`: every scan made after this time was read, in this slice or before. */
export interface ScanSlice {
  readonly reached: number;
  readonly scans: readonly Scan[];
}

/** How many scans a slice has, as its statement blocks the event loop on SQLite; more where one moment has more. */
const scansAtOnce = 400;
/** The span of all times that a device can spell: a walk needs two ends. */
export const ever = { from: Date.parse('0000-01-01T00:00:00Z'), to: Date.UTC(10_000, 0, 1) } as const;

export async function* walkScans(
  db: Kysely<Schema>,
  owner: Owner,
  account: AccountSource | undefined,
  walk: ScanWalk,
): AsyncGenerator<ScanSlice, void> {
  const source = await openSource(db, owner, walk.relayId === undefined ? account : undefined);
  const barcodeWhere = await barcodeCondition(db, source, walk);
  for (let to = Math.min(walk.to, ever.to); ; ) {
    const start = await sliceStart(db, source, { ...walk, to }, barcodeWhere, scansAtOnce);
    const { received, recorded } = await readSlice(db, source, { ...walk, from: start ?? walk.from, to }, barcodeWhere);
    const reached = start === undefined ? everything : start - 1;
    yield { reached, scans: await joinScans(db, source, walk, received, recorded) };
    if (start === undefined) {
      return;
    }
    to = start;
  }
}

const everything = Number.NEGATIVE_INFINITY;

/** The scans of a slice, each once: the account's with what relays know of it, and those that only relays received. */
async function joinScans(
  db: Kysely<Schema>,
  source: Source,
  walk: ScanWalk,
  received: readonly ReceivedRow[],
  recorded: readonly AccountRow[],
): Promise<readonly Scan[]> {
  const ownRows = received.filter((row) => row.recorded_as === null && row.received_as === null);
  const elsewhere = source.isReceived ? await namedElsewhere(db, source, walk, ownRows, recorded) : [];
  const allRows = new Map([...received, ...elsewhere].map((row) => [row.id, row]));
  const twins = new Map<string, ScanRecord[]>();
  for (const row of [...allRows.values()].sort(byRelay)) {
    // A relay's row may not say that the account recorded its scan where another relay's row of the same scan does.
    const first = row.recorded_as ?? allRows.get(row.received_as ?? '')?.recorded_as ?? row.received_as;
    if (first !== null) {
      twins.set(first, [...(twins.get(first) ?? []), toScan(row, source.workspace)]);
    }
  }
  const isWanted = mayMatch(walk.barcode);
  const scans = await inTurns(
    [...ownRows, ...recorded].filter(isWanted),
    (row): Scan =>
      'record' in row
        ? accountScan(row, twins.get(row.scan_id) ?? [])
        : relayScan(toScan(row, source.workspace), row.at, twins.get(row.id) ?? []),
  );
  return scans.sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
}

/** Whether a row's barcode can match, checked without parsing the whole record. */
function mayMatch(barcode: ScanWalk['barcode']): (row: ReceivedRow | AccountRow) => boolean {
  const isCarried = barcode !== undefined && asAnswered(barcode.text) === barcode.text;
  if (barcode === undefined || barcode.match === 'is' || !isCarried) {
    return () => true;
  }
  const text = barcode.text.toUpperCase();
  const inRecord = JSON.stringify(barcode.text).slice(1, -1).toUpperCase();
  return (row) =>
    'record' in row ? row.record.toUpperCase().includes(inRecord) : row.tid.toUpperCase().includes(text);
}

/** Received scans with the id of one in this slice, where a device says no time or a wrong one: they lie in other slices. */
async function namedElsewhere(
  db: Kysely<Schema>,
  source: Source,
  { relayId }: ScanWalk,
  own: readonly ReceivedRow[],
  recorded: readonly AccountRow[],
): Promise<readonly ReceivedRow[]> {
  const scanNames = [
    ...recorded.map(({ scan_id, at, scanned_at }) => ({ id: scan_id, isDated: at === scanned_at })),
    ...own.flatMap(({ scanid, at, scanned_at }) => (scanid === null ? [] : { id: scanid, isDated: at === scanned_at })),
  ];
  if (relayId !== undefined || scanNames.length === 0) {
    return [];
  }
  const withIds = (ids: readonly { readonly id: string }[]) =>
    sql`${sql.raw(hasId('r', 'in'))} (${sql.join(ids.map(({ id }) => id.slice(0, 200)))})`;
  const undated = scanNames.filter(({ isDated }) => !isDated);
  // Ids are checked first: mostly there are none, and planning the rule takes PostgreSQL longer than looking.
  const { rows: ids } = await sql<{ id: string }>`select r.id from received_scans as r
    where r.owner = ${source.owner} and r.test = 0 and ${withIds(scanNames)}
      and (r.scanned_at is null or r.at <> r.scanned_at ${undated.length > 0 ? sql`or ${withIds(undated)}` : sql``})`.execute(
    db,
  );
  if (ids.length === 0) {
    return [];
  }
  const { rows } = await sql<ReceivedRow>`${source.live} select r.*, ${sameScan(source)} from received_scans as r
    where r.id in (${sql.join(ids.map(({ id }) => id))})`.execute(db);
  const here = new Set([...recorded.map(({ scan_id }) => scan_id), ...own.map(({ id }) => id)]);
  return rows.filter((row) => here.has(row.recorded_as ?? row.received_as ?? ''));
}

function byRelay(one: ReceivedRow, other: ReceivedRow): number {
  return one.relay_id === other.relay_id ? (one.id < other.id ? -1 : 1) : one.relay_id < other.relay_id ? -1 : 1;
}

function accountScan(
  { at, modified_at: modifiedAt, record, round, scan_id }: AccountRow,
  received: readonly ScanRecord[],
): Scan {
  const recorded = readScan(record);
  // The relay's spelling is taken, as an answer of the account lacks characters that XML cannot carry.
  const exact = received.find(({ tid }) => sameSpelling(tid, recorded.value))?.tid;
  return { id: scan_id, at, value: exact ?? recorded.value, recorded, modifiedAt, round, received };
}

function relayScan(first: ScanRecord, at: number, others: readonly ScanRecord[]): Scan {
  return { id: first.id, at, value: first.tid, received: [first, ...others] };
}
