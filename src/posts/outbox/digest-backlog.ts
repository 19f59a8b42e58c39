/**
 * The backlog of a channel queue is merged into digests so that a burst becomes one message with a count. Only posts
 * that were surely never sent are merged, a slice in each transaction: each scan is in its own post or in one digest.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { BacklogContents, BacklogDetail } from '../backlog.js';
import { kindsWhere, usualLane } from '../kinds.js';
import { applyEvent } from '../post-states.js';
import { type ChannelQueueKey, lockLeased } from './channel-queues.js';
import { enqueue } from './enqueue.js';
import { isHeld } from './held-sources.js';
import { openPostsIn } from './next-post.js';
import type { PostSource } from './post.js';

/** How far a queue is behind. */
export interface Behind {
  /** How many scans' posts were never sent, counted up to a limit. */
  readonly posts: number;
  /** When the first of these posts was accepted. */
  readonly since: number;
  /** The sources that have two or more posts in the backlog. */
  readonly sources: readonly PostSource[];
}

type Db = Kysely<Schema> | Transaction<Schema>;

const digestedKinds = kindsWhere(({ inBacklog }) => inBacklog === 'digested');

/** The query for a source's posts of scans that wait and were surely never sent. */
function neverSentPosts(db: Db, { installation, team, channel }: ChannelQueueKey, source: PostSource) {
  return db
    .selectFrom('outbox')
    .where(equal({ installation, team, source: source.kind, source_id: source.id, channel, lane: usualLane }))
    .where(equal({ finished_at: null, state: 'pending', unconfirmed_at: null }))
    .where('kind', 'in', digestedKinds);
}

/** The sources of the queue's first `limit` posts of scans, without held ones. */
async function waitingSources(db: Db, queue: ChannelQueueKey, limit: number): Promise<PostSource[]> {
  const first = await openPostsIn(db, queue)
    .where('lane', '=', usualLane)
    .where('kind', 'in', digestedKinds)
    .where((eb) => eb.not(isHeld(eb)))
    .select(['source', 'source_id'])
    .orderBy('seq')
    .limit(limit)
    .execute();
  return [...new Map(first.map(({ source: kind, source_id: id }) => [`${kind}:${id}`, { kind, id }])).values()];
}

/** The most posts that one digest covers: it counts its scans each time it is sent. */
const mostInDigest = 10_000;
/** How many posts one transaction merges, which takes a few milliseconds. */
const sliceSize = 250;

export interface DigestContext {
  readonly worker: string;
  readonly now: number;
  readonly contents: BacklogContents;
}

export function createBacklogDigests(db: Kysely<Schema>) {
  return {
    /** How far the queue is behind, counted up to `limit` posts. */
    async behind(
      queue: ChannelQueueKey,
      limit: number,
      { scansOf }: Pick<BacklogContents, 'scansOf'>,
    ): Promise<Behind> {
      let posts = 0;
      let oldestAt = Number.POSITIVE_INFINITY;
      const sources: PostSource[] = [];
      for (const source of await waitingSources(db, queue, limit)) {
        const waitingPosts = await neverSentPosts(db, queue, source)
          .select('outbox.scan_id')
          .orderBy('outbox.seq')
          .limit(limit - posts)
          .execute();
        const scans = await scansOf(db, [...new Set(waitingPosts.flatMap(({ scan_id: id }) => id ?? []))]);
        const count = waitingPosts.length;
        posts += count;
        oldestAt = Math.min(oldestAt, ...[...scans.values()].map(({ receivedAt }) => receivedAt));
        if (count > 1) {
          sources.push(source);
        }
        if (posts >= limit) {
          break;
        }
      }
      return { posts, since: oldestAt, sources };
    },

    /**
     * Merges the scans' posts of a source that were never sent: one digest for each thread parent (or none) with two or
     * more of them, at the queue's end. Returns how many posts were merged. Other work gets turns between the slices.
     */
    async digest(queue: ChannelQueueKey, source: PostSource, context: DigestContext): Promise<number> {
      const { last } = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.coalesce(eb.fn.max('seq'), eb.lit(0)).as('last'))
        .executeTakeFirstOrThrow();
      const backlogs = new Map<string, OpenBacklog>();
      let merged = 0;
      for (let lastSeq = 0, readCount = 0; readCount < mostInDigest; ) {
        await new Promise((resolve) => setImmediate(resolve));
        const slice = await db.transaction().execute(async (trx) => {
          if (!(await lockLeased(trx, queue, context.worker))) {
            return undefined;
          }
          const posts = await readSlice(trx, queue, source, { after: lastSeq, upTo: last, contents: context.contents });
          for (const group of groupsOf(posts)) {
            merged += await mergeGroup(trx, queue, source, { group, open: backlogs, context });
          }
          return posts;
        });
        const end = slice?.at(-1);
        if (!slice || !end || slice.length < sliceSize) {
          break;
        }
        lastSeq = end.seq;
        readCount += slice.length;
      }
      return merged;
    },
  };
}

