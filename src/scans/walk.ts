/**
 * The walk over an owner's scans, newest first: what relays received and what the account recorded, a scan that both
 * have once. In slices that never hold the event loop for long; test scans are no scans.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { asAnswered, sameSpelling } from '../codereadr/barcode-equality.js';
import { kindOf } from '../database/bulk.js';
import type { AccountScansTable, ReceivedScansTable, Schema } from '../database/schema.js';
import { inTurns } from '../in-turns.js';
import type { Owner } from '../ownership.js';
import { readScan } from './account/record.js';
import { type DatedScan, toRow } from './account/table.js';
import { scanKey } from './key.js';
import { findOwner } from './owners.js';
import { type ScanRecord, toScan } from './received/table.js';
import { hasId, receivedAs, recordedAs, type SameScanSource } from './same-scan.js';
import type { Scan } from './scan.js';

export interface ScanWalk {
  /** Milliseconds: scans made from then on, and before. */
  readonly from: number;
  readonly to: number;
  /** Only scans that can match: a barcode in any case, its beginning, a part of it. */
  readonly barcode?: { readonly match: 'is' | 'starts' | 'contains'; readonly text: string } | undefined;
  /** Only what this relay received, each as the relay received it. */
  readonly relayId?: string | undefined;
}

/** The account's scans: stored ones of a connection, or those that the account just answered. None: relays' alone. */
export type AccountSource = { readonly connection: number } | { readonly live: readonly DatedScan[] };

/** `reached`: every scan made after that was read, in this slice or before. */
export interface ScanSlice {
  readonly reached: number;
  readonly scans: readonly Scan[];
}

/** Rows read by one statement, which blocks the event loop on SQLite. */
const atOnce = 400;
/** More scans of one beginning than these are found faster by time. */
const mostByKey = 2_000;
const lastCharacter = '\u{10ffff}';
/** All times that a device can spell: a walk needs two ends. */
export const ever = { from: Date.parse('0000-01-01T00:00:00Z'), to: Date.UTC(10_000, 0, 1) } as const;

type ReceivedRow = ReceivedScansTable & { readonly recorded_as: string | null; readonly received_as: string | null };
type AccountRow = Pick<AccountScansTable, 'scan_id' | 'at' | 'scanned_at' | 'record' | 'round'>;

interface Source extends SameScanSource {
  readonly of: Owner;
  /** What stands before a statement. */
  readonly live: RawBuilder<unknown>;
  readonly isRecorded: boolean;
  readonly isReceived: boolean;
}

export async function* walkScans(
  db: Kysely<Schema>,
  owner: Owner,
  account: AccountSource | undefined,
  walk: ScanWalk,
): AsyncGenerator<ScanSlice, void> {
  const source = await openSource(db, owner, walk.relayId === undefined ? account : undefined);
  const where = await barcodeCondition(db, source, walk);
  let limit = atOnce;
  for (let to = Math.min(walk.to, ever.to); ; ) {
    const [received, recorded] = await Promise.all([
      source.isReceived ? readReceived(db, source, { ...walk, to }, where, limit) : [],
      source.isRecorded ? readRecorded(db, source, { ...walk, to }, where, limit) : [],
    ]);
    const reached = Math.max(
      ...[received, recorded].map((rows) => (rows.length < limit ? everything : rows.at(-1)!.at)),
    );
    // Whole moments only: what is the same scan lies in one.
    const isRead = ({ at }: { readonly at: number }) => at > reached;
    const scans = await joined(db, source, walk, received.filter(isRead), recorded.filter(isRead));
    if (reached === everything) {
      yield { reached, scans };
      return;
    }
    const leadsOn = reached + 1 < to;
    if (leadsOn) {
      yield { reached, scans };
    }
    to = reached + 1;
    limit = leadsOn ? atOnce : limit * 4;
  }
}

const everything = Number.NEGATIVE_INFINITY;

async function openSource(db: Kysely<Schema>, of: Owner, account: AccountSource | undefined): Promise<Source> {
  const owner = await findOwner(db, of);
  const isLive = account !== undefined && 'live' in account;
  return {
    ...{ of, owner: owner ?? 0, isReceived: owner !== undefined, isRecorded: account !== undefined },
    connection: account === undefined || isLive ? 0 : account.connection,
    account: isLive ? 'live_scans' : 'account_scans',
    live: isLive ? liveScans(db, account.live) : sql``,
  };
}

