/**
 * Notices about relays: a paused relay, a blocked channel, an escalation that its channel refused and, at most once a day,
 * posts that were not delivered.
 */

import type { EscalationNotices } from '../../incidents/escalation-notices.js';
import type { Notice } from '../../posts/notifier.js';
import type { BlockNotices } from '../../posts/outbox/block-notices.js';
import type { ChannelQueueKey } from '../../posts/outbox/channel-queues.js';
import type { RelaysById } from '../record/by-id.js';
import { postsIn, type Relay, toRelay } from '../record/relay.js';
import type { PostContent } from './post-content.js';
import type { RelayPublisher } from './publisher.js';
import type { UndeliveredNotices } from './undelivered-notices.js';

export function pausedNotice(relays: RelaysById, publisher: RelayPublisher): Notice<Relay> {
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

export function undeliveredNotice(store: UndeliveredNotices, publisher: RelayPublisher): Notice<Relay> {
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
  publisher: Pick<RelayPublisher, 'notifyEscalated'>,
): Notice<{ readonly id: string }> {
  return {
    what: 'escalated',
    due: (now) => store.due(now),
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
  relays: Pick<RelaysById, 'ofOwner'>,
  publisher: Pick<RelayPublisher, 'notifyBlocked'>,
): Notice<ChannelQueueKey> {
  return {
    what: 'blocked',
    due: (now) => store.due(now),
    claim: (queue, now, until) => store.claim(queue, now, until),
    async send(queue) {
      const found = await store.find(queue);
      const posting = found ? (await relays.ofOwner(queue)).map(toRelay) : [];
      const here = posting.filter((relay) => postsIn(relay, queue.channel));
      if (found && here.length > 0) {
        await publisher.notifyBlocked(found, here);
      }
    },
    sent: (queue, until, at) => store.sent(queue, until, at),
    release: (queue, until) => store.release(queue, until),
  };
}
