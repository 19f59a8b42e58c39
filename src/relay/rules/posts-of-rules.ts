/** Outbox inserts for posts without a scan, under the relay's lock: at once, under a thread parent, or in a digest. */
import type { Kysely, Transaction } from 'kysely';
import type { DigestsTable, Schema } from '../../database/schema.js';
import { wakeLanes } from '../delivery/outbox/channel-queues.js';
import {
  createPostPlanner,
  type DecidedPost,
  type OpenDigest,
  type PlannedPost,
  type RulePlan,
} from '../intake/commit/rules.js';
import type { RelayRecord } from '../relays/records.js';

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
  await writePlan(trx, posting.plan, now);
}

export async function readDigest(db: Kysely<Schema>, key: string): Promise<OpenDigest | undefined> {
  const row = await db.selectFrom('digests').selectAll().where('key', '=', key).executeTakeFirst();
  return row && toDigest(row);
}

function toDigest(row: DigestsTable): OpenDigest {
  return {
    ...{ key: row.key, relayId: row.relay_id, ruleId: row.rule_id, cardKey: row.card_key ?? undefined },
    lane: { installation: row.installation, team: row.team, channel: row.channel },
    ...{ detail: row.detail, dueAt: row.due_at },
  };
}

async function writePlan(trx: Trx, plan: RulePlan, now: number): Promise<void> {
  if (plan.closed.length > 0) {
    await trx.deleteFrom('digests').where('key', 'in', plan.closed).execute();
  }
  for (const { key, relayId, ruleId, lane, cardKey, detail, dueAt } of plan.opened) {
    await trx
      .insertInto('digests')
      .values({ key, relay_id: relayId, rule_id: ruleId, ...lane, card_key: cardKey ?? null, detail, due_at: dueAt })
      .execute();
  }
  await addPosts(trx, plan.cards, plan.posts, now);
}

/** Thread parents are made if missing; their counts go up in any case. */
export async function addPosts(
  trx: Trx,
  cards: readonly PlannedPost[],
  posts: readonly PlannedPost[],
  now: number,
): Promise<void> {
  const lanes = [...cards, ...posts].filter(({ foldedInto }) => foldedInto === undefined).map(({ lane }) => lane);
  await wakeLanes(trx, lanes, now);
  for (const card of cards) {
    await trx
      .insertInto('outbox')
      .values(toRow(card))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    await trx
      .updateTable('outbox')
      .set((eb) => ({ revision: eb('revision', '+', 1), edit_at: eb.fn.coalesce('edit_at', eb.val(now)) }))
      .where('key', '=', card.key)
      .execute();
  }
  for (const post of posts) {
    await trx.insertInto('outbox').values(toRow(post)).execute();
  }
}

function toRow(post: PlannedPost) {
  const folded = post.foldedInto !== undefined;
  return {
    ...{ key: post.key, ...post.lane, relay_id: post.relayId, scan_id: post.scanId, kind: post.kind },
    ...{ state: folded ? ('folded' as const) : ('waiting' as const), attempts: 0, next_at: post.at },
    ...{ rule_id: post.ruleId ?? null, detail: post.detail ?? null, card_key: post.cardKey ?? null },
    ...{ folded_into: post.foldedInto ?? null, finished_at: folded ? post.at : null },
  };
}