/** The account's answer as a relation. */
function liveScans(db: Kysely<Schema>, scans: readonly DatedScan[]): RawBuilder<unknown> {
  const rows = JSON.stringify(scans.map((scan) => toRow(0, 0, scan)));
  const columns = [
    'connection',
    'scan_id',
    'key',
    'at',
    'scanned_at',
    'service',
    'user_id',
    'record',
    'round',
  ] as const;
  const numbers: readonly string[] = ['connection', 'at', 'scanned_at', 'round'];
  const read =
    kindOf(db) === 'sqlite'
      ? sql`select ${sql.raw(columns.map((name) => `value ->> '${name}' as ${name}`).join(', '))} from json_each(${rows})`
      : sql`select * from json_to_recordset(${rows}::json) as input
          (${sql.raw(columns.map((name) => `${name} ${numbers.includes(name) ? 'bigint' : 'text'}`).join(', '))})`;
  return sql`with live_scans as materialized (${read})`;
}

/** Which scans can match, by their key. `at`: how the moment is spelled, so that the index on it is used, or is not. */
interface Condition {
  of(alias: 'a' | 'r'): RawBuilder<unknown>;
  readonly at: 'at' | '+at';
}

const anyBarcode: Condition = { of: () => sql``, at: 'at' };

/** By the barcode's index where few scans can match; of many, all are walked by time. */
async function barcodeCondition(db: Kysely<Schema>, source: Source, { barcode }: ScanWalk): Promise<Condition> {
  if (barcode?.match === 'is') {
    return { of: (alias) => sql`and ${sql.ref(`${alias}.key`)} = ${scanKey(barcode.text)}`, at: 'at' };
  }
  // Letters that are not ASCII's may fold otherwise at the end of a text.
  if (barcode?.match !== 'starts' || !/^[ -~]+$/.test(barcode.text)) {
    return anyBarcode;
  }
  const start = `=${barcode.text.toLowerCase()}`;
  // Long barcodes are indexed by a hash.
  const ranges = [[start, start + lastCharacter] as const, ['#', '$'] as const];
  const inRange = (alias: 'a' | 'r', [from, to]: readonly [string, string]) =>
    sql`(${sql.ref(`${alias}.key`)} >= ${from} and ${sql.ref(`${alias}.key`)} < ${to})`;
  const counts = ranges.flatMap((range) => [
    sql`(select 1 from received_scans as r where r.owner = ${source.owner} and ${inRange('r', range)}
      limit ${sql.lit(mostByKey)})`,
    sql`(select 1 from ${sql.raw(source.account)} as a where a.connection = ${source.connection}
      and ${inRange('a', range)} limit ${sql.lit(mostByKey)})`,
  ]);
  const { rows } = await sql<{ n: number | string }>`${source.live} select ${sql.join(
    counts.map((found) => sql`(select count(*) from ${found} as found)`),
    sql` + `,
  )} as n`.execute(db);
  return Number(rows[0]?.n) < mostByKey
    ? {
        of: (alias) =>
          sql`and (${sql.join(
            ranges.map((range) => inRange(alias, range)),
            sql` or `,
          )})`,
        at: '+at',
      }
    : anyBarcode;
}

/** The moment of an alias, as the condition spells it. */
function momentOf(alias: 'a' | 'r', { at }: Condition): RawBuilder<number> {
  return at === 'at' ? sql`${sql.ref(`${alias}.at`)}` : sql`+${sql.ref(`${alias}.at`)}`;
}

