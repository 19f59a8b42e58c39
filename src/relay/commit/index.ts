/** Commit of scans: a batch with its posts in one transaction, on either database. */
import type { Store } from '../../workspaces/types.js';
import { withEarlier } from './earlier.js';
import { planCommit } from './plan.js';
import { readStored, readTries } from './read.js';
import type { CommitResult, Decide, IncomingScan, RulesPort } from './types.js';
import { writePlan } from './write.js';

export type { AlertPost, DecidedPost, DigestPort, RuleFacts, RuleNeeds } from './rules.js';
export type { CommitResult, Decide, IncomingScan, Revision, RevisionFacts, RulesPort } from './types.js';

/** A port for rules that need no facts and make no posts. */
const noRules: RulesPort = {
  needs: () => ({ memories: false, digests: false }),
  countsAround: (_, { receivedAt }) => receivedAt,
  revise: () => ({ posts: [], muted: [] }),
};

export function createScanCommit({ db }: Pick<Store, 'db'>, rules: RulesPort = noRules) {
  return {
    /**
     * Commits the whole batch or nothing; resolves to the results in the batch's order once all is durable. `decide` is
     * called for each new scan, in order, with its relay's current record.
     * @throws StoreError: nothing was stored, except for `store.unavailable`, whose outcome is unknown.
     */
    commit: <Ahead>(batch: readonly IncomingScan<Ahead>[], decide: Decide<Ahead>): Promise<readonly CommitResult[]> =>
      db.transaction().execute(async (trx) => {
        const plan = planCommit(batch, await readStored(trx, batch, rules), decide, rules);
        const { inserts, triedScans } = plan;
        const earlier = triedScans.length > 0 ? await readTries(trx, triedScans) : undefined;
        await writePlan(trx, earlier ? { ...plan, inserts: withEarlier(inserts, triedScans, earlier) } : plan);
        return plan.results;
      }),
  };
}

export type ScanCommit = ReturnType<typeof createScanCommit>;
