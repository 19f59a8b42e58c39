/**
 * The worker for one channel's queue: it records each attempt, sends the post, and records the outcome. One post is in
 * flight at a time. A post that may already have been sent is searched for first. No post blocks those behind it for
 * longer than a day, whatever happens to it.
 */
import { isStoreDown } from '../database/errors.js';
import { codeOf } from '../errors.js';
import { withTimeout } from '../timeout.js';
import type { BacklogContents } from './backlog.js';
import { longestWaitMs } from './delivery-times.js';
import { postKinds } from './kinds.js';
import type { PostMaker } from './maker.js';
import type { ChannelQueue } from './outbox/leases.js';
import type { OutboxPost } from './outbox/post.js';
import type { AnyPost, PostOutcome, Publisher } from './publisher.js';
import { type ChannelState, createFailedAttempts, type FailedAttemptsDeps } from './retry.js';
import { createUnconfirmed, duplicate } from './unconfirmed.js';

export interface ChannelWorkerDeps<Post extends AnyPost> extends FailedAttemptsDeps {
  readonly maker: PostMaker<Post>;
  readonly backlog: BacklogContents;
  readonly publisher: Publisher<Post>;
  /** The least time between two posts into one channel. */
  readonly intervalMs: number;
}

interface SendResult {
  readonly leftAt: number;
  readonly channel?: ChannelState;
}

/** The error code of a reply whose thread parent's message was deleted. */
const parentGone = 'relay.card_gone';
/** The least age of a thread parent that is posted again because Slack put a reply outside its thread. */
const repostParentMs = 10 * 60_000;

