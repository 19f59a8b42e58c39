/**
 * Changes to a source's posts when a person changes the source: move, restart, withdraw, replay. Queues are locked
 * before posts, as everywhere, so that transactions cannot deadlock.
 */
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { type KindOfPost, kindsWhere } from '../kinds.js';
import { applyEvent } from '../post-states.js';
import { type ChannelQueueKey, queuesOf, wakeQueues, wakeQueuesOf } from './channel-queues.js';
import type { PostsOf } from './post.js';

type Trx = Transaction<Schema>;
type Posts = ExpressionBuilder<Schema, 'outbox'>;

const replies = kindsWhere(({ staysInThread }) => staysInThread);

/** The channel in which a rule posts, or the trigger of the workflow that it starts. */
export interface RuleChannel {
  readonly ruleId: string;
  readonly channel: string;
  /** The delivery of the posts to move: the rule may have had another action before. */
  readonly delivery: KindOfPost['delivery'];
}

const kindsOf = (wanted: KindOfPost['delivery']) => kindsWhere(({ delivery }) => delivery === wanted);

/** New channels of a relay and its rules; a channel that is left out stays. */
export interface Moves {
  readonly channel?: { readonly from: string; readonly to: string };
  readonly ruleChannels?: readonly RuleChannel[];
}

/** Moves waiting posts to the current channels of the relay and its rules. */
export async function movePosts(trx: Trx, posts: PostsOf, { channel, ruleChannels = [] }: Moves, now: number) {
  const to = [...(channel ? [channel.to] : []), ...ruleChannels.map((rule) => rule.channel)];
  await wakeQueuesOf(trx, posts, now, { channels: to, which: 'blocked' });
  if (channel) {
    await movePlainPosts(trx, posts, channel);
  }
  await moveRulePosts(trx, posts, ruleChannels);
}

/**
 * Moves waiting posts without a rule to the relay's new channel. An unconfirmed post may be in the old channel, and is
 * searched for there; the post of a watch stays in the channel where the watch was made.
 */
async function movePlainPosts(
  trx: Trx,
  posts: PostsOf,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ channel: to, last_code: codeUnlessMoved(to) })
    .where(openPosts(posts))
    .where('state', '=', 'pending')
    .where((eb) =>
      eb.or([plainPosts(eb), eb.and([eb('kind', '=', 'digest'), eb('rule_id', 'is', null), eb('channel', '=', from)])]),
    )
    .execute();
}

/** Moves a rule's waiting posts and open digests to the rule's channel. */
async function moveRulePosts(trx: Trx, posts: PostsOf, ruleChannels: readonly RuleChannel[]): Promise<void> {
  const moving = await trx
    .selectFrom('outbox')
    .select(['rule_id', 'channel'])
    .distinct()
    .where(openPosts(posts))
    .where('state', '=', 'pending')
    .where('rule_id', 'is not', null)
    .execute();
  const movedRules = ruleChannels.filter(({ ruleId, channel }) =>
    moving.some((row) => row.rule_id === ruleId && row.channel !== channel),
  );
  for (const { ruleId, channel, delivery } of movedRules) {
    await trx
      .updateTable('outbox')
      .set({ channel, last_code: codeUnlessMoved(channel) })
      .where(openPosts(posts))
      .where(equal({ state: 'pending', rule_id: ruleId }))
      .where('kind', 'in', kindsOf(delivery))
      .where((eb) => eb.or([eb('kind', 'not in', replies), eb('parent_key', 'is', null), hasUnsentParent(eb)]))
      .execute();
  }
  for (const { ruleId, channel } of ruleChannels.filter(({ delivery }) => delivery === 'message')) {
    await trx
      .updateTable('digests')
      .set({ channel })
      .where(equal({ relay_id: posts.source.id, rule_id: ruleId }))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('digests as there')
              .select('there.key')
              .where('there.relay_id', '=', posts.source.id)
              .where('there.rule_id', '=', ruleId)
              .where('there.channel', '=', channel),
          ),
        ),
      )
      .execute();
  }
}

/**
 * Makes tried posts due again, with attempts counted from here on. Posts that were never tried are due anyway: there
 * may be very many.
 */
export async function restartPosts(trx: Trx, posts: PostsOf, now: number): Promise<void> {
  await wakeQueuesOf(trx, posts, now, { which: 'blocked' });
  await trx
    .updateTable('outbox')
    .set({ next_at: now, attempts: 0, first_attempt_at: firstAttemptFrom(now) })
    .where(openPosts(posts))
    .where('first_attempt_at', 'is not', null)
    .where('state', 'in', ['pending', 'unconfirmed'])
    .execute();
}

/** Makes the source's open posts dead letters. */
export async function withdrawPosts(trx: Trx, posts: PostsOf, code: string, now: number): Promise<void> {
  await wakeQueuesOf(trx, posts, now);
  await applyEvent(trx, 'withdraw', now).set(withdrawnColumns(code)).where(openPosts(posts)).execute();
}

