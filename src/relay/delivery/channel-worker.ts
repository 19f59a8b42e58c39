/**
 * Worker for one channel's queue: records each attempt, sends the post, records the outcome. One post is in flight at a
 * time. A post that may already have been sent is searched for first; one that cannot succeed never blocks those behind
 * it.
 */
import type { Clock, Random } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { RelaysById } from '../relays/by-id.js';
import type { Relay } from '../relays/relay.js';
import type { PostOutcome, Publisher } from '../relays/types.js';
import { allMentioned, readDetail, writeDetail } from '../rules/detail.js';
import type { Backlog } from './outbox/digest-backlog.js';
import type { ChannelQueue } from './outbox/leases.js';
import type { OutboxPost, OutboxStore } from './outbox/outbox.js';
import type { PostContent } from './post-content.js';
import { createPostStates } from './post-states.js';
import { createInTime } from './publisher-timeout.js';
import type { DeliveryTimes } from './retry-times.js';
import { createUnconfirmed, duplicate } from './unconfirmed.js';

export interface LaneWorkerDeps {
  readonly outbox: OutboxStore;
  readonly relays: RelaysById;
  readonly contents: PostContent;
  readonly poster: Publisher;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly times: DeliveryTimes;
  readonly intervalMs: number;
  /** The holder of the leases. */
  readonly worker: string;
  /** Called when a relay was paused because nothing of it can be posted. */
  readonly onPaused: (relay: Relay) => void;
}

export interface ChannelWorker {
  /** Posts what is due in the queue; returns when it is empty, the wait is long, or `goOn` returns false. */
  work(lane: ChannelQueue, goOn: () => boolean, stop: AbortSignal): Promise<void>;
}

/** Why a reply waits for a new thread parent. */
const cardGone = 'relay.card_gone';
/** In a channel that takes no replies, a thread parent is posted again at most this often. */
const cardAgainMs = 10 * 60_000;

export function createChannelWorker(deps: LaneWorkerDeps): ChannelWorker {
  const { outbox, contents, poster, clock, log, metrics, times, intervalMs, worker } = deps;
  const inTime = createInTime({ clock, log, ms: times.postTimeoutMs });
  const states = createPostStates({ ...deps, inTime });
  const search = createUnconfirmed({ ...deps, inTime, states });
  const { aside, channelTime, count, gone, tryLater } = states;

  /**
   * Somebody deleted the thread parent: it is posted again once; in a channel without replies, they are posted by
   * themselves.
   */
  const underNewCard = async (post: OutboxPost, code: string): Promise<void> => {
    const again = post.lastCode === cardGone;
    await (again ? outbox.dropCard(post) : outbox.renewCard(post, clock.now()));
    await outbox.later(post, 'waiting', clock.now(), cardGone);
    count('retry');
    log.info({ relay: post.relayId, post: post.key, code, again }, 'a card is gone that posts were to go under');
  };

  /** When it was sent; undefined if another worker has the post by now. */
  const send = async (post: OutboxPost): Promise<number | undefined> => {
    const threadTs = post.cardKey === undefined ? undefined : await outbox.cardTs(post.cardKey, post.channel);
    const channelNow = await channelTime(post);
    const sending = await outbox.begin(worker, post, clock.now(), { channelNow, threadTs });
    if (!sending) {
      return undefined;
    }
    // Read after the attempt is recorded: later changes are made by updating the message.
    const whole = await contents.of(sending, threadTs);
    if (!whole) {
      await aside(sending, 'relay.scan_unreadable');
      return clock.now();
    }
    // Taken now and not when the attempt was recorded: a slow database must not bring two posts closer.
    const leftAt = clock.now();
    const outcome = await inTime<PostOutcome>((signal) => poster.post(whole, signal), {
      outcome: 'doubt',
      code: 'relay.post_timeout',
    });
    switch (outcome.outcome) {
      case 'delivered':
        await outbox.done(sending, outcome.ts, clock.now());
        count('delivered');
        if (outcome.outside) {
          await outbox.renewCard(sending, clock.now(), clock.now() - cardAgainMs);
        }
        break;
      case 'retry':
        await tryLater(sending, 'waiting', outcome.code, outcome.afterMs);
        break;
      case 'doubt':
        await outbox.later(sending, 'doubt', clock.now() + times.doubtMs, outcome.code);
        count('doubt');
        break;
      case 'duplicate':
        await outbox.later(sending, 'doubt', clock.now() + times.doubtMs, duplicate);
        count('doubt');
        break;
      case 'gone':
        await gone(sending, whole.relay, outcome);
        break;
      case 'no_thread':
        await (sending.threadTs === undefined ? aside : underNewCard)(sending, outcome.code);
        break;
      case 'refused':
        await aside(sending, outcome.code);
        break;
    }
    return leftAt;
  };

  /** A long backlog is merged into digests: nobody reads it one by one. */
  const foldWhatIsBehind = async (lane: ChannelQueue, post: OutboxPost): Promise<boolean> => {
    if (post.kind !== 'scan' || post.state !== 'waiting') {
      return false;
    }
    const now = clock.now();
    const { posts, since } = await outbox.behind(lane, times.foldAbove + 1);
    if (posts <= times.foldAbove && (posts <= times.foldOldAbove || now - since < times.foldAfterMs)) {
      return false;
    }
    const folded = await outbox.fold(worker, lane, now, foldedDetail);
    if (folded > 0) {
      metrics.posts.inc({ outcome: 'folded' }, folded);
      log.info({ channel: lane.channel, posts: folded }, 'posts that a channel could not keep up with were folded');
    }
    return folded > 0;
  };

  return {
    async work(lane, goOn, stop) {
      let lastSentAt = lane.lastSentAt ?? Number.NEGATIVE_INFINITY;
      for (;;) {
        const post = await outbox.head(lane);
        if (!post) {
          return;
        }
        const now = clock.now();
        // After the clock was set back, the channel must not wait for the difference.
        lastSentAt = Math.min(lastSentAt, now);
        const paced = post.state === 'waiting' ? lastSentAt + intervalMs : 0;
        const wait = Math.max(post.nextAt, paced) - now;
        if (stop.aborted || wait > times.holdMs || !goOn()) {
          return;
        }
        if (wait > 0) {
          await clock.sleep(wait, stop).catch(() => undefined);
          continue;
        }
        if (post.state === 'sending') {
          // The worker that recorded the attempt is gone, and nobody knows whether the post was sent.
          await outbox.later(post, 'doubt', now + times.doubtMs, 'relay.interrupted');
          continue;
        }
        if (post.state === 'doubt') {
          const whole = await contents.of(post, post.threadTs);
          await (whole ? search(post, whole) : aside(post, 'relay.scan_unreadable'));
        } else if (!(await foldWhatIsBehind(lane, post))) {
          const leftAt = await send(post);
          if (leftAt === undefined) {
            return;
          }
          lastSentAt = leftAt;
        }
      }
    },
  };
}

function foldedDetail({ details, firstAt }: Backlog): string {
  const read = details.map(readDetail);
  const rules = new Map(read.flatMap(({ rules: named }) => named.map((rule) => [rule.id, rule] as const)));
  const detail = writeDetail({
    rules: [...rules.values()],
    mention: allMentioned(read.map(({ mention }) => mention)),
    watchers: [...new Set(read.flatMap(({ watchers }) => watchers))],
    digest: { why: 'behind', from: firstAt },
  });
  return detail ?? '{}';
}
