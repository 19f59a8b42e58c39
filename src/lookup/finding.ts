/** The finding for a barcode, made from one database's answer: the account's rows. Pure. */
import { type Attempt, type Failure, failureOf, mostHelpfulFirst } from '../codereadr/attempt.js';
import { rowOf } from '../codereadr/barcode-equality.js';
import type { AccountError, Database, DatabaseValue, Named } from '../codereadr/types.js';
import type { DatabaseFinding, Fact, Lookup } from './types.js';

/** The rows of one database, of the account or its copy, as a fact. */
export interface DatabaseAnswer extends Omit<Fact, 'failure'> {
  readonly databaseId: string;
  readonly rows: Attempt<readonly DatabaseValue[]>;
  /** The error with which the account did not confirm the copy's rows. */
  readonly failure?: AccountError;
}

/** How many other spellings are shown. */
const mostSimilar = 5;

/** API codes for a database that does not exist (docs/account-api.md#error-codes). */
const noSuchDatabase = new Set(['204', '270']);

/** Whether the account has no such database any more. */
export function isGone(rows: DatabaseAnswer['rows']): boolean {
  return !rows.ok && rows.error.apiCode !== undefined && noSuchDatabase.has(rows.error.apiCode);
}

/**
 * @param databaseList the account's databases; undefined where the list failed
 * @returns undefined where the account has no such database any more
 */
export function findingOf(
  { databaseId, rows, at, whole, source, failure }: DatabaseAnswer,
  value: string,
  databaseList: readonly Database[] | undefined,
): DatabaseFinding | undefined {
  const entry = databaseList?.find((database) => database.id === databaseId);
  const database: Named = { id: databaseId, name: entry?.name || databaseId };
  if (!rows.ok) {
    const failed = { kind: 'failed', database, at, whole: false, source, failure: failureOf(rows.error) } as const;
    return isGone(rows) ? undefined : failed;
  }
  const row = rowOf(rows.value, value, entry?.caseSensitive);
  const fact = { database, at, whole, source, ...(failure ? { failure: failureOf(failure) } : {}) };
  return row
    ? { kind: 'known', value: row.value, valid: row.valid, response: row.response, ...fact }
    : { kind: 'unknown', similar: rows.value.slice(0, mostSimilar).map((each) => each.value), ...fact };
}

/** Whether no database holds the barcode, as far as databases answered: some may have answered by their mirror. */
export function isAbsent({ findings, lists }: Pick<Lookup, 'findings' | 'lists'>): boolean {
  return (
    findings.every(({ kind, source }) => kind === 'unknown' || (kind === 'failed' && source === 'copy')) &&
    (findings.length > 0 || lists.databases?.whole !== false)
  );
}

/** Whether the barcode is in no database or its copy, and was never scanned. */
export function isUnknown(lookup: Lookup): boolean {
  return isAbsent(lookup) && lookup.history.scans.length === 0;
}

/** The lookup where the account does not answer: a database whose mirror lacks the barcode counts as not checked. */
export function notAnswered(lookup: Lookup, failure: Failure): Lookup {
  if (!isAbsent(lookup)) {
    return lookup;
  }
  return {
    ...lookup,
    findings: lookup.findings.map((finding) =>
      finding.source === 'copy' ? { ...finding, kind: 'failed', whole: false, failure } : finding,
    ),
  };
}

/** The failure of these facts that says most; undefined where the account gave all of them, or was not asked. */
export function mostHelpfulOf(facts: readonly Pick<Fact, 'failure'>[]): Failure | undefined {
  const failures = facts.flatMap(({ failure }) => failure ?? []);
  const [why] = mostHelpfulFirst.flatMap((code) => failures.filter((each) => each.code === code));
  return why ?? failures[0];
}