/** Withdraws the posts of an installation, or of one of its teams. */
export async function withdrawAllPosts(
  trx: Trx,
  owner: { readonly installation: string; readonly team?: string },
  code: string,
  now: number,
): Promise<void> {
  await wakeQueues(trx, await queuesOf(trx, owner), now);
  await applyEvent(trx, 'withdraw', now)
    .set(withdrawnColumns(code))
    .where(equal(owner))
    .where('finished_at', 'is', null)
    .execute();
}

/** Replays dead letters in the current channels of the relay and its rules; returns how many. */
export async function replayPosts(
  trx: Trx,
  posts: PostsOf,
  { channel, ruleChannels }: { readonly channel: string; readonly ruleChannels: readonly RuleChannel[] },
  now: number,
): Promise<number> {
  const queues: ChannelQueueKey[] = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel'])
    .distinct()
    .where(deadLetters(posts))
    .execute();
  const channels = [channel, ...ruleChannels.map((rule) => rule.channel)];
  await wakeQueues(trx, [...queues, ...channels.map((one) => ({ ...posts.owner, channel: one }))], now, 'blocked');
  const retryColumns = {
    next_at: now,
    attempts: 0,
    first_attempt_at: null,
    last_code: null,
    generation: sql<number>`generation + 1`,
  };
  const unsent = () =>
    applyEvent(trx, 'replay', now).set(retryColumns).where(deadLetters(posts)).where('unconfirmed_at', 'is', null);
  const replayed = [];
  for (const rule of ruleChannels) {
    const ofRule = unsent().where('rule_id', '=', rule.ruleId).where('kind', 'in', kindsOf(rule.delivery));
    replayed.push(await ofRule.set({ channel: rule.channel }).executeTakeFirst());
  }
  replayed.push(await unsent().where(plainPosts).set({ channel }).executeTakeFirst());
  replayed.push(await unsent().executeTakeFirst());
  // A post that may have been sent is searched for in its old channel before it is sent again.
  replayed.push(
    await applyEvent(trx, 'replayUnconfirmed', now)
      .set({ ...retryColumns, first_attempt_at: now })
      .where(deadLetters(posts))
      .executeTakeFirst(),
  );
  return replayed.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0);
}

/** How many open posts and dead letters the owner's relays have, by relay. */
export async function countPosts(
  db: Kysely<Schema>,
  { installation, team }: Owner,
): Promise<ReadonlyMap<string, { pending: number; dead: number }>> {
  const byRelay = db
    .selectFrom('outbox')
    .select((eb) => ['source_id', eb.fn.countAll().as('posts')])
    .where(equal({ installation, team, source: 'relay' }))
    .groupBy('source_id');
  const open = await byRelay.where('finished_at', 'is', null).execute();
  const deadRows = await byRelay.where('state', '=', sql.lit('dead' as const)).execute();
  const counts = new Map<string, { pending: number; dead: number }>();
  for (const row of open) {
    counts.set(row.source_id, { pending: Number(row.posts), dead: 0 });
  }
  for (const row of deadRows) {
    counts.set(row.source_id, { pending: counts.get(row.source_id)?.pending ?? 0, dead: Number(row.posts) });
  }
  return counts;
}

/** The condition that a reply's thread was not begun yet. Any other reply stays in the channel of its thread. */
function hasUnsentParent(eb: Posts) {
  return eb.exists(
    eb
      .selectFrom('outbox as parent')
      .select('parent.seq')
      .whereRef('parent.key', '=', 'outbox.parent_key')
      .where('parent.state', '=', 'pending'),
  );
}

/** The condition on a source's open posts. The owner comes first, since the index of open posts begins with it. */
function openPosts(posts: PostsOf) {
  return equal<'outbox'>({ ...columnsOf(posts), finished_at: null });
}

/** The condition on posts without a rule or a watch. */
const plainPosts = equal<'outbox'>({ rule_id: null, detail: null });

/** The condition on dead letters. The state is a literal: SQLite uses a partial index only if it sees the condition. */
function deadLetters(posts: PostsOf) {
  return equal<'outbox'>({ ...columnsOf(posts), state: sql.lit('dead' as const) });
}

function columnsOf({ owner: { installation, team }, source }: PostsOf) {
  return { installation, team, source: source.kind, source_id: source.id };
}

/** Keeps the error code, unless the post moves: a failure in another channel says nothing about this one. */
function codeUnlessMoved(to: string) {
  return sql<string | null>`case when channel = ${to} then last_code else null end`;
}

/** Starts the day-long time limit of a post that is searched for: the search is no attempt. */
function firstAttemptFrom(now: number) {
  return sql<number | null>`case when state = 'unconfirmed' then ${sql.lit(now)} else null end`;
}

/** The columns of a withdrawn post. One whose sending had begun may have arrived: a replay searches for it first. */
function withdrawnColumns(code: string) {
  return {
    last_code: code,
    unconfirmed_at: sql<
      number | null
    >`case when state = 'sending' then coalesce(unconfirmed_at, attempt_at) else unconfirmed_at end`,
  };
}
