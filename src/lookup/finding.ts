/** What one database's answer means for the barcode. Pure: the account's rows in, a finding out. */

import { rowOf } from '../codereadr/barcode-equality.js';
import type { Database, DatabaseValue, Named } from '../codereadr/types.js';
import { type Attempt, failureOf } from './failure.js';
import type { DatabaseFinding } from './types.js';

/** The rows of one showvalues call. */
export interface DatabaseAnswer {
  readonly databaseId: string;
  readonly rows: Attempt<readonly DatabaseValue[]>;
}

/** How many other spellings are shown. */
const mostSimilar = 5;

/** API codes for a database that does not exist (contract, section 6). */
const noSuchDatabase = new Set(['204', '270']);

/**
 * @param listed the account's databases; undefined where the list failed
 * @returns undefined where the account has no such database any more
 */
export function findingOf(
  { databaseId, rows }: DatabaseAnswer,
  value: string,
  listed: readonly Database[] | undefined,
): DatabaseFinding | undefined {
  const entry = listed?.find((database) => database.id === databaseId);
  const database: Named = { id: databaseId, name: entry?.name || databaseId };
  if (!rows.ok) {
    const gone = rows.error.apiCode !== undefined && noSuchDatabase.has(rows.error.apiCode);
    return gone ? undefined : { kind: 'failed', database, why: failureOf(rows.error) };
  }
  const row = rowOf(rows.value, value, entry?.caseSensitive);
  if (!row) {
    return { kind: 'unknown', database, similar: rows.value.slice(0, mostSimilar).map((r) => r.value) };
  }
  return {
    kind: 'known',
    database,
    value: row.value,
    valid: row.valid,
    response: row.response,
  };
}
