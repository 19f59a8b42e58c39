/**
 * A slice of an owner's scans, newest first, read by one statement: the scans that relays received, each with the ids
 * under which the account and an earlier relay have it, and those that the account recorded.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { kindOf } from '../database/bulk.js';
import type { AccountScansTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { type DatedScan, toRow } from './account/account-scan-rows.js';
import { scanKey } from './key.js';
import { findOwner } from './owners.js';
import { type ReadRow, readColumns } from './received/columns.js';
import { receivedAs, recordedAs, type SameScanSource } from './same-scan.js';

export interface ScanWalk {
  /** The span of the walk: scans made at `from` or later, and before `to`, both in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The barcode to find, in any case, by its beginning, or by a part of it: only scans that can match are read. */
  readonly barcode?: { readonly match: 'is' | 'starts' | 'contains'; readonly text: string } | undefined;
  /** The keys of wanted scans, if only these few are wanted. */
  readonly keys?: readonly string[] | undefined;
  /** The relay whose received scans alone are wanted, each as this relay received it. */
  readonly relayId?: string | undefined;
}

/** The account's scans: a connection's stored ones, or just answered ones. Undefined: only what relays received. */
export type AccountSource = { readonly connection: number } | { readonly live: readonly DatedScan[] };

/** The most scans with one beginning that are read by barcode: more are found faster by time. */
const mostByKey = 2_000;
const lastCharacter = '\u{10ffff}';

interface Sameness {
  readonly recorded_as: string | null;
  readonly received_as: string | null;
}
export type ReceivedRow = ReadRow & Sameness;
export type AccountRow = Pick<AccountScansTable, 'scan_id' | 'at' | 'scanned_at' | 'modified_at' | 'record' | 'round'>;

/** A row of either table. Received scans come as JSON: SQLite is slow to make rows of many columns, most null. */
type SliceRow = (AccountRow & Sameness) | (Sameness & { readonly scan_id: null; readonly record: string });

export interface Source extends SameScanSource {
  readonly workspace: Owner;
  /** SQL that stands before the statement and defines the account's answer as a relation. */
  readonly live: RawBuilder<unknown>;
  readonly isRecorded: boolean;
  readonly isReceived: boolean;
}

export async function openSource(
  db: Kysely<Schema>,
  workspace: Owner,
  account: AccountSource | undefined,
): Promise<Source> {
  const owner = await findOwner(db, workspace);
  const isLive = account !== undefined && 'live' in account;
  return {
    workspace,
    owner: owner ?? 0,
    isReceived: owner !== undefined,
    isRecorded: account !== undefined,
    connection: account === undefined || isLive ? 0 : account.connection,
    account: isLive ? 'live_scans' : 'account_scans',
    live: isLive ? liveScans(db, account.live) : sql``,
  };
}

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
    'modified_at',
    'record',
    'round',
  ] as const;
  const numbers: readonly string[] = ['connection', 'at', 'scanned_at', 'modified_at', 'round'];
  const read =
    kindOf(db) === 'sqlite'
      ? sql`select ${sql.raw(columns.map((name) => `value ->> '${name}' as ${name}`).join(', '))} from json_each(${rows})`
      : sql`select * from json_to_recordset(${rows}::json) as input
          (${sql.raw(columns.map((name) => `${name} ${numbers.includes(name) ? 'bigint' : 'text'}`).join(', '))})`;
  return sql`with live_scans as materialized (${read})`;
}

/**
 * Conditions on the keys of scans that can match, of which no scan meets two. `at`: how the moment is spelled, to use its
 * index or not.
 */
export interface KeyCondition {
  oneOf(alias: 'a' | 'r'): readonly RawBuilder<unknown>[];
  readonly at: 'at' | '+at';
}

