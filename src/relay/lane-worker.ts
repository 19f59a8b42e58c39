/**
 * Owns what is done with a channel's posts, one after the other: recorded, sent, and what came of it recorded. Never has two
 * in flight, never sends what may have gone out before without asking the channel, never lets one that cannot succeed hold
 * up those behind it.
 */
import type { Clock, Random } from '../clock.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Backlog, Lane, OutboxPost, OutboxStore, RelayWork } from '../store/index.js';
import { backoff, type DeliveryTimes } from './delivery-times.js';
import { createInTime } from './in-time.js';
import type { PostContent } from './post-content.js';
import { allMentioned, readDetail, writeDetail } from './rules/detail.js';
import type { FindOutcome, Post, Poster, PostOutcome, Relay } from './types.js';

export interface LaneWorkerDeps {
  readonly outbox: OutboxStore;
  readonly relays: RelayWork;
  readonly contents: PostContent;
  readonly poster: Poster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly times: DeliveryTimes;
  readonly intervalMs: number;
  /** Who claims. */
  readonly worker: string;
  /** Called when a relay was paused because nothing of it can be posted. */
  readonly onPaused: (relay: Relay) => void;
}

export interface LaneWorker {
  /** Posts what is due on the lane; returns when it is empty, has to wait for long, or `goOn` says no. */
  work(lane: Lane, goOn: () => boolean, stop: AbortSignal): Promise<void>;
}

/** Why a reply waits for a new card. */
const cardGone = 'relay.card_gone';
/** Where replies are put beside their thread, a card is posted no more often than this. */
const cardAgainMs = 10 * 60_000;

type Gone = Extract<PostOutcome, { outcome: 'gone' }>;

export function createLaneWorker(deps: LaneWorkerDeps): LaneWorker {
  const { outbox, relays, contents, poster, clock, random, log, metrics, times, intervalMs, worker } = deps;

  const count = (outcome: string): void => metrics.posts.inc({ outcome });

  const inTime = createInTime({ clock, log, ms: times.postTimeoutMs });

  /** What time it is where the post goes: what it is looked for by, should nobody know whether it arrived. */
  const channelTime = async ({ owner }: OutboxPost): Promise<number> =>
    poster.time ? await inTime(() => poster.time!(owner), clock.now()) : clock.now();

  const aside = async (post: OutboxPost, code: string): Promise<void> => {
    await outbox.aside(post, code, clock.now());
    count('aside');
    log.warn({ relay: post.relayId, post: post.key, code, attempts: post.attempts }, 'a post was set aside');
  };

  /** Waits longer and longer, as long as is asked for at least; a day after the first attempt it ends. */
  const tryLater = async (post: OutboxPost, state: 'waiting' | 'doubt', code: string, afterMs?: number) => {
    const now = clock.now();
    if (now - (post.firstAttemptAt ?? now) > times.giveUpMs) {
      await aside(post, code);
      return;
    }
    const own = backoff(Math.max(1, post.attempts), times, random);
    // A search costs no attempt, so that its patience grows with the time that has passed.
    const passed = state === 'doubt' ? (await channelTime(post)) - (post.doubtAt ?? Number.POSITIVE_INFINITY) : 0;
    const waited = Math.min(times.longestBackoffMs, Math.max(own, passed));
    const wait = afterMs === undefined ? (state === 'doubt' ? waited : own) : afterMs + random.fraction() * 200;
    await outbox.later(post, state, Math.ceil(now + wait), code);
    count('retry');
  };

  const gone = async (post: OutboxPost, relay: Relay, { why, code }: Pick<Gone, 'why' | 'code'>): Promise<void> => {
    if (why === 'channel_gone' && !postsIn(relay, post.channel)) {
      // The relay posts elsewhere by now, or somebody watched a value there; a person may replay what was meant for it.
      await aside(post, code);
      return;
    }
    await outbox.later(post, post.state === 'doubt' ? 'doubt' : 'waiting', clock.now(), code);
    count('gone');
    if (await relays.pauseFor(relay.id, why, clock.now())) {
      log.warn({ relay: relay.id, why, code }, 'a relay was paused: nothing of it can be posted');
      deps.onPaused(relay);
    }
  };

  const search = async (post: OutboxPost, whole: Post): Promise<void> => {
    const since = post.doubtAt ?? post.attemptAt ?? (await channelTime(post));
    const found = await inTime<FindOutcome>((signal) => poster.find(whole, since, signal), {
      outcome: 'retry',
      code: 'relay.find_timeout',
    });
    switch (found.outcome) {
      case 'found':
        await outbox.done(post, found.ts, clock.now());
        count('recovered');
        break;
      case 'absent':
        await outbox.later(post, 'waiting', clock.now(), 'relay.absent');
        break;
      case 'retry':
        await tryLater(post, 'doubt', found.code, found.afterMs);
        break;
      case 'gone':
        await gone(post, whole.relay, found);
        break;
      case 'refused':
        // Nobody will ever know whether it is there: it is not sent again, and holds up nobody.
        await aside(post, found.code);
        break;
    }
  };

  /** Somebody took the card away: there is a new one, once; a channel that takes no replies gets them by themselves. */
  const underNewCard = async (post: OutboxPost, code: string): Promise<void> => {
    const again = post.lastCode === cardGone;
    await (again ? outbox.dropCard(post) : outbox.renewCard(post, clock.now()));
    await outbox.later(post, 'waiting', clock.now(), cardGone);
    count('retry');
    log.info({ relay: post.relayId, post: post.key, code, again }, 'a card is gone that posts were to go under');
  };

  /** When it left; undefined where it is somebody else's by now. */
  const send = async (post: OutboxPost): Promise<number | undefined> => {
    const threadTs = post.cardKey === undefined ? undefined : await outbox.cardTs(post.cardKey, post.channel);
    const channelNow = await channelTime(post);
    const sending = await outbox.begin(worker, post, clock.now(), { channelNow, threadTs });
    if (!sending) {
      return undefined;
    }
    // Read after it was recorded: what changes from here on, the message is edited for.
    const whole = await contents.of(sending, threadTs);
    if (!whole) {
      await aside(sending, 'relay.scan_unreadable');
      return clock.now();
    }
    // Not when it was recorded: a slow database must not bring two posts closer.
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

  /** What waits so long that nobody reads it one by one is told in one message. */
  const foldWhatIsBehind = async (lane: Lane, post: OutboxPost): Promise<boolean> => {
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
        // A clock that was set back must not make the channel wait for the time it was wrong by.
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
          // Whoever recorded it is gone, and nobody knows whether it left.
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

/** Whether it posts there as it is set now. */
function postsIn({ channel, settings }: Relay, asked: string): boolean {
  return channel === asked || settings.rules.some((rule) => rule.on && rule.channel === asked);
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
