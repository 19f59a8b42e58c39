/** Outbox inserts for posts without a scan, under the relay's lock: at once, under a thread parent, or in a digest. */
import type { Kysely, Transaction } from 'kysely';
import type { DigestsTable, Schema } from '../../../database/schema.js';
import { enqueue } from '../../delivery/outbox/enqueue.js';
import { createPostPlanner, type DecidedPost, type OpenDigest, type RulePlan } from '../../intake/commit/rules.js';
import type { RelayRecord } from '../../relays/records.js';

type Trx = Transaction<Schema>;

/** Inserts one post without a scan, as its rule says. */
export async function putIn(trx: Trx, relay: RelayRecord, key: string, post: DecidedPost, now: number): Promise<void> {
  const open = await trx
    .selectFrom('digests')
    .selectAll()
    .where('relay_id', '=', relay.id)
    .where('rule_id', '=', post.rule ?? '')
    .where('channel', '=', post.channel)
    .executeTakeFirst();
  const posting = createPostPlanner({
    watches: () => [],
    mutes: () => [],
    memory: () => undefined,
    digest: () => open && toDigest(open),
    postsOf: () => [],
  });
  posting.add(relay, { key, scanId: '', at: now }, [post], 0);
  await writePlan(trx, posting.plan);
}

export async function readDigest(db: Kysely<Schema>, key: string): Promise<OpenDigest | undefined> {
  const row = await db.selectFrom('digests').selectAll().where('key', '=', key).executeTakeFirst();
  return row && toDigest(row);
}

function toDigest(row: DigestsTable): OpenDigest {
  return {
    ...{ key: row.key, relayId: row.relay_id, ruleId: row.rule_id, parentKey: row.card_key ?? undefined },
    queue: { installation: row.installation, team: row.team, channel: row.channel },
    ...{ detail: row.detail, dueAt: row.due_at },
  };
}

async function writePlan(trx: Trx, plan: RulePlan): Promise<void> {
  if (plan.closed.length > 0) {
    await trx.deleteFrom('digests').where('key', 'in', plan.closed).execute();
  }
  for (const { key, relayId, ruleId, queue, parentKey, detail, dueAt } of plan.opened) {
    await trx
      .insertInto('digests')
      .values({ key, relay_id: relayId, rule_id: ruleId, ...queue, card_key: parentKey ?? null, detail, due_at: dueAt })
      .execute();
  }
  await enqueue(trx, plan);
}
