/**
 * State changes of a post that was not delivered: retry later, set aside (dead letter), wait while its relay is paused.
 * Each change is recorded, counted and logged here.
 */
import type { Clock, Random } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { RelaysById } from '../relays/by-id.js';
import type { Relay } from '../relays/relay.js';
import type { PostOutcome, Publisher } from '../relays/types.js';
import type { OutboxPost, OutboxStore } from './outbox/outbox.js';
import type { InTime } from './publisher-timeout.js';
import { backoff, type DeliveryTimes } from './retry-times.js';

export interface PostStatesDeps {
  readonly outbox: OutboxStore;
  readonly relays: RelaysById;
  readonly poster: Publisher;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly times: DeliveryTimes;
  readonly inTime: InTime;
  /** Called when a relay was paused because nothing of it can be posted. */
  readonly onPaused: (relay: Relay) => void;
}

type Gone = Extract<PostOutcome, { outcome: 'gone' }>;

export interface PostStates {
  count(outcome: string): void;
  /** The time by the channel's clock, by which an unconfirmed post is searched for. */
  channelTime(post: OutboxPost): Promise<number>;
  aside(post: OutboxPost, code: string): Promise<void>;
  /** Backs off, at least `afterMs`; the post is set aside a day after the first attempt. */
  tryLater(post: OutboxPost, state: 'waiting' | 'doubt', code: string, afterMs?: number): Promise<void>;
  gone(post: OutboxPost, relay: Relay, why: Pick<Gone, 'why' | 'code'>): Promise<void>;
}

export function createPostStates(deps: PostStatesDeps): PostStates {
  const { outbox, relays, poster, clock, random, log, metrics, times, inTime, onPaused } = deps;

  const count = (outcome: string): void => metrics.posts.inc({ outcome });

  const channelTime = async ({ owner }: OutboxPost): Promise<number> =>
    poster.time ? await inTime(() => poster.time!(owner), clock.now()) : clock.now();

  const aside = async (post: OutboxPost, code: string): Promise<void> => {
    await outbox.aside(post, code, clock.now());
    count('aside');
    log.warn({ relay: post.relayId, post: post.key, code, attempts: post.attempts }, 'a post was set aside');
  };

  return {
    count,
    channelTime,
    aside,

    async tryLater(post, state, code, afterMs) {
      const now = clock.now();
      if (now - (post.firstAttemptAt ?? now) > times.giveUpMs) {
        await aside(post, code);
        return;
      }
      const own = backoff(Math.max(1, post.attempts), times, random);
      // A search counts as no attempt, so its backoff grows with the time passed.
      const passed = state === 'doubt' ? (await channelTime(post)) - (post.doubtAt ?? Number.POSITIVE_INFINITY) : 0;
      const waited = Math.min(times.longestBackoffMs, Math.max(own, passed));
      const wait = afterMs === undefined ? (state === 'doubt' ? waited : own) : afterMs + random.fraction() * 200;
      await outbox.later(post, state, Math.ceil(now + wait), code);
      count('retry');
    },

    async gone(post, relay, { why, code }) {
      if (why === 'channel_gone' && !postsIn(relay, post.channel)) {
        // The relay posts elsewhere by now, or the post belongs to a watch in another channel; a person may replay it.
        await aside(post, code);
        return;
      }
      await outbox.later(post, post.state === 'doubt' ? 'doubt' : 'waiting', clock.now(), code);
      count('gone');
      if (await relays.pauseFor(relay.id, why, clock.now())) {
        log.warn({ relay: relay.id, why, code }, 'a relay was paused: nothing of it can be posted');
        onPaused(relay);
      }
    },
  };
}

/** Whether the relay's current settings post there. */
function postsIn({ channel, settings }: Relay, asked: string): boolean {
  return channel === asked || settings.rules.some((rule) => rule.on && rule.channel === asked);
}