const anyBarcode: KeyCondition = { oneOf: () => [sql`1 = 1`], at: 'at' };
const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`;

/** The conditions on barcodes: they use the index where few scans can match; of many, all are walked by time. */
export async function barcodeCondition(
  db: Kysely<Schema>,
  source: Source,
  { barcode, keys }: ScanWalk,
): Promise<KeyCondition> {
  if (keys !== undefined) {
    return { oneOf: (alias) => [sql`${sql.ref(`${alias}.key`)} in (${sql.join(keys)})`], at: '+at' };
  }
  if (barcode?.match === 'is') {
    return { oneOf: (alias) => [sql`${sql.ref(`${alias}.key`)} = ${scanKey(barcode.text)}`], at: 'at' };
  }
  // Letters beyond ASCII may fold otherwise at the end of a text.
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
    ? { oneOf: (alias) => ranges.map((range) => inRange(alias, range)), at: '+at' }
    : anyBarcode;
}

/** The moment of an alias, as the condition spells it. */
function momentOf(alias: 'a' | 'r', { at }: KeyCondition): RawBuilder<number> {
  return at === 'at' ? sql`${sql.ref(`${alias}.at`)}` : sql`+${sql.ref(`${alias}.at`)}`;
}

/**
 * The moment from which there are `limit` scans before `to`, in whole moments; undefined where there are fewer. Test
 * scans count here, so that an index alone is read.
 */
export async function sliceStart(
  db: Kysely<Schema>,
  source: Source,
  { from, to, relayId }: ScanWalk,
  condition: KeyCondition,
  limit: number,
): Promise<number | undefined> {
  const [received, recorded] = [momentOf('r', condition), momentOf('a', condition)];
  const ofRelay = relayId === undefined ? sql`` : sql`and r.relay_id = ${relayId}`;
  // Each condition has a part of its own: for several in one part SQLite reads all keys of the owner.
  const newestRows = (at: RawBuilder<number>, where: RawBuilder<unknown>, conditions: readonly RawBuilder<unknown>[]) =>
    conditions.map(
      (
        isMeant,
      ) => sql`select * from (select ${at} as at from ${where} and ${isMeant} and ${at} >= ${from} and ${at} < ${to}
        order by ${at} desc limit ${sql.lit(limit)}) as newest`,
    );
  const ofOwner = sql`received_scans as r where r.owner = ${source.owner} ${ofRelay}`;
  const ofConnection = sql`${sql.raw(source.account)} as a where a.connection = ${source.connection}`;
  const parts = [
    ...newestRows(received, ofOwner, condition.oneOf('r')),
    ...(source.isRecorded ? newestRows(recorded, ofConnection, condition.oneOf('a')) : []),
  ];
  const { rows } = await sql<{ at: number }>`${source.live} ${sql.join(parts, sql` union all `)}`.execute(db);
  return rows.map(({ at }) => at).sort((one, other) => other - one)[limit - 1];
}

/** One statement: a scan that comes into the copy or leaves it meanwhile is neither in both parts nor in none. */
export async function readSlice(
  db: Kysely<Schema>,
  source: Source,
  walk: ScanWalk,
  condition: KeyCondition,
): Promise<{ readonly received: readonly ReceivedRow[]; readonly recorded: readonly AccountRow[] }> {
  const queries = [
    ...(source.isReceived ? [receivedPart(db, source, walk, condition)] : []),
    ...(source.isRecorded ? [recordedPart(source, walk, condition)] : []),
  ];
  if (queries.length === 0) {
    return { received: [], recorded: [] };
  }
  const { rows } = await sql<SliceRow>`${source.live} ${sql.join(queries, sql` union all `)}`.execute(db);
  return {
    received: rows.flatMap(({ scan_id, record, recorded_as, received_as }) =>
      scan_id === null ? Object.assign(JSON.parse(record) as ReadRow, { recorded_as, received_as }) : [],
    ),
    recorded: rows.flatMap((row) => (row.scan_id === null ? [] : row)),
  };
}

function receivedPart(
  db: Kysely<Schema>,
  source: Source,
  { from, to, relayId }: ScanWalk,
  condition: KeyCondition,
): RawBuilder<unknown> {
  // Every row of one relay counts, so none is looked up as the same scan.
  const same = relayId === undefined ? sameScan(source) : sql`${noText} as recorded_as, ${noText} as received_as`;
  const ofRelay = relayId === undefined ? sql`` : sql`and r.relay_id = ${relayId}`;
  const at = momentOf('r', condition);
  const object = kindOf(db) === 'sqlite' ? 'json_object' : 'json_build_object';
  const columns = readColumns.map((name) => `'${name}', r.${name}`);
  return sql`select ${sql.raw(`cast(${object}(${columns.join(', ')}) as text)`)} as record, ${same}, ${noText} as scan_id,
      ${noNumber} as at, ${noNumber} as scanned_at, ${noNumber} as round, ${noNumber} as modified_at
    from received_scans as r
    where r.owner = ${source.owner} and r.test = 0 and ${at} >= ${from} and ${at} < ${to} ${ofRelay}
      and ${anyOf(condition.oneOf('r'))}`;
}

function recordedPart(
  { account, connection }: Source,
  { from, to }: ScanWalk,
  condition: KeyCondition,
): RawBuilder<unknown> {
  const at = momentOf('a', condition);
  return sql`select a.record, ${noText} as recorded_as, ${noText} as received_as, a.scan_id, a.at, a.scanned_at, a.round,
      a.modified_at
    from ${sql.raw(account)} as a
    where a.connection = ${connection} and ${at} >= ${from} and ${at} < ${to} and ${anyOf(condition.oneOf('a'))}`;
}

const noText = sql`cast(null as text)`;
const noNumber = sql`cast(null as bigint)`;

export function sameScan(source: Source): RawBuilder<unknown> {
  return sql`${source.isRecorded ? recordedAs(source) : sql`null`} as recorded_as,
    ${receivedAs(source.owner)} as received_as`;
}
