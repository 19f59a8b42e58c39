/**
 * Claims: how a worker takes rows that others may be taking at the same time. Rows that another transaction has locked
 * are skipped, so that no two workers get the same row.
 */
import { type Selectable, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { kindOf } from '../bulk.js';
import type { Schema } from '../schema.js';

/** The tables whose rows are claimed, each with the columns that identify a row. */
const keyColumns = {
  channel_queues: ['installation', 'team', 'channel'],
  jobs: ['installation', 'team', 'kind', 'key'],
  message_updates: ['post_seq'],
  mirrors: ['id'],
  place_lists: ['id'],
} as const satisfies Partial<Record<keyof Schema, readonly string[]>>;

type Claimable = keyof typeof keyColumns;
type Rows<Table extends Claimable> = SelectQueryBuilder<Schema, Table, Selectable<Schema[Table]>>;

/** A claim that lasts until a moment, for tables with `claimed_by` and `claimed_until`. */
export interface Claim {
  readonly worker: string;
  readonly until: number;
}

export const unclaimed = { claimed_by: null, claimed_until: null } as const;

export function columnsOfClaim({ worker, until }: Claim) {
  return { claimed_by: worker, claimed_until: until };
}

/** The longest claim: one that ends later was made by a wrong clock. */
const longestClaimMs = 10 * 60_000;

/** The condition that no claim on the row lasts at `now`. */
export function isUnclaimed(now: number) {
  return sql<boolean>`(claimed_by is null or claimed_until <= ${now} or claimed_until > ${now + longestClaimMs})`;
}

/** Claims the rows that `pick` selects: they get the columns of the claim. Returns the rows as they were before. */
export async function claimRows<Table extends Claimable>(
  trx: Transaction<Schema>,
  table: Table,
  claim: Partial<Selectable<Schema[Table]>>,
  pick: (rows: Rows<Table>) => Rows<Table>,
): Promise<readonly Selectable<Schema[Table]>[]> {
  const allRows = trx.selectFrom(table as Claimable).selectAll() as unknown as Rows<Table>;
  const rows = (await freeRows(trx, pick(allRows)).execute()) as unknown as readonly Selectable<Schema[Table]>[];
  const set = Object.entries(claim).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  for (const row of rows) {
    const key = keyColumns[table].map((column) => sql`${sql.ref(column)} = ${row[column as keyof typeof row]}`);
    await sql`update ${sql.table(table)} set ${sql.join(set)} where ${sql.join(key, sql` and `)}`.execute(trx);
  }
  return rows;
}

/** The query, which on PostgreSQL also locks its rows and leaves out those that another transaction has locked. */
export function freeRows<Table extends keyof Schema, Row>(
  trx: Transaction<Schema>,
  rows: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return kindOf(trx) === 'postgres' ? rows.forUpdate().skipLocked() : rows;
}