type SlicePost = Awaited<ReturnType<typeof readSlice>>[number];

/** A digest that is being filled. It has no key while `single`, its only post so far, may stay the only one. */
interface OpenBacklog {
  key?: string;
  single?: SlicePost;
  firstAt: number;
  ruleId: string | null;
  readonly details: Map<string, BacklogDetail>;
}

async function readSlice(
  trx: Transaction<Schema>,
  queue: ChannelQueueKey,
  source: PostSource,
  { after, upTo, contents }: { readonly after: number; readonly upTo: number; readonly contents: BacklogContents },
) {
  const posts = await neverSentPosts(trx, queue, source)
    .select(['outbox.key', 'outbox.seq', 'outbox.rule_id', 'outbox.parent_key', 'outbox.detail', 'outbox.scan_id'])
    .where('outbox.seq', '>', after)
    .where('outbox.seq', '<=', upTo)
    .orderBy('outbox.seq')
    .limit(sliceSize)
    .$if(kindOf(trx) === 'postgres', (query) => query.modifyEnd(sql`for update of outbox`))
    .execute();
  const scans = await contents.scansOf(trx, [...new Set(posts.flatMap(({ scan_id: id }) => id ?? []))]);
  return posts.map((post) => ({ ...post, scan: scans.get(post.scan_id ?? '') }));
}

function groupsOf(posts: readonly SlicePost[]): Iterable<readonly SlicePost[]> {
  const groups = new Map<string | null, SlicePost[]>();
  for (const post of posts) {
    const group = groups.get(post.parent_key);
    if (group) {
      group.push(post);
    } else {
      groups.set(post.parent_key, [post]);
    }
  }
  return groups.values();
}

async function mergeGroup(
  trx: Transaction<Schema>,
  queue: ChannelQueueKey,
  source: PostSource,
  {
    group,
    open,
    context,
  }: { readonly group: readonly SlicePost[]; readonly open: Map<string, OpenBacklog>; readonly context: DigestContext },
): Promise<number> {
  const [firstPost] = group;
  if (!firstPost) {
    return 0;
  }
  const parentKey = firstPost.parent_key ?? '';
  const newBacklog: OpenBacklog = {
    firstAt: firstPost.scan?.receivedAt ?? context.now,
    ruleId: firstPost.rule_id,
    details: new Map(),
  };
  const backlog = open.get(parentKey) ?? newBacklog;
  open.set(parentKey, backlog);
  const posts = backlog.single ? [backlog.single, ...group] : group;
  const backlogBefore = { ruleId: backlog.ruleId, details: backlog.details.size };
  for (const { detail, rule_id: ruleId, scan } of posts) {
    backlog.ruleId = ruleId === backlog.ruleId ? ruleId : null;
    if (detail !== null) {
      const by = detail.includes('"watchers"') ? scan?.userId : undefined;
      backlog.details.set(`${detail} ${by}`, { detail, by });
    }
  }
  if (backlog.key === undefined && posts.length === 1) {
    backlog.single = firstPost;
    return 0;
  }
  backlog.single = undefined;
  const detail = context.contents.detailOf({ firstAt: backlog.firstAt, details: [...backlog.details.values()] });
  if (backlog.key === undefined) {
    backlog.key = `${posts[0]?.key}.f`;
    const digest = { key: backlog.key, queue, source, at: context.now, kind: 'digest' as const };
    const place = { ruleId: backlog.ruleId ?? undefined, parentKey: firstPost.parent_key ?? undefined };
    await enqueue(trx, { posts: [{ ...digest, ...place, detail }] });
  } else if (backlog.details.size > backlogBefore.details || backlog.ruleId !== backlogBefore.ruleId) {
    await trx.updateTable('outbox').set({ detail, rule_id: backlog.ruleId }).where('key', '=', backlog.key).execute();
  }
  const seqs = posts.map(({ seq }) => seq);
  const digested = await applyEvent(trx, 'digest', context.now)
    .set({ digest_key: backlog.key })
    .where('seq', 'in', seqs)
    .executeTakeFirst();
  return Number(digested.numUpdatedRows);
}
