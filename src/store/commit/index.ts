/**
 * Owns taking scans: a batch of them, with the posts that come of each, in one transaction on either database.
 */
import type { Store } from '../types.js';
import type { CommitResult, Decide, IncomingScan } from './plan.js';
import { commitOnPostgres } from './postgres.js';
import { commitOnSqlite } from './sqlite.js';

export type { CommitResult, Decide, DecidedPost, Decision, Facts, IncomingScan } from './plan.js';

export interface ScanCommit {
  /**
   * Results in the order of the batch, once everything is durable; all of it or nothing. `decide` is called for each scan
   * that is new, in order, with its relay as it is at that moment.
   * @throws StoreError: nothing was stored, but for `store.unavailable`, after which nobody knows.
   */
  commit<Ahead>(batch: readonly IncomingScan<Ahead>[], decide: Decide<Ahead>): Promise<readonly CommitResult[]>;
}

export function createScanCommit(store: Pick<Store, 'db' | 'sqlite'>): ScanCommit {
  const { db, sqlite } = store;
  return {
    commit: (batch, decide) => (sqlite ? commitOnSqlite(sqlite, batch, decide) : commitOnPostgres(db, batch, decide)),
  };
}
