/** Delivery of the relays' posts: the outbox's dispatcher with their contents, notices and timers. */
import type { Clock, Random } from '../../clock.js';
import type { SourceKind } from '../../database/schema.js';
import { createEscalationNotices } from '../../incidents/escalation-notices.js';
import { createIncidentStore } from '../../incidents/table.js';
import type { Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { Mirror } from '../../mirror/index.js';
import type { DeliveryTimes } from '../../posts/delivery-times.js';
import { createDispatcher, type Delivery } from '../../posts/dispatcher.js';
import { createNotifier } from '../../posts/notifier.js';
import { createBlockNotices } from '../../posts/outbox/block-notices.js';
import type { PostMaker } from '../../posts/sources.js';
import { createScanStore } from '../../scans/received/table.js';
import type { Store } from '../../workspaces/types.js';
import { createRelaysById } from '../record/by-id.js';
import { postsIn, toRelay } from '../record/relay.js';
import { createTimers } from '../rules/timers/timers.js';
import { createDigestCountStore } from './digest-counts.js';
import { createFirstAdmission } from './first-admission.js';
import { blockedNotice, escalationNotice, pausedNotice, undeliveredNotice } from './notices.js';
import { createPostContent } from './post-content.js';
import type { RelayPublisher } from './publisher.js';
import { createUndeliveredNotices } from './undelivered-notices.js';

export interface DeliveryDeps {
  readonly store: Store;
  readonly publisher: RelayPublisher;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Minimum time between two posts into one channel. */
  readonly intervalMs: number;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly times?: Partial<DeliveryTimes>;
  /** Of the other sources. */
  readonly makers?: Readonly<Partial<Record<SourceKind, PostMaker>>>;
  /** The copy of the account; without it, posts tell only what relays received. */
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, publisher, clock, log } = deps;
  const { db } = store;
  const relays = createRelaysById(db);
  const contents = createPostContent({
    ...{ relays, scans: createScanStore(db), counts: createDigestCountStore(db), incidents: createIncidentStore(db) },
    withFirstAdmission: createFirstAdmission(deps),
  });
  const paused = createNotifier({ notice: pausedNotice(relays, publisher), clock, log });
  const blocked = createNotifier({ notice: blockedNotice(createBlockNotices(db), relays, publisher), clock, log });
  const undelivered = createNotifier({
    ...{ notice: undeliveredNotice(createUndeliveredNotices(db), publisher), clock, log },
  });
  const escalated = createNotifier({
    ...{ notice: escalationNotice(createEscalationNotices(db), contents, publisher), clock, log },
  });

  const maker: PostMaker = {
    of: contents.of,
    async gone({ source: { id }, channel }, { why, code }) {
      if (why === 'channel_gone') {
        // It posts elsewhere by now, or the post belongs to a watch in another channel.
        const posting = await relays.find(id);
        return posting && postsIn(toRelay(posting), channel) ? 'block' : 'reject';
      }
      const relay = (await relays.pauseFor(id, why, clock.now())) && (await relays.find(id));
      if (relay) {
        log.warn({ relay: id, why, code }, 'a relay was paused: nothing of it can be posted');
        paused.notify(toRelay(relay));
      }
      return 'wait';
    },
  };
  const makers: DeliveryDeps['makers'] = { ...deps.makers, relay: maker };

  return createDispatcher({
    ...deps,
    ...{ detailOfBacklog: contents.detailOfBacklog, makers, timers: createTimers({ store, clock, log }) },
    notifiers: [paused, blocked, undelivered, escalated],
    onBlocked(queue) {
      blocked.notify(queue);
      escalated.pollNow();
    },
  });
}
