/** The look-up of an account's resources by id: `existingIds` requires each id to exist, `rowsOf` only one of them. */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { type Ids, subjects } from '../request/variables.js';
import type { Sql } from '../store/sqlite.js';
import type { Call } from './operation.js';

const tables = {
  service: 'services WHERE account_id = ?',
  user: 'users WHERE deleted_at IS NULL AND account_id = ?',
  question: 'questions WHERE account_id = ?',
  scan: 'scans WHERE account_id = ?',
  database: 'databases WHERE account_id = ?',
  device: 'devices WHERE account_id = ?',
} as const;

export type ExistingKind = keyof typeof tables;

/** The rows of those ids that exist, in the order of their ids, without repeats. */
function findRows<Row>(sql: Sql, account: Account, kind: ExistingKind, ids: Ids): Row[] {
  return ids === 'all'
    ? sql.all<Row>(`SELECT * FROM ${tables[kind]} ORDER BY id`, account.id)
    : sql.all<Row>(
        `SELECT * FROM ${tables[kind]} AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
        account.id,
        JSON.stringify(ids),
      );
}

/** The rows of the ids, of which one must exist; the error table has no code for an unknown device. @throws Refusal */
export function rowsOf<Row>(sql: Sql, account: Account, kind: ExistingKind, ids: Ids): Row[] {
  const rows = findRows<Row>(sql, account, kind, ids);
  if (ids !== 'all' && rows.length === 0 && kind !== 'device') throw new Refusal(subjects[kind].unknown);
  return rows;
}

/** The ids that a retrieve asks for; by default all. */
export function askedIds({ variables }: Pick<Call, 'variables'>, kind: ExistingKind): Ids {
  return variables.ids(`${kind}_id`, subjects[kind], { all: true }) ?? 'all';
}

/** The ids in their order, all of which must exist. @throws Refusal */
export function existingIds(sql: Sql, account: Account, kind: ExistingKind, ids: Ids): number[] {
  const rows = findRows<{ id: number }>(sql, account, kind, ids);
  if (ids !== 'all' && rows.length !== new Set(ids).size) throw new Refusal(subjects[kind].unknown);
  return rows.map(({ id }) => id);
}

/** The ids that a call names, or those of `all` (except for scans); each named one must exist. @throws Refusal */
export function namedIds({ sql, account, variables }: Call, kind: ExistingKind): number[] {
  return existingIds(sql, account, kind, variables.someIds(`${kind}_id`, subjects[kind], { all: kind !== 'scan' }));
}
