/** The look-up of an account's resources by id. Ids that do not exist are refused. */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { type Ids, subjects } from '../request/variables.js';
import type { Sql } from '../store/sqlite.js';

const tables = {
  service: 'services WHERE account_id = ?',
  user: 'users WHERE deleted_at IS NULL AND account_id = ?',
  question: 'questions WHERE account_id = ?',
  scan: 'scans WHERE account_id = ?',
} as const;

export type ExistingKind = keyof typeof tables;

/** The ids of a list, without repeats. @throws Refusal when one of them does not exist */
export function existing(sql: Sql, account: Account, kind: ExistingKind, ids: Ids): number[] {
  if (ids === 'all') {
    return sql.all<{ id: number }>(`SELECT id FROM ${tables[kind]} ORDER BY id`, account.id).map(({ id }) => id);
  }
  const wanted = [...new Set(ids)];
  const found = findSome(sql, account, kind, wanted);
  if (found.length !== wanted.length) throw new Refusal(subjects[kind].unknown);
  return found;
}

/** For filters: at least one must exist. @throws Refusal */
export function mustExist(sql: Sql, account: Account, kind: ExistingKind, ids: readonly number[]): void {
  if (findSome(sql, account, kind, ids).length === 0) throw new Refusal(subjects[kind].unknown);
}

function findSome(sql: Sql, account: Account, kind: ExistingKind, ids: readonly number[]): number[] {
  return sql
    .all<{ id: number }>(
      `SELECT id FROM ${tables[kind]} AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      account.id,
      JSON.stringify(ids),
    )
    .map(({ id }) => id);
}
