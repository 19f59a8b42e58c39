/** Writes of a commit, in bulk. Scans come before the posts that refer to them. */
import type { Transaction } from 'kysely';
import { counterWrites } from '../../counters/write-counters.js';
import { bulkStatement, runTogether } from '../../database/bulk.js';
import type { Schema } from '../../database/schema.js';
import { scanKey } from '../../scans/key.js';
import { markReceived } from '../../scans/marks.js';
import { completeReceived, insertReceived } from '../../scans/received/commit.js';
import type { Plan } from './plan.js';
import { toChange, toRow } from './rows.js';
import { writeRules } from './write-rules.js';

type Trx = Transaction<Schema>;

const addToRelays = bulkStatement(
  { id: 'text', scans: 'bigint', last_at: 'bigint' },
  ({ input }) => `
    update relays set scans = relays.scans + input.scans,
      last_scan_at = case when relays.last_scan_at > input.last_at then relays.last_scan_at else input.last_at end
    from ${input} where relays.id = input.id`,
);

const useSecrets = bulkStatement(
  { id: 'text', at: 'bigint' },
  ({ input }) => `update relay_secrets set last_used_at = input.at from ${input} where relay_secrets.id = input.id`,
);

export async function writePlan(trx: Trx, plan: Plan): Promise<void> {
  const inserts = plan.inserts.map(toRow);
  const changedKeys = [
    ...plan.inserts.map(({ scan }, n) => ({ owner: scan.owner, key: inserts[n]!.key })),
    ...plan.updates.map(({ scan }) => ({ owner: scan.owner, key: scanKey(scan.tid) })),
  ];
  await runTogether(trx, [
    insertReceived.withRows(inserts),
    markReceived(changedKeys),
    addToRelays.withRows([...plan.tallies].map(([id, { scans, lastAt }]) => ({ id, scans, last_at: lastAt }))),
    useSecrets.withRows([...plan.secretsUsed].map(([id, at]) => ({ id, at }))),
    ...counterWrites([...plan.counters], plan.admissions),
  ]);
  await completeReceived(trx, plan.updates.map(toChange));
  await writeRules(trx, plan);
}