export function createChannelWorker<Post extends AnyPost>(deps: ChannelWorkerDeps<Post>) {
  const { outbox, maker, backlog, publisher, clock, log, metrics, times, intervalMs, worker } = deps;
  const failures = createFailedAttempts(deps);
  const search = createUnconfirmed({ ...deps, failures });
  const { reject, later, channelTime, count, gone, tryLater, notDrawn } = failures;

  /**
   * The message of the thread parent was deleted, so the parent is posted again. A reply that finds its parent gone a
   * second time is posted by itself; if its kind stays in the thread, it becomes a dead letter.
   */
  const underNewParent = async (post: OutboxPost, code: string): Promise<void> => {
    const hasLostParent = post.lastCode === parentGone;
    if (hasLostParent && postKinds[post.kind].staysInThread) {
      // The parent of such a reply is its incident's alert, which `dropParent` would cut off from its message.
      await reject(post, code);
      return;
    }
    await (hasLostParent ? outbox.dropParent(post) : outbox.repostParent(post, clock.now()));
    await later(post, 'fail', clock.now(), parentGone);
    count('retry');
    log.info({ source: post.source.id, post: post.key, code, again: hasLostParent }, 'a thread parent was deleted');
  };

  /** Sends a post; undefined if the lease is lost, or the post has changed since it was read. */
  const send = async (post: OutboxPost): Promise<SendResult | undefined> => {
    await maker.ready?.(post);
    const threadTs = post.parentKey === undefined ? undefined : await outbox.parentTs(post.parentKey, post.channel);
    const channelNow = await channelTime(post);
    const sending = await outbox.begin(worker, post, clock.now(), { channelNow, threadTs });
    if (!sending) {
      return undefined;
    }
    let leftAt = clock.now();
    let outcome: PostOutcome;
    try {
      // The content is read after the attempt is recorded: a later change updates the message.
      const fullPost = await maker.of(sending, threadTs);
      if (fullPost === undefined) {
        await reject(sending, 'relay.scan_unreadable');
        return { leftAt };
      }
      if (fullPost === 'over') {
        await outbox.miss(sending, leftAt);
        return { leftAt };
      }
      // The time is not when the attempt was recorded: a slow database must not bring two posts closer.
      leftAt = clock.now();
      const send = (signal: AbortSignal) => publisher.post(fullPost, signal);
      const late = { outcome: 'unconfirmed', code: 'relay.post_timeout' } as const;
      outcome = await withTimeout<PostOutcome>(clock, times.postTimeoutMs, send, late);
    } catch (error) {
      await notDrawn(sending, error, post);
      return { leftAt };
    }
    switch (outcome.outcome) {
      case 'delivered':
        await outbox.deliver(sending, outcome.ts, clock.now(), outcome.channel);
        count('delivered');
        if (outcome.outside) {
          await outbox.repostParent(sending, clock.now(), clock.now() - repostParentMs);
        }
        return { leftAt, channel: 'open' };
      case 'retry':
        await tryLater(sending, outcome.code, outcome.afterMs);
        break;
      case 'unconfirmed':
      case 'duplicate': {
        const code = outcome.outcome === 'duplicate' ? duplicate : outcome.code;
        await later(sending, 'lose', clock.now() + times.unconfirmedMs, code);
        count('doubt');
        break;
      }
      case 'gone':
        return { leftAt, ...((await gone(sending, outcome)) ? { channel: 'blocked' } : {}) };
      case 'no_thread':
        await (sending.threadTs === undefined ? reject : underNewParent)(sending, outcome.code);
        break;
      case 'refused':
        await reject(sending, outcome.code);
        break;
    }
    return { leftAt };
  };

  /** Merges a long backlog into digests: nobody reads it post by post. */
  const digestWhatIsBehind = async (queue: ChannelQueue, post: OutboxPost): Promise<boolean> => {
    if (postKinds[post.kind].inBacklog !== 'digested' || post.state !== 'pending') {
      return false;
    }
    const now = clock.now();
    const { posts, since, sources } = await outbox.behind(queue, times.digestAbove + 1, backlog);
    if (posts <= times.digestAbove && (posts <= times.digestOldAbove || now - since < times.digestAfterMs)) {
      return false;
    }
    let digested = 0;
    for (const source of sources) {
      digested += await outbox.digest(queue, source, { worker, now, contents: backlog });
    }
    if (digested > 0) {
      metrics.posts.inc({ outcome: 'folded' }, digested);
      log.info({ channel: queue.channel, posts: digested }, 'a backlog was merged into digests');
    }
    return digested > 0;
  };

  /** Posts of a backlog that cannot be merged are sent one by one. */
  const mergeBacklog = (queue: ChannelQueue, post: OutboxPost): Promise<boolean> =>
    digestWhatIsBehind(queue, post).catch((error: unknown) => {
      if (isStoreDown(error)) {
        throw error;
      }
      log.error({ err: error, code: codeOf(error), channel: queue.channel }, 'a backlog could not be merged');
      return false;
    });

  return {
    /** Posts the queue's due posts until it is empty or blocked, the wait is long, or the worker has to leave it. */
    async drain(queue: ChannelQueue, goOn: () => boolean, stopping: AbortSignal): Promise<void> {
      let lastSentAt = queue.lastSentAt ?? Number.NEGATIVE_INFINITY;
      let isBlocked = queue.blockedUntil !== undefined;
      // A new post or a receipt may wake a blocked queue before its next try is due.
      if (isBlocked && (queue.blockedUntil ?? 0) > clock.now()) {
        return;
      }
      for (;;) {
        const post = await outbox.head(queue);
        if (!post) {
          return;
        }
        const now = clock.now();
        // The interval restarts after the clock was set back: the channel must not wait for the difference.
        lastSentAt = Math.min(lastSentAt, now);
        const paced = post.state === 'pending' ? lastSentAt + intervalMs : 0;
        const waitMs = Math.max(post.nextAt > now + longestWaitMs ? now : post.nextAt, paced) - now;
        if (stopping.aborted || waitMs > times.holdMs || !goOn()) {
          return;
        }
        if (waitMs > 0) {
          await clock.sleep(waitMs, stopping).catch(() => undefined);
          continue;
        }
        if (post.state === 'sending') {
          // The outcome of the attempt was not recorded, as after a crash: nobody knows whether the post was sent.
          await later(post, 'lose', now + times.unconfirmedMs, 'relay.interrupted');
          continue;
        }
        if (post.state === 'pending' && now > (post.expiresAt ?? Number.POSITIVE_INFINITY)) {
          await outbox.miss(post, now);
          count('missed');
          log.warn({ source: post.source.id, post: post.key, code: post.lastCode }, 'a post was not sent in its time');
          continue;
        }
        let channel: ChannelState | undefined;
        if (post.state === 'unconfirmed') {
          channel = await search(post);
        } else if (isBlocked || !(await mergeBacklog(queue, post))) {
          const sent = await send(post);
          if (sent === undefined) {
            return;
          }
          ({ leftAt: lastSentAt, channel } = sent);
        }
        if (channel === 'blocked') {
          return;
        }
        if (channel === 'open' && isBlocked) {
          await outbox.unblock(queue);
          isBlocked = false;
        }
      }
    },
  };
}
