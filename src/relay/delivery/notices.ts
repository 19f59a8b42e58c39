/**
 * Notices to people: that a relay was paused, an escalation that its channel refused and, at most once a day, which posts
 * were not delivered. Each goes out once; it is sent again only if it failed, or if the process that claimed it stopped before it recorded the outcome.
 */
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import type { RelaysById } from '../relays/by-id.js';
import { type Relay, toRelay } from '../relays/relay.js';
import type { Publisher } from '../relays/types.js';
import type { EscalationNotices } from './outbox/escalation-notices.js';
import type { UndeliveredNotices } from './outbox/undelivered-notices.js';
import type { PostContent } from './post-content.js';

/** One kind of notice: to whom it is due, and which instance sends it. */
export interface Notice {
  readonly what: string;
  due(now: number): Promise<readonly Relay[]>;
  /** True for exactly one caller; the claim expires at `until`. */
  claim(relay: Relay, now: number, until: number): Promise<boolean>;
  /** `at`: when it was claimed. Rejects if it should be tried again. */
  send(relay: Relay, at: number, until: number): Promise<void>;
  sent(relay: Relay, until: number, at: number): Promise<void>;
  release(relay: Relay, until: number): Promise<void>;
}

export interface Notifier {
  /** At once, in the background. */
  notify(relay: Relay): void;
  /** Retries unsent notices now and then, of any instance; in the background, too. */
  poll(): void;
  /** Resolves when no notice is in flight. */
  settled(): Promise<void>;
}

const pollEveryMs = 60_000;
/** Longer than any call takes. */
const claimMs = 2 * 60_000;

export function createNotifier({ notice, clock, log }: { notice: Notice; clock: Clock; log: Log }): Notifier {
  // The first poll finds notices that an earlier process left; later polls, those of other instances.
  let polledAt = Number.NEGATIVE_INFINITY;

  const notify = async (relay: Relay): Promise<void> => {
    const at = clock.now();
    const until = at + claimMs;
    if (!(await notice.claim(relay, at, until))) {
      return;
    }
    try {
      await notice.send(relay, at, until);
    } catch (error) {
      const line = { relay: relay.id, what: notice.what, err: error, code: codeOf(error) };
      log.warn(line, 'a notice was not delivered yet');
      polledAt = clock.now();
      await notice.release(relay, until);
      return;
    }
    await notice.sent(relay, until, at);
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
    for (const relay of await notice.due(clock.now())) {
      await notify(relay);
    }
  };

  return {
    notify: (relay) => run(notify(relay)),
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
