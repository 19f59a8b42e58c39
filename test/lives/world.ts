/** The world of a life: a relay, lists, a Slack whose channels may be archived or down, and a clock that only the life moves. */
import { systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import {
  createPlaces,
  createPlacesMaker,
  erasePlaceLists,
  type PlacesNotice,
  type PlacesPost,
} from '../../src/places/index.js';
import { createNotices, type NoticePost, type Publisher } from '../../src/posts/index.js';
import {
  createDelivery,
  createRelays,
  createScanErasure,
  type Post,
  relaySettingsSchema,
} from '../../src/relay/index.js';
import { openTestStore, type TestDatabases } from '../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake } from '../helpers/relay.js';
import { createMovableClock } from '../judge/clock.js';
import { stillness } from '../judge/stillness.js';

export const minute = 60_000;
export const hour = 60 * minute;
/** The people whose conversations Slack opens. */
const people = new Set(['U8', 'U9']);
/** Noon of a Friday. */
export const start = Date.UTC(2026, 4, 1, 12);

/** A message as people hear it: when it came, where, whom it calls. */
export interface Heard<OfWhat = Post | PlacesPost | NoticePost<PlacesNotice>> {
  readonly at: number;
  readonly channel: string;
  readonly post: OfWhat;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(databases: TestDatabases) {
  const moved = createMovableClock(start);
  let aheadBy = 0;
  const clock = { now: () => moved.now() + aheadBy, steady: moved.now, sleep: moved.sleep };
  const store = await openTestStore(await databases.fresh(), { clock });
  const heard: Heard[] = [];
  const shown = new Map<string, Heard['post']>();
  const archived = new Set<string>();
  const state = { isDown: false };
  const send = async (post: Heard['post'], how: 'post' | 'edit') => {
    if (state.isDown) {
      return { outcome: 'retry', code: 'slack.down' } as const;
    }
    if (archived.has(post.channel)) {
      return how === 'post'
        ? ({ outcome: 'gone', why: 'channel_gone', code: 'slack.is_archived' } as const)
        : ({ outcome: 'retry', code: 'slack.is_archived' } as const);
    }
    if (how === 'post') {
      heard.push({ at: clock.now(), channel: post.channel, post });
    }
    shown.set(post.key, post);
    return undefined;
  };
  const publisher = {
    post: async (post: Heard['post']) =>
      (await send(post, 'post')) ?? { outcome: 'delivered', ts: `${heard.length}.000000` },
    edit: async (post: Heard['post']) => (await send(post, 'edit')) ?? { outcome: 'edited' },
    find: async () => ({ outcome: 'absent' }),
    // Only people of the list take direct messages, so that the relay's creator hears nothing beside its channels.
    open: async (_owner: Owner, person: string) => {
      if (state.isDown) {
        throw new Error('Slack is down');
      }
      return people.has(person) ? `D-${person}` : undefined;
    },
    admins: async () => [],
  } as unknown as Publisher<never>;
  const intake = await startIntake(store, { clock });
  const onPosts = () => delivery.notify();
  const relays = createRelays({ store, clock, random: systemRandom, onPosts });
  const shared = { store, clock, random: systemRandom, log: silentLog, onPosts };
  const places = createPlaces({ ...shared, relays, open: publisher.open, instanceId: 'life' });
  const notices = createNotices({ ...shared, publisher });
  const list = createPlacesMaker({ store, clock, notices, onNotices: () => delivery.pollNotices() });
  store.onErase(erasePlaceLists);
  const delivery = createDelivery({
    ...{ store, publisher, clock, random: systemRandom, log: silentLog, metrics: createMetrics(), intervalMs: 0 },
    ...{ instanceId: 'life', times: { parentEveryMs: 0, editGapMs: 0 }, makers: { list } },
  });
  delivery.start();
  places.folder.start();
  const erasure = createScanErasure(store, clock);
  const settings = (rules: readonly object[]) => ({ settings: relaySettingsSchema.parse({ match: 'all', rules }) });
  const { relay, path } = await relays.create({ ...gate, ...settings([]) });
  /** Waits until everything that is due has happened. */
  const settle = async () => {
    await stillness(() => 0);
    moved.advance(1_000);
    await stillness(() => 0);
  };
  const uninstall = () => store.eraseInstallation(owner.installation, clock.now());
  const forget = (tid: string) => erasure.forget(owner, tid, { keepCounts: true }, new AbortController().signal);
  return {
    ...{ store, relays, relay, heard, shown, archived, state, settle, owner, places, forget, uninstall },
    now: () => moved.now(),
    /** Sets the clock ahead of the right time, or right again with 0. */
    setAhead: (ms: number) => {
      aheadBy = ms;
    },
    pass: async (ms: number) => {
      moved.advance(ms);
      await settle();
    },
    edit: (rules: readonly object[]) => relays.change(owner, relay.id, settings(rules)),
    scan: async (tid: string, more: Record<string, string> = {}) => {
      const scannedAt = new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ');
      const form = scanForm({ tid, status: '0', text: 'no', scanned_at_utc: scannedAt, ...more });
      const { status } = await postScan(`${intake.url}${path}`, form);
      if (status !== 200) {
        throw new Error(`a scan was answered with ${status}`);
      }
      delivery.notify();
    },
    close: async () => {
      const stopped = Promise.all([delivery.stop(), places.folder.stop()]);
      for (let n = 0; n < 50; n++) {
        moved.advance(minute);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await stopped;
      await intake.close();
      await store.close();
    },
  };
}
