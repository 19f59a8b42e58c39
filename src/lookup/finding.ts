/** The finding for a barcode, made from one database's answer: the account's rows. Pure. */
import { type Attempt, type Failure, failureOf, mostHelpfulFirst } from '../codereadr/attempt.js';
import { rowOf } from '../codereadr/barcode-equality.js';
import type { Database, DatabaseValue, Named } from '../codereadr/types.js';
import type { HeadlineKind } from './headline.js';
import type { DatabaseFinding, Lookup } from './types.js';

/** The rows of one showvalues call. */
export interface DatabaseAnswer {
  readonly databaseId: string;
  readonly rows: Attempt<readonly DatabaseValue[]>;
  /** Set if the mirror of the database did not hold the barcode at that time. */
  readonly copiedAt?: number;
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
  { databaseId, rows, copiedAt }: DatabaseAnswer,
  value: string,
  databaseList: readonly Database[] | undefined,
): DatabaseFinding | undefined {
  const entry = databaseList?.find((database) => database.id === databaseId);
  const database: Named = { id: databaseId, name: entry?.name || databaseId };
  if (!rows.ok) {
    return isGone(rows) ? undefined : { kind: 'failed', database, why: failureOf(rows.error), copiedAt };
  }
  const row = rowOf(rows.value, value, entry?.caseSensitive);
  if (!row) {
    return { kind: 'unknown', database, similar: rows.value.slice(0, mostSimilar).map((r) => r.value), copiedAt };
  }
  return { kind: 'known', database, value: row.value, valid: row.valid, response: row.response };
}

/** Whether no database holds the barcode, as far as databases answered: some may have answered by their mirror. */
export function isAbsent({ findings, listFailed }: Pick<Lookup, 'findings' | 'listFailed'>): boolean {
  return (
    findings.every(
      (finding) => finding.kind === 'unknown' || (finding.kind === 'failed' && finding.copiedAt !== undefined),
    ) &&
    (findings.length > 0 || listFailed === undefined)
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
      finding.kind === 'unknown' && finding.copiedAt !== undefined
        ? { kind: 'failed', database: finding.database, why: failure, copiedAt: finding.copiedAt }
        : finding,
    ),
  };
}

/** The failure behind a headline that says not checked or not confirmed. */
export function whyNotChecked(lookup: Lookup, kind: HeadlineKind): Failure | undefined {
  if (kind !== 'not_checked' && kind !== 'not_confirmed') {
    return undefined;
  }
  const { findings, history, gatesFailed, listFailed, asOf } = lookup;
  const parts = [...findings, history].flatMap((part) => (part.kind === 'failed' ? [part.why] : []));
  const failures = [...parts, ...[asOf?.why, gatesFailed, listFailed].flatMap((each) => each ?? [])];
  const [why] = mostHelpfulFirst.flatMap((code) => failures.filter((each) => each.code === code));
  return why ?? failures[0];
}
