/**
 * Backlog of a channel queue, merged into digests so that a burst becomes one message with a count. Only posts that
 * were surely never sent are merged: each scan is in its own post or in one digest.
 */
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.js';
import type { Store } from '../../../workspaces/types.js';
import type { ChannelQueueKey } from './channel-queues.js';
import { enqueue, type NewPost } from './enqueue.js';
import { type Head, headsOf } from './next-post.js';

/** Posts of one relay (and one thread parent) that wait in a queue and were never sent. */
export interface Backlog {
  readonly relayId: string;
  readonly cardKey?: string;
  readonly count: number;
  /** Of the first post. */
  readonly firstKey: string;
  readonly firstAt: number;
  /** Distinct ones. */
  readonly details: readonly string[];
}

/** Scans' posts that were never sent, at most `limit`, and when the first of them was accepted. */
export async function behindIn(
  db: Kysely<Schema>,
  lane: ChannelQueueKey,
  limit: number,
): Promise<{ readonly posts: number; readonly since: number }> {
  const heads = await headsOf(db, lane);
  if (heads.length === 0) {
    return { posts: 0, since: 0 };
  }
  const waiting = db
    .selectFrom('outbox')
    .innerJoin('scans', 'scans.id', 'outbox.scan_id')
    .select('scans.received_at')
    .where((eb) => neverLeft(eb, lane, heads))
    .orderBy('outbox.seq')
    .limit(limit);
  const row = await db
    .selectFrom(waiting.as('waiting'))
    .select((eb) => [eb.fn.countAll().as('posts'), eb.fn.min('waiting.received_at').as('since')])
    .executeTakeFirst();
  return { posts: Number(row?.posts ?? 0), since: Number(row?.since ?? 0) };
}

type OutboxExpression = ExpressionBuilder<Schema, 'outbox'>;

/** Scans' posts that wait and were surely never sent, from the next posts on. */
function neverLeft(eb: OutboxExpression, lane: ChannelQueueKey, heads: readonly Head[]) {
  return eb.and([
    eb(
      'outbox.relay_id',
      'in',
      heads.map(({ relayId }) => relayId),
    ),
    eb('outbox.seq', '>=', Math.min(...heads.map(({ seq }) => seq))),
    eb('outbox.installation', '=', lane.installation),
    eb('outbox.team', '=', lane.team),
    eb('outbox.channel', '=', lane.channel),
    eb('outbox.finished_at', 'is', null),
    eb('outbox.state', '=', 'waiting'),
    eb('outbox.kind', '=', 'scan'),
    eb('outbox.doubt_at', 'is', null),
  ]);
}

/** At most this many at once; the rest is merged the next time. */
const foldedAtOnce = 10_000;
/** Parameters of one statement. */
const seqsAtOnce = 500;

/** The queue's row is locked, so that nothing is inserted meanwhile. */
export async function foldAll(
  trx: Transaction<Schema>,
  kind: Store['kind'],
  lane: ChannelQueueKey,
  now: number,
  detailOf: (backlog: Backlog) => string,
): Promise<number> {
  const heads = await headsOf(trx, lane);
  if (heads.length === 0) {
    return 0;
  }
  const waiting = await trx
    .selectFrom('outbox')
    .innerJoin('scans', 'scans.id', 'outbox.scan_id')
    .select(['outbox.key', 'outbox.seq', 'outbox.relay_id', 'outbox.rule_id', 'outbox.card_key', 'outbox.detail'])
    .select('scans.received_at')
    .where((eb) => neverLeft(eb, lane, heads))
    .orderBy('outbox.seq')
    .limit(foldedAtOnce)
    .$if(kind === 'postgres', (query) => query.modifyEnd(sql`for update of outbox`))
    .execute();
  const groups = new Map<string, typeof waiting>();
  for (const post of waiting) {
    const name = JSON.stringify([post.relay_id, post.card_key]);
    const group = groups.get(name);
    if (group) {
      group.push(post);
    } else {
      groups.set(name, [post]);
    }
  }
  let folded = 0;
  for (const posts of groups.values()) {
    const [first, second] = posts;
    if (!first || !second) {
      continue;
    }
    const digest = `${first.key}.f`;
    const details = new Set(posts.flatMap(({ detail }) => (detail === null ? [] : [detail])));
    const detail = detailOf({
      ...{ relayId: first.relay_id, count: posts.length, firstKey: first.key, firstAt: first.received_at },
      ...(first.card_key === null ? {} : { cardKey: first.card_key }),
      details: [...details],
    });
    const post: NewPost = {
      ...{ key: digest, queue: lane, relayId: first.relay_id, scanId: '', at: now, kind: 'digest', detail },
      ruleId: posts.every((one) => one.rule_id === first.rule_id) ? (first.rule_id ?? undefined) : undefined,
      ...{ parentKey: first.card_key ?? undefined, digestKey: undefined },
    };
    await enqueue(trx, { parents: [], posts: [post] });
    for (let at = 0; at < posts.length; at += seqsAtOnce) {
      const seqs = posts.slice(at, at + seqsAtOnce).map(({ seq }) => seq);
      await trx
        .updateTable('outbox')
        .set({ state: 'folded', folded_into: digest, finished_at: now })
        .where('seq', 'in', seqs)
        .execute();
    }
    folded += posts.length;
  }
  return folded;
}
