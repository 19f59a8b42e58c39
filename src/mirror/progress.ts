/** The progress of an account's first copy. Pure. */
import type { AccountMirror } from './tables/accounts.js';
import type { DatabaseMirror } from './tables/databases.js';

/** The parts of the first copy that are not complete. */
export interface CopyProgress {
  /** Values of all databases, met by this pass or an earlier one. `of`: as many as the account counts. */
  readonly values?: { readonly read: number; readonly of?: number | undefined } | undefined;
  /** How many scans the pass under way has met; a pass after a failed one counts from 0 again. */
  readonly scans?: number | undefined;
}

/** The progress of the first copy; undefined: every part was complete once. @param scanDays 0: scans are not copied */
export function copyProgress(
  databases: readonly DatabaseMirror[],
  account: AccountMirror | undefined,
  scanDays: number,
): CopyProgress | undefined {
  const values = databases.some(isFilling) ? valuesOf(databases) : undefined;
  const scans = account && scanDays > 0 && !account.filled ? account.read : undefined;
  return values || scans !== undefined ? { values, scans } : undefined;
}

function valuesOf(databases: readonly DatabaseMirror[]) {
  const counts = databases.map((one) => (isFilling(one) ? one.expected : one.size));
  const total = counts.every((count) => count !== undefined) ? sum(counts) : undefined;
  const read = sum(databases.map((one) => (isFilling(one) ? one.read : one.size)));
  return { read, of: total === undefined ? undefined : Math.max(total, read) };
}

/** Whether a database's first copy is under way; one that the account no longer has will never be complete. */
function isFilling({ fetchedAt, lastCode }: DatabaseMirror): boolean {
  return fetchedAt === undefined && lastCode !== 'relay.database_gone';
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
