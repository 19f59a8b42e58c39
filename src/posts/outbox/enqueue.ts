/**
 * The one way in which posts enter the outbox. A post gets its number (`seq`) under its channel queue's lock, so that the
 * order of acceptance is the order in the channel.
 */
import type { Transaction } from 'kysely';
import { type BulkText, bulkStatement } from '../../database/bulk.js';
import type { PostKind, Schema } from '../../database/schema.js';
import { postKinds, urgentLane } from '../kinds.js';
import { type ChannelQueueKey, wakeQueues } from './channel-queues.js';
import { requestUpdatesSql } from './message-updates.js';
import type { PostSource } from './post.js';

export interface NewPost {
  /** The post's key: unique, and carried by its message at Slack. */
  readonly key: string;
  readonly queue: ChannelQueueKey;
  readonly source: PostSource;
  /** The scan that the post is about; empty if the post is not about a single one. */
  readonly scanId?: string;
  readonly at: number;
  readonly kind: PostKind;
  readonly ruleId?: string | undefined;
  /** The post's content besides the scan: JSON of its source. */
  readonly detail?: string | undefined;
  /** The key of the post's thread parent. */
  readonly parentKey?: string | undefined;
  /** The key of the digest that covers the post; the post is then not posted by itself. */
  readonly digestKey?: string | undefined;
}

export interface NewPosts {
  /** Thread parents: created if missing; the counts of existing ones are updated. */
  readonly parents?: readonly NewPost[];
  /** The posts, in order of acceptance. */
  readonly posts: readonly NewPost[];
}

/** Enqueues the posts. Locks on relays and incidents come before. New thread parents get lower numbers than posts. */
export async function enqueue(trx: Transaction<Schema>, { parents = [], posts }: NewPosts): Promise<void> {
  const pending = [...parents, ...posts].filter(({ digestKey }) => digestKey === undefined);
  const queues = pending.map(({ queue }) => queue);
  // An urgent post does not wait for the time at which a failed post of its channel is tried again.
  const wake = pending.some(({ kind }) => postKinds[kind].lane === urgentLane) ? 'all' : 'asleep';
  await wakeQueues(trx, queues, pending[0]?.at ?? 0, wake);
  await insertParents(trx, parents.map(toRow));
  await countParents(
    trx,
    parents.map(({ key, at }) => ({ key, at })),
  );
  await insertPosts(trx, posts.map(toRow));
}

/** Enqueues the post, unless there is a post with its key. */
export async function enqueueOnce(trx: Transaction<Schema>, post: NewPost): Promise<void> {
  // The queue's lock keeps others from adding the same post.
  await wakeQueues(trx, [post.queue], post.at, 'asleep');
  const existingPost = await trx.selectFrom('outbox').select('seq').where('key', '=', post.key).executeTakeFirst();
  if (!existingPost) {
    await enqueue(trx, { posts: [post] });
  }
}

const columns = {
  key: 'text',
  installation: 'text',
  team: 'text',
  channel: 'text',
  source: 'text',
  source_id: 'text',
  scan_id: 'text',
  at: 'bigint',
  expires_at: 'bigint',
  kind: 'text',
  lane: 'bigint',
  rule_id: 'text',
  detail: 'text',
  parent_key: 'text',
  digest_key: 'text',
} as const;

function toRow(post: NewPost) {
  const { lane, expiresAfterMs } = postKinds[post.kind];
  return {
    key: post.key,
    ...post.queue,
    source: post.source.kind,
    source_id: post.source.id,
    scan_id: post.scanId || null,
    at: post.at,
    kind: post.kind,
    lane,
    expires_at: expiresAfterMs === undefined ? null : post.at + expiresAfterMs,
    rule_id: post.ruleId,
    detail: post.detail,
    parent_key: post.parentKey,
    digest_key: post.digestKey,
  };
}

const insertRows = ({ input, inOrder }: BulkText) => `
  insert into outbox (key, installation, team, channel, source, source_id, scan_id, state, attempts, next_at, expires_at, kind, lane,
    rule_id, detail, parent_key, digest_key, finished_at)
  select key, installation, team, channel, source, source_id, scan_id,
    case when digest_key is null then 'pending' else 'digested' end, 0, at, expires_at, kind, lane, rule_id, detail, parent_key, digest_key,
    case when digest_key is null then null else at end
  from ${input} where true ${inOrder}`;

const insertPosts = bulkStatement(columns, insertRows);
const insertParents = bulkStatement(columns, (text) => `${insertRows(text)} on conflict (key) do nothing`);

const countParents = bulkStatement({ key: 'text', at: 'bigint' }, ({ input }) =>
  requestUpdatesSql(`
    select outbox.seq, 1, input.at from ${input} cross join outbox where outbox.key = input.key
    order by outbox.seq`),
);
