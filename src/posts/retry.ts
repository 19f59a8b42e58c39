/**
 * The handling of a post that was not delivered: it is retried later, rejected (a dead letter), or left while its
 * channel is blocked. Each outcome is recorded and counted here; dead letters and blocks are logged.
 */
import type { ProcessDeps } from '../process.js';
import type { BoundedCall } from './bounded-call.js';
import { backoff, type DeliveryTimes } from './delivery-times.js';
import type { PostMaker } from './maker.js';
import type { ChannelQueueKey } from './outbox/channel-queues.js';
import type { OutboxStore } from './outbox/outbox.js';
import type { OutboxPost } from './outbox/post.js';
import type { PostOutcome, Publisher } from './publisher.js';

export interface FailedAttemptsDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'log' | 'metrics'> {
  readonly outbox: OutboxStore;
  readonly maker: Pick<PostMaker, 'gone'>;
  readonly publisher: Pick<Publisher, 'time' | 'find'>;
  readonly times: DeliveryTimes;
  readonly boundedCall: BoundedCall;
  /** The id under which this process holds leases. */
  readonly worker: string;
  /** Called when a channel takes no posts any more. */
  readonly onBlocked: (queue: ChannelQueueKey) => void;
}

/** The channel's state as an attempt shows it. */
export type ChannelState = 'open' | 'blocked';

type Gone = Extract<PostOutcome, { outcome: 'gone' }>;

export function createFailedAttempts(deps: FailedAttemptsDeps) {
  const { outbox, maker, publisher, clock, random, log, metrics, times, boundedCall, worker, onBlocked } = deps;

  const count = (outcome: string): void => metrics.posts.inc({ outcome });

  /** The time by the channel's clock, from which an unconfirmed post is searched for. */
  const channelTime = async ({ owner }: OutboxPost): Promise<number> =>
    publisher.time ? await boundedCall(() => publisher.time!(owner), clock.now()) : clock.now();

  /** Makes the post a dead letter. */
  const reject = async (post: OutboxPost, code: string): Promise<void> => {
    await outbox.reject(post, code, clock.now());
    count('aside');
    log.warn({ source: post.source.id, post: post.key, code, attempts: post.attempts }, 'a post became a dead letter');
  };

  const block = async (queue: ChannelQueueKey, code: string, now: number): Promise<void> => {
    const refusal = { code, now, giveUpBefore: now - times.giveUpMs };
    const { isNew, dead } = await outbox.block(worker, queue, refusal, times.blockedMs);
    if (dead > 0) {
      metrics.posts.inc({ outcome: 'aside' }, dead);
    }
    if (isNew || dead > 0) {
      log.warn({ channel: queue.channel, code, dead }, 'a channel takes no posts: its queue is blocked');
    }
    if (isNew) {
      onBlocked(queue);
    }
  };

  return {
    count,
    channelTime,
    reject,

    /** Schedules the next attempt, after `afterMs` at least; rejects the post a day after its first attempt. */
    async tryLater(post: OutboxPost, code: string, afterMs?: number): Promise<void> {
      const now = clock.now();
      if (now - (post.firstAttemptAt ?? now) > times.giveUpMs) {
        await reject(post, code);
        return;
      }
      const backoffMs = backoff(Math.max(1, post.attempts), times, random);
      // A search counts as no attempt, so its backoff grows with the time passed.
      const searched = post.state === 'unconfirmed';
      const passed = searched ? (await channelTime(post)) - (post.unconfirmedAt ?? Number.POSITIVE_INFINITY) : 0;
      const searchBackoffMs = Math.min(times.longestBackoffMs, Math.max(backoffMs, passed));
      const wait = afterMs === undefined ? (searched ? searchBackoffMs : backoffMs) : afterMs + random.fraction() * 200;
      await outbox.later(post, searched ? 'defer' : 'fail', Math.ceil(now + wait), code);
      count('retry');
    },

    /** Handles a post whose channel or access is gone. Returns whether the channel's queue is blocked. */
    async gone(post: OutboxPost, { why, code }: Pick<Gone, 'why' | 'code'>): Promise<boolean> {
      const nextStep = await maker.gone(post, { why, code });
      if (nextStep === 'reject') {
        await reject(post, code);
        return false;
      }
      const now = clock.now();
      await outbox.later(post, post.state === 'unconfirmed' ? 'defer' : 'fail', now, code);
      count('gone');
      if (nextStep === 'block') {
        await block({ ...post.owner, channel: post.channel }, code, now);
      }
      return nextStep === 'block';
    },
  };
}

export type FailedAttempts = ReturnType<typeof createFailedAttempts>;
