/**
 * The handling of a post that was not delivered: it is retried later, rejected (a dead letter), or left while its
 * channel is blocked. Each outcome is recorded and counted here; dead letters and blocks are logged.
 */
import { createSettledClock } from '../clock.js';
import { backoff } from '../database/backoff.js';
import { isStoreDown } from '../database/errors.js';
import { codeOf } from '../errors.js';
import type { ProcessDeps } from '../process.js';
import { withTimeout } from '../timeout.js';
import { type DeliveryTimes, longestWaitMs } from './delivery-times.js';
import type { PostMaker } from './maker.js';
import type { ChannelQueueKey } from './outbox/channel-queues.js';
import type { LaterEvent, OutboxStore } from './outbox/outbox.js';
import type { OutboxPost } from './outbox/post.js';
import type { PostOutcome, Publisher } from './publisher.js';

export interface FailedAttemptsDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'log' | 'metrics'> {
  readonly outbox: OutboxStore;
  readonly maker: Pick<PostMaker, 'gone'>;
  readonly publisher: Pick<Publisher, 'time' | 'find'>;
  readonly times: DeliveryTimes;
  /** The id under which this process holds leases. */
  readonly worker: string;
  /** Called when a channel takes no posts any more. */
  readonly onBlocked: (queue: ChannelQueueKey) => void;
}

/** The channel's state as an attempt shows it. */
export type ChannelState = 'open' | 'blocked';

type Gone = Extract<PostOutcome, { outcome: 'gone' }>;

/** How often a post is sent at least, however long ago its first attempt was. */
const leastAttempts = 5;

/** The error code of a post whose content could be read, but not drawn. */
export const undrawn = 'relay.undrawn';

export function createFailedAttempts(deps: FailedAttemptsDeps) {
  const { outbox, maker, publisher, clock, random, log, metrics, times, worker, onBlocked } = deps;

  const settledClock = createSettledClock(clock, { ofPosts: true });

  const count = (outcome: string): void => metrics.posts.inc({ outcome });

  /** The time by the channel's clock, from which an unconfirmed post is searched for. */
  const channelTime = async ({ owner }: OutboxPost): Promise<number> =>
    publisher.time
      ? await withTimeout(clock, times.postTimeoutMs, () => publisher.time!(owner), clock.now())
      : clock.now();

  /** Makes the post a dead letter. */
  const reject = async (post: OutboxPost, code: string): Promise<void> => {
    await outbox.reject(post, code, clock.now());
    count('aside');
    log.warn({ source: post.source.id, post: post.key, code, attempts: post.attempts }, 'a post became a dead letter');
  };

  /** Makes a post a dead letter whose attempt was never confirmed. It says so: the post may be in its channel. */
  const rejectInDoubt = (post: OutboxPost, code: string) => reject(post, `doubt.${code}`);

  const block = async (queue: ChannelQueueKey, code: string, now: number): Promise<void> => {
    const refusal = { code, now, giveUpBefore: settledClock.now() - times.giveUpMs };
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

  /**
   * Handles the post again at `at`, unless its day is over. A doubtful attempt is searched for before that, and a post is
   * sent at least `leastAttempts` times: a clock that is set ahead again and again ends no post that Slack would take.
   */
  const later = async (post: OutboxPost, event: LaterEvent, at: number, code: string): Promise<void> => {
    const { attempts, firstAttemptAt = Number.POSITIVE_INFINITY } = post;
    const mayEnd = event === 'defer' || (event !== 'lose' && attempts >= leastAttempts);
    // The time is asked for at each attempt: a time that nobody saw before would count as one that lasts.
    const isOver = settledClock.now() - firstAttemptAt > times.giveUpMs;
    await (mayEnd && isOver
      ? (post.state === 'unconfirmed' ? rejectInDoubt : reject)(post, code)
      : outbox.later(post, event, Math.ceil(at), code));
  };

  const tryLater = async (post: OutboxPost, code: string, afterMs?: number): Promise<void> => {
    const backoffMs = backoff(Math.max(1, post.attempts), times, random);
    // A search counts as no attempt, so its backoff grows with the time passed.
    const searched = post.state === 'unconfirmed';
    const passed = searched ? (await channelTime(post)) - (post.unconfirmedAt ?? Number.POSITIVE_INFINITY) : 0;
    const searchBackoffMs = Math.min(times.longestBackoffMs, Math.max(backoffMs, passed));
    const askedMs = afterMs === undefined ? undefined : Math.min(afterMs + random.fraction() * 200, longestWaitMs);
    const wait = askedMs ?? (searched ? searchBackoffMs : backoffMs);
    await later(post, searched ? 'defer' : 'fail', clock.now() + wait, code);
    count('retry');
  };

  return {
    count,
    channelTime,
    reject,
    rejectInDoubt,
    later,

    /** Schedules the next attempt, after `afterMs` at least. */
    tryLater,

    /**
     * Handles a post whose content could not be drawn: it becomes a dead letter if drawing fails once more. The failure
     * of a store is none of the content, and no attempt. @param before the post as it was before this attempt
     */
    async notDrawn(post: OutboxPost, error: unknown, before: OutboxPost): Promise<void> {
      log.error({ err: error, code: codeOf(error), post: post.key }, 'a post could not be drawn');
      if (isStoreDown(error)) {
        const { firstAttemptAt = null } = before;
        const at = clock.now() + backoff(1, times, random);
        await outbox.later(post, 'fail', at, codeOf(error), { firstAttemptAt });
      } else {
        await (post.lastCode === undrawn ? reject : tryLater)(post, undrawn);
      }
    },

    /** Handles a post whose channel or access is gone. Returns whether the channel's queue is blocked. */
    async gone(post: OutboxPost, { why, code }: Pick<Gone, 'why' | 'code'>): Promise<boolean> {
      const nextStep = await maker.gone(post, { why, code }).catch((error: unknown) => {
        log.error(
          { err: error, code: codeOf(error), post: post.key },
          'a post’s lost channel could not be handled yet',
        );
        return 'retry' as const;
      });
      if (nextStep === 'reject' || nextStep === 'retry') {
        await (nextStep === 'reject' ? reject : tryLater)(post, code);
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
