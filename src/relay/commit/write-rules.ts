/** Writes of the rules' decisions: posts, digests, memories; also for posts that come of no scan. */
import type { Transaction } from 'kysely';
import { bulkInsert, bulkStatement } from '../../database/bulk.js';
import type { Schema } from '../../database/schema.js';
import { redrawCounted, writeIncidents } from '../../incidents/writes.js';
import { enqueue } from '../../posts/outbox/enqueue.js';
import { reviseMessages } from '../../posts/outbox/scan-posts.js';
import { countMuted } from '../../watches/mute-rows.js';
import type { OpenDigest, RulePlan } from './rules.js';

type Trx = Transaction<Schema>;

const closeDigests = bulkStatement(
  { key: 'text' },
  ({ input }) => `delete from digests where key in (select input.key from ${input})`,
);

const openDigests = bulkInsert('digests', {
  key: 'text',
  relay_id: 'text',
  rule_id: 'text',
  installation: 'text',
  team: 'text',
  channel: 'text',
  parent_key: 'text',
  detail: 'text',
  due_at: 'bigint',
});

const joinDigests = bulkStatement(
  { key: 'text', detail: 'text' },
  ({ input }) => `update digests set detail = input.detail from ${input} where digests.key = input.key`,
);

const putMemories = bulkStatement(
  { relay_id: 'text', rule_id: 'text', memory: 'text' },
  ({ input }) => `
    insert into rule_memories (relay_id, rule_id, memory) select relay_id, rule_id, memory from ${input} where true
    on conflict (relay_id, rule_id) do update set memory = excluded.memory`,
);

export async function writeRules(trx: Trx, plan: RulePlan): Promise<void> {
  await writeIncidents(trx, plan.incidents);
  // Closed digests are deleted before others are opened: the next digest of a rule takes the same place.
  await closeDigests(
    trx,
    plan.closed.map((key) => ({ key })),
  );
  await joinDigests(
    trx,
    plan.joined.map(({ key, detail }) => ({ key, detail })),
  );
  await openDigests(trx, plan.opened.map(toDigestRow));
  await enqueue(trx, plan);
  await redrawCounted(trx, plan.incidents);
  await reviseMessages(trx, plan.completed);
  await countMuted(trx, plan.muted);
  await putMemories(
    trx,
    plan.memories.map(({ relayId, ruleId, memory }) => ({ relay_id: relayId, rule_id: ruleId, memory })),
  );
}

function toDigestRow({ key, relayId, ruleId, queue, parentKey, detail, dueAt }: OpenDigest) {
  return { key, relay_id: relayId, rule_id: ruleId, ...queue, parent_key: parentKey, detail, due_at: dueAt };
}
