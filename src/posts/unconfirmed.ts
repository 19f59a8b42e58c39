/**
 * Resolution of unconfirmed posts: the channel is searched before anything is sent again. A post is sent again only
 * after a search that began late enough for a lagging channel history to show it.
 */
import { postKinds, urgentLane } from './kinds.js';
import type { OutboxPost } from './outbox/post.js';
import type { AnyPost, FindOutcome } from './publisher.js';
import type { ChannelState, FailedAttempts, FailedAttemptsDeps } from './retry.js';

/** The error code of a post that Slack says it has already. */
export const duplicate = 'relay.duplicate';
const absentCode = 'relay.absent';

export function createUnconfirmed(
  deps: FailedAttemptsDeps & { readonly failures: FailedAttempts },
): (post: OutboxPost, whole: AnyPost) => Promise<ChannelState | undefined> {
  const { outbox, publisher, clock, times, boundedCall, failures } = deps;

  /** Handles a post that was not found. @param beganAt when the unsuccessful search began */
  const notFound = async (post: OutboxPost, beganAt: number): Promise<void> => {
    const sinceAttempt = (at: number) => at - (post.attemptAt ?? Number.NEGATIVE_INFINITY);
    if (post.lastCode === duplicate) {
      // Slack would reject the post under its id, and under a new one the post could appear twice.
      const passed = sinceAttempt(await failures.channelTime(post));
      await (passed > times.duplicateGiveUpMs
        ? failures.reject(post, duplicate)
        : outbox.later(post, 'defer', Math.ceil(clock.now() + Math.max(times.absentAfterMs, passed)), duplicate));
      return;
    }
    if (sinceAttempt(beganAt) >= times.absentAfterMs) {
      await outbox.later(post, 'absent', clock.now(), absentCode);
      return;
    }
    const at = await failures.channelTime(post);
    // The full wait starts at this moment if a clock was set back meanwhile.
    const sentAt = Math.min(post.attemptAt ?? at, at);
    const still = Math.max(0, sentAt + times.absentAfterMs - at);
    await outbox.later(post, 'defer', Math.ceil(clock.now() + still), absentCode, sentAt);
  };

  return async (post, fullPost) => {
    const askedAt = await failures.channelTime(post);
    const searchFrom = post.unconfirmedAt ?? post.attemptAt ?? askedAt;
    const postToFind = {
      ...{ ...fullPost, isUrgent: postKinds[post.kind].lane === urgentLane },
      ...(post.afterTs === undefined ? {} : { afterTs: post.afterTs }),
    };
    const searchOutcome = await boundedCall<FindOutcome>((signal) => publisher.find(postToFind, searchFrom, signal), {
      outcome: 'retry',
      code: 'relay.find_timeout',
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
        await failures.reject(post, searchOutcome.code);
        break;
    }
    return undefined;
  };
}