async function readReceived(
  db: Kysely<Schema>,
  source: Source,
  { from, to, relayId }: ScanWalk,
  condition: Condition,
  limit: number,
): Promise<readonly ReceivedRow[]> {
  // Of one relay each row counts. Without `||` a database may choose to sort all that the relay received.
  const same = relayId === undefined ? sameScan(source) : sql`null as recorded_as, null as received_as`;
  const ofRelay = relayId === undefined ? sql`` : sql`and r.relay_id || '' = ${relayId}`;
  const at = momentOf('r', condition);
  const { rows } = await sql<ReceivedRow>`${source.live} select r.*, ${same} from received_scans as r
    where r.owner = ${source.owner} and r.test = 0 and ${at} >= ${from} and ${at} < ${to} ${ofRelay} ${condition.of('r')}
    order by ${at} desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

function sameScan(source: Source): RawBuilder<unknown> {
  return sql`${source.isRecorded ? recordedAs(source) : sql`null`} as recorded_as,
    ${receivedAs(source.owner)} as received_as`;
}

async function readRecorded(
  db: Kysely<Schema>,
  { account, connection, live }: Source,
  { from, to }: ScanWalk,
  condition: Condition,
  limit: number,
): Promise<readonly AccountRow[]> {
  const at = momentOf('a', condition);
  const { rows } =
    await sql<AccountRow>`${live} select a.scan_id, a.at, a.scanned_at, a.record, a.round from ${sql.raw(account)} as a
    where a.connection = ${connection} and ${at} >= ${from} and ${at} < ${to} ${condition.of('a')}
    order by ${at} desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Each scan once: the account's with what relays know of it, and what only relays received. */
async function joined(
  db: Kysely<Schema>,
  source: Source,
  walk: ScanWalk,
  received: readonly ReceivedRow[],
  recorded: readonly AccountRow[],
): Promise<readonly Scan[]> {
  const own = received.filter((row) => row.recorded_as === null && row.received_as === null);
  const elsewhere = source.isReceived ? await namedElsewhere(db, source, walk, own, recorded) : [];
  const all = new Map([...received, ...elsewhere].map((row) => [row.id, row]));
  const twins = new Map<string, ScanRecord[]>();
  for (const row of [...all.values()].sort(byRelay)) {
    // What a first relay received may be a scan of the account that this row alone does not tell.
    const first = row.recorded_as ?? all.get(row.received_as ?? '')?.recorded_as ?? row.received_as;
    if (first !== null) {
      twins.set(first, [...(twins.get(first) ?? []), toScan(row, source.of)]);
    }
  }
  const isWanted = mayMatch(walk.barcode);
  const scans = await inTurns(
    [...own, ...recorded].filter(isWanted),
    (row): Scan =>
      'record' in row
        ? accountScan(row, twins.get(row.scan_id) ?? [])
        : relayScan(toScan(row, source.of), row.at, twins.get(row.id) ?? []),
  );
  return scans.sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
}

/** Without reading the whole record: false where the barcode cannot be meant. */
function mayMatch(barcode: ScanWalk['barcode']): (row: ReceivedRow | AccountRow) => boolean {
  const isCarried = barcode !== undefined && asAnswered(barcode.text) === barcode.text;
  if (barcode === undefined || barcode.match === 'is' || !isCarried) {
    return () => true;
  }
  const inRecord = JSON.stringify(barcode.text).slice(1, -1);
  return (row) => ('record' in row ? row.record.includes(inRecord) : row.tid.includes(barcode.text));
}

/** Received scans with the id of one in this slice, where a device says no time or a wrong one: they lie in other slices. */
async function namedElsewhere(
  db: Kysely<Schema>,
  source: Source,
  { relayId }: ScanWalk,
  own: readonly ReceivedRow[],
  recorded: readonly AccountRow[],
): Promise<readonly ReceivedRow[]> {
  const named = [
    ...recorded.map(({ scan_id, at, scanned_at }) => ({ id: scan_id, isDated: at === scanned_at })),
    ...own.flatMap(({ scanid, at, scanned_at }) => (scanid === null ? [] : { id: scanid, isDated: at === scanned_at })),
  ];
  if (relayId !== undefined || named.length === 0) {
    return [];
  }
  const those = (ids: readonly { readonly id: string }[]) =>
    sql`${sql.raw(hasId('r', 'in'))} (${sql.join(ids.map(({ id }) => id.slice(0, 200)))})`;
  const undated = named.filter(({ isDated }) => !isDated);
  const { rows } = await sql<ReceivedRow>`${source.live} select r.*, ${sameScan(source)} from received_scans as r
    where r.owner = ${source.owner} and r.test = 0 and ${those(named)}
      and (r.scanned_at is null or r.at <> r.scanned_at ${undated.length > 0 ? sql`or ${those(undated)}` : sql``})`.execute(
    db,
  );
  const here = new Set([...recorded.map(({ scan_id }) => scan_id), ...own.map(({ id }) => id)]);
  return rows.filter((row) => here.has(row.recorded_as ?? row.received_as ?? ''));
}

function byRelay(one: ReceivedRow, other: ReceivedRow): number {
  return one.relay_id === other.relay_id ? (one.id < other.id ? -1 : 1) : one.relay_id < other.relay_id ? -1 : 1;
}

function accountScan({ at, record, round, scan_id }: AccountRow, received: readonly ScanRecord[]): Scan {
  const recorded = readScan(record);
  // An answer of the account lacks characters that XML cannot carry.
  const exact = received.find(({ tid }) => sameSpelling(tid, recorded.value))?.tid;
  return { id: scan_id, at, value: exact ?? recorded.value, recorded, round, received };
}

function relayScan(first: ScanRecord, at: number, others: readonly ScanRecord[]): Scan {
  return { id: first.id, at, value: first.tid, received: [first, ...others] };
}
