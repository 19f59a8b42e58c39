/** Notices to a relay's creator: that it was paused and, at most once a day, which posts were not delivered. */
import type { RelaysById } from '../relays/by-id.js';
import { toRelay } from '../relays/relay.js';
import type { Publisher } from '../relays/types.js';
import type { UndeliveredNotices } from './outbox/undelivered-notices.js';
import type { Notice } from './pause-notifier.js';

export function pausedNotice(relays: RelaysById, poster: Publisher): Notice {
  return {
    what: 'paused',
    due: async (now) => (await relays.withNoticeDue(now)).map(toRelay),
    claim: ({ id }, now, until) => relays.claimNotice(id, now, until),
    async send(relay) {
      const paused = await relays.find(relay.id);
      await poster.tellPaused(paused ? toRelay(paused) : relay);
    },
    sent: ({ id }, until, at) => relays.noticeSent(id, until, at),
    release: ({ id }, until) => relays.releaseNotice(id, until),
  };
}

export function undeliveredNotice(store: UndeliveredNotices, poster: Publisher): Notice {
  return {
    what: 'undelivered',
    due: async (now) => (await store.due(now)).map(toRelay),
    claim: ({ id }, now, until) => store.claim(id, now, until),
    async send(relay, at) {
      const undelivered = await store.since(relay.id, at);
      // They may have been replayed in the meantime.
      if (undelivered.length > 0) {
        await poster.tellUndelivered(relay, undelivered);
      }
    },
    sent: ({ id }, until, at) => store.sent(id, until, at),
    release: ({ id }, until) => store.release(id, until),
  };
}
