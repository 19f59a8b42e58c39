/**
 * Resolution of unconfirmed posts: the channel is searched before anything is sent again. A post is sent again only
 * after a search that began late enough for a lagging channel history to show it.
 */

import { codeOf } from '../errors.js';
import { withTimeout } from '../timeout.js';
import { postKinds, urgentLane } from './kinds.js';
import type { OutboxPost } from './outbox/post.js';
import type { FindOutcome } from './publisher.js';
import type { ChannelState, FailedAttempts, FailedAttemptsDeps } from './retry.js';

/** The error code of a post that Slack says it has already. */
export const duplicate = 'relay.duplicate';
const absentCode = 'relay.absent';

export function createUnconfirmed(
  deps: FailedAttemptsDeps & { readonly failures: FailedAttempts },
): (post: OutboxPost) => Promise<ChannelState | undefined> {
  const { outbox, publisher, clock, log, times, failures } = deps;

  /** Handles a post that was not found. @param beganAt when the unsuccessful search began */
  const notFound = async (post: OutboxPost, beganAt: number): Promise<void> => {
    const sinceAttempt = (at: number) => at - (post.attemptAt ?? Number.NEGATIVE_INFINITY);
    if (post.lastCode === duplicate) {
      // Slack would reject the post under its id, and under a new one the post could appear twice.
      const passed = sinceAttempt(await failures.channelTime(post));
      await (passed > times.duplicateGiveUpMs
        ? failures.reject(post, duplicate)
        : failures.later(post, 'defer', clock.now() + Math.max(times.absentAfterMs, passed), duplicate));
      return;
    }
    if (sinceAttempt(beganAt) >= times.absentAfterMs) {
      await failures.later(post, 'absent', clock.now(), absentCode);
      return;
    }
    const at = await failures.channelTime(post);
    // The full wait starts at this moment if a clock was set back meanwhile.
    const sentAt = Math.min(post.attemptAt ?? at, at);
    const still = Math.max(0, sentAt + times.absentAfterMs - at);
    // No day ends here: the search succeeded, and the next one is late enough.
    await outbox.later(post, 'defer', Math.ceil(clock.now() + still), absentCode, { attemptAt: sentAt });
  };

  return async (post) => {
    const askedAt = await failures.channelTime(post);
    const searchFrom = post.unconfirmedAt ?? post.attemptAt ?? askedAt;
    // No content is read: a post that can no longer be drawn is found by its key.
    const { key, generation, owner, channel, threadTs, afterTs } = post;
    const postToFind = {
      key,
      generation,
      owner,
      channel,
      isUrgent: postKinds[post.kind].lane === urgentLane,
      ...(threadTs === undefined ? {} : { threadTs }),
      ...(afterTs === undefined ? {} : { afterTs }),
    };
    const searchOutcome = await withTimeout<FindOutcome>(
      clock,
      times.postTimeoutMs,
      (signal) => publisher.find(postToFind, searchFrom, signal),
      { outcome: 'retry', code: 'relay.find_timeout' },
    ).catch((error: unknown): FindOutcome => {
      log.error({ err: error, code: codeOf(error) }, 'the publisher threw: every failure of a search is an outcome');
      return { outcome: 'retry', code: codeOf(error) };
    });
    switch (searchOutcome.outcome) {
      case 'found':
        await outbox.deliver(post, searchOutcome.ts, clock.now());
        failures.count('recovered');
        return 'open';
      case 'absent':
        await notFound(post, searchOutcome.beganAt ?? askedAt);
        break;
      case 'retry':
        await failures.tryLater(
          post,
          post.lastCode === duplicate ? duplicate : searchOutcome.code,
          searchOutcome.afterMs,
        );
        break;
      case 'gone':
        return (await failures.gone(post, searchOutcome)) ? 'blocked' : undefined;
      case 'refused':
        // The post's outcome will never be known: it is not sent again, and does not block the queue.
        await failures.rejectInDoubt(post, searchOutcome.code);
        break;
    }
    return undefined;
  };
}
