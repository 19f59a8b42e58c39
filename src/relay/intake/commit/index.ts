/** Commit of scans: a batch with its posts in one transaction, on either database. */
import type { Store } from '../../../workspaces/types.js';
import type { CommitResult, Decide, IncomingScan, RulesPort } from './plan.js';
import { commitOnPostgres } from './postgres.js';
import { commitOnSqlite } from './sqlite.js';

export type { CommitResult, Decide, Decision, Facts, IncomingScan, RevisionFacts, RulesPort } from './plan.js';
export type { DecidedPost, MuteFact, RuleFacts, RuleNeeds, WatchFact } from './rules.js';

export interface ScanCommit {
  /**
   * Results in the order of the batch, once everything is durable; all of it or nothing. `decide` is called for each
   * new scan, in order, with its relay's current record.
   * @throws StoreError: nothing was stored, except for `store.unavailable`, after which nobody knows.
   */
  commit<Ahead>(batch: readonly IncomingScan<Ahead>[], decide: Decide<Ahead>): Promise<readonly CommitResult[]>;
}

/** Rules that need nothing and make no posts. */
const noRules: RulesPort = { needs: () => ({ memories: false, digests: false }), revise: () => [] };

export function createScanCommit(store: Pick<Store, 'db' | 'sqlite'>, rules: RulesPort = noRules): ScanCommit {
  const { db, sqlite } = store;
  return {
    commit: (batch, decide) =>
      sqlite ? commitOnSqlite(sqlite, batch, decide, rules) : commitOnPostgres(db, batch, decide, rules),
  };
}
