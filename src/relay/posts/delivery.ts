/** Delivery of the relays' posts: the outbox's dispatcher, with the posts' contents, notices and timers. */
import type { SourceKind } from '../../database/schema.js';
import type { Mirror } from '../../mirror/index.js';
import type { DeliveryTimes } from '../../posts/delivery-times.js';
import { createDispatcher, type Delivery } from '../../posts/dispatcher.js';
import type { NoticePost, Publisher } from '../../posts/index.js';
import type { PostMaker } from '../../posts/maker.js';
import { createNoticePoller, createNotices } from '../../posts/notices.js';
import type { ProcessDeps } from '../../process.js';
import type { DeviceClocks } from '../../scans/device-clocks.js';
import { factsOfReceived } from '../../scans/received/tally.js';
import type { Store } from '../../workspaces/types.js';
import { createRelaysById } from '../record/by-id.js';
import { postsIn, toRelay } from '../record/relay.js';
import { createTimers } from '../rules/timers/timers.js';
import { createRelayNotices, type RelayNotice } from './notices.js';
import { createPostContent, detailOfBacklog } from './post-content.js';
import type { Post, WorkflowPost } from './post-types.js';
import { createRestingPosts } from './resting-posts.js';

export interface DeliveryDeps extends ProcessDeps {
  readonly store: Store;
  readonly publisher: Publisher<Post | WorkflowPost | NoticePost<RelayNotice>>;
  /** The minimum time between two posts into one channel. */
  readonly intervalMs: number;
  readonly times?: Partial<DeliveryTimes>;
  /** The makers of posts from other sources than relays. */
  readonly makers?: Readonly<Partial<Record<SourceKind, PostMaker>>>;
  /** The clocks of devices: somebody is told of wrong ones. */
  readonly deviceClocks?: Pick<DeviceClocks, 'wrong'>;
  /** The mirror of the account; undefined: posts only show what relays received. */
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, publisher, clock, log } = deps;
  const { db } = store;
  const relays = createRelaysById(db);
  const contents = createPostContent(deps);
  const relayNotices = createRelayNotices(db, contents, deps.deviceClocks);
  const notices = createNoticePoller({
    clock,
    log,
    notices: createNotices({ store, publisher, clock, log, onPosts: () => delivery.notify() }),
    due: Object.values({ ...deps.makers, relayNotices: { dueNotices: relayNotices.due } }).flatMap(
      ({ dueNotices = [] }) => dueNotices,
    ),
  });

  const maker: PostMaker = {
    of: contents.of,
    ready: createRestingPosts({ store, clock }),
    async gone({ source: { id }, channel }, { why, code }) {
      if (why === 'channel_gone') {
        // A post of a relay that posts elsewhere by now, or of a watch in another channel, is rejected alone.
        const record = await relays.find(id);
        return record && postsIn(toRelay(record), channel, { isOff: true }) ? 'block' : 'reject';
      }
      const relay = (await relays.pauseFor(id, why, clock.now())) && (await relays.find(id));
      if (relay) {
        log.warn({ relay: id, why, code }, 'a relay was paused: nothing of it can be posted');
        notices.pollNow();
      }
      return 'wait';
    },
  };
  const workspace: PostMaker = {
    of: async (post) => (await relayNotices.of(post)) ?? (await deps.makers?.workspace?.of(post, undefined)),
    gone: async () => 'reject',
  };

  const delivery = createDispatcher({
    ...deps,
    backlog: { detailOf: detailOfBacklog, scansOf: factsOfReceived },
    makers: { ...deps.makers, relay: maker, workspace },
    notices,
    timers: createTimers({ store, clock, log }),
    onBlocked: () => notices.pollNow(),
  });
  return delivery;
}
