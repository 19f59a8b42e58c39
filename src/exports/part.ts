/** The result of one step of reading: some rows, and the place where the next step goes on. */
import type { Account, CallOptions } from '../codereadr/types.js';
import { JobFailed } from '../database/jobs/job.js';
import type { ExportPosition, ExportRecord } from './types.js';

export interface PartRequest {
  readonly record: ExportRecord;
  readonly account: Account;
  readonly signal: AbortSignal;
}

export interface ExportPart {
  readonly rows: readonly (readonly string[])[];
  readonly position: ExportPosition;
  readonly isLast: boolean;
  /** Whether the next part costs calls, and so waits its turn. */
  readonly costsCalls: boolean;
}

/** The options of a call for an export. People come first: a call that finds no room is made later. */
export const backgroundCall = { priority: 'background', maxWaitMs: 2_000, retries: false } satisfies CallOptions;

/**
 * The error of an export that cannot go on: `export.copy_gone`, `export.other_account`, `export.not_connected`,
 * `export.too_large`, `export.list_gone`, `export.too_old` or `export.failed`.
 */
export class ExportFailed extends JobFailed {}
