/** Writes of a commit, in bulk. Scans come before the posts that refer to them. */
import type { Transaction } from 'kysely';
import { bulkStatement, runTogether } from '../../../database/bulk.js';
import type { Schema } from '../../../database/schema.js';
import { completeReceived, insertReceived } from '../../../scans/received/commit.js';
import { insertAdmissions } from '../../counters/admissions.js';
import type { AdmissionRow, CounterRow } from './counter.js';
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

const counterColumns = {
  relay_id: 'text',
  subject: 'text',
  key: 'text',
  seen: 'bigint',
  first_at: 'bigint',
  last_at: 'bigint',
  accepted: 'bigint',
  last_accepted_at: 'bigint',
} as const;
const counterNames = Object.keys(counterColumns).join(', ');

const putCounters = bulkStatement(
  counterColumns,
  ({ input }) => `
    insert into counters (${counterNames}) select ${counterNames} from ${input} where true
    on conflict (relay_id, subject, key) do update set seen = excluded.seen, first_at = excluded.first_at,
      last_at = excluded.last_at, accepted = excluded.accepted, last_accepted_at = excluded.last_accepted_at`,
);

export async function writePlan(trx: Trx, plan: Plan): Promise<void> {
  await runTogether(trx, [
    insertReceived.with(plan.inserts.map(toRow)),
    addToRelays.with([...plan.tallies].map(([id, { scans, lastAt }]) => ({ id, scans, last_at: lastAt }))),
    useSecrets.with([...plan.secretsUsed].map(([id, at]) => ({ id, at }))),
    putCounters.with([...plan.counters].map(toCounter)),
    insertAdmissions.with(plan.admissions.map(toAdmission)),
  ]);
  await completeReceived(trx, plan.updates.map(toChange));
  await writeRules(trx, plan);
}

function toCounter({ relayId, subject, key, seen, firstAt, lastAt, accepted, lastAcceptedAt }: CounterRow) {
  const moments = { first_at: firstAt, last_at: lastAt, last_accepted_at: lastAcceptedAt };
  return { relay_id: relayId, subject, key, seen, accepted, ...moments };
}

function toAdmission({ relayId, subject, key, at, scanId }: AdmissionRow) {
  return { relay_id: relayId, subject, key, at, scan_id: scanId };
}
