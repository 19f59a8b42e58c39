/**
 * Notices to people: a paused relay, a blocked channel, an escalation that its channel refused and, at most once a day,
 * posts that were not delivered. Each goes out once; it is sent again only if it failed, or if the process that claimed it
 * stopped before it recorded the outcome.
 */
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import type { RelaysById } from '../relays/by-id.js';
import { postsIn, type Relay, toRelay } from '../relays/relay.js';
import type { Publisher } from '../relays/types.js';
import type { BlockNotices } from './outbox/block-notices.js';
import type { ChannelQueueKey } from './outbox/channel-queues.js';
import type { EscalationNotices } from './outbox/escalation-notices.js';
import type { UndeliveredNotices } from './outbox/undelivered-notices.js';
import type { PostContent } from './post-content.js';

/** One kind of notice: what it is about, and which instance sends it. */
export interface Notice<Subject = Relay> {
  readonly what: string;
  due(now: number): Promise<readonly Subject[]>;
  /** True for exactly one caller; the claim expires at `until`. */
  claim(about: Subject, now: number, until: number): Promise<boolean>;
  /** `at`: when it was claimed. Rejects if it should be tried again. */
  send(about: Subject, at: number, until: number): Promise<void>;
  sent(about: Subject, until: number, at: number): Promise<void>;
  release(about: Subject, until: number): Promise<void>;
}

export interface Notifier<Subject = Relay> {
  /** At once, in the background. */
  notify(about: Subject): void;
  /** Looks for all that is due, in the background. */
  pollNow(): void;
  /** Retries unsent notices now and then, of any instance; in the background, too. */
  poll(): void;
  /** Resolves when no notice is in flight. */
  settled(): Promise<void>;
}

const pollEveryMs = 60_000;
/** Longer than any call takes. */
const claimMs = 2 * 60_000;

export function createNotifier<Subject extends { readonly id: string } | ChannelQueueKey>(deps: {
  notice: Notice<Subject>;
  clock: Clock;
  log: Log;
}): Notifier<Subject> {
  const { notice, clock, log } = deps;
  // The first poll finds notices that an earlier process left; later polls, those of other instances.
  let polledAt = Number.NEGATIVE_INFINITY;

  const notify = async (about: Subject): Promise<void> => {
    const at = clock.now();
    const until = at + claimMs;
    if (!(await notice.claim(about, at, until))) {
      return;
    }
    try {
      await notice.send(about, at, until);
    } catch (error) {
      const whose = 'id' in about ? { relay: about.id } : { channel: about.channel };
      const line = { ...whose, what: notice.what, err: error, code: codeOf(error) };
      log.warn(line, 'a notice was not delivered yet');
      polledAt = clock.now();
      await notice.release(about, until);
      return;
    }
    await notice.sent(about, until, at);
  };

  const working = new Set<Promise<void>>();
  const run = (work: Promise<void>): void => {
    const settled = work
      .catch((error: unknown) => {
        log.error(
          { what: notice.what, err: error, code: codeOf(error) },
          'the outcome of a notice could not be recorded',
        );
      })
      .finally(() => working.delete(settled));
    working.add(settled);
  };

  const notifyDue = async (): Promise<void> => {
    for (const about of await notice.due(clock.now())) {
      await notify(about);
    }
  };

  return {
    notify: (about) => run(notify(about)),
    pollNow: () => run(notifyDue()),
    poll() {
      // The clock may have been set in either direction.
      if (Math.abs(clock.now() - polledAt) >= pollEveryMs) {
        polledAt = clock.now();
        run(notifyDue());
      }
    },
    async settled() {
      await Promise.all(working);
    },
  };
}

export function pausedNotice(relays: RelaysById, publisher: Publisher): Notice {
  return {
    what: 'paused',
    due: async (now) => (await relays.withNoticeDue(now)).map(toRelay),
    claim: ({ id }, now, until) => relays.claimNotice(id, now, until),
    async send(relay) {
      const paused = await relays.find(relay.id);
      await publisher.notifyPaused(paused ? toRelay(paused) : relay);
    },
    sent: ({ id }, until, at) => relays.noticeSent(id, until, at),
    release: ({ id }, until) => relays.releaseNotice(id, until),
  };
}

export function undeliveredNotice(store: UndeliveredNotices, publisher: Publisher): Notice {
  return {
    what: 'undelivered',
    due: async (now) => (await store.due(now)).map(toRelay),
    claim: ({ id }, now, until) => store.claim(id, now, until),
    async send(relay, at) {
      const undelivered = await store.since(relay.id, at);
      // They may have been replayed in the meantime.
      if (undelivered.length > 0) {
        await publisher.notifyUndelivered(relay, undelivered);
      }
    },
    sent: ({ id }, until, at) => store.sent(id, until, at),
    release: ({ id }, until) => store.release(id, until),
  };
}

export function escalationNotice(
  store: EscalationNotices,
  contents: PostContent,
  publisher: Pick<Publisher, 'notifyEscalated'>,
): Notice {
  return {
    what: 'escalated',
    due: async (now) => (await store.due(now)).map(toRelay),
    claim: ({ id }, now, until) => store.claim(id, now, until),
    async send({ id }, _at, until) {
      for (const post of await store.claimed(id, until)) {
        const whole = await contents.of(post, undefined);
        if (whole) {
          await publisher.notifyEscalated(whole);
        }
      }
    },
    sent: ({ id }, until) => store.sent(id, until),
    release: ({ id }, until) => store.release(id, until),
  };
}

/** To the creators of the relays that post there, and to the admins: once for each time the queue is blocked. */
export function blockedNotice(
  store: BlockNotices,
  publisher: Pick<Publisher, 'notifyBlocked'>,
): Notice<ChannelQueueKey> {
  return {
    what: 'blocked',
    due: (now) => store.due(now),
    claim: (queue, now, until) => store.claim(queue, now, until),
    async send(queue) {
      const found = await store.find(queue);
      const relays = found?.relays.map(toRelay).filter((relay) => postsIn(relay, queue.channel)) ?? [];
      if (found && relays.length > 0) {
        await publisher.notifyBlocked(found.queue, relays);
      }
    },
    sent: (queue, until, at) => store.sent(queue, until, at),
    release: (queue, until) => store.release(queue, until),
  };
}
