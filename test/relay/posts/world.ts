/** A relay on a clock that the test sets: scans come by HTTP, timers and delivery run when the test says so. */
import { expect } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import { createDelivery, createRelays, type Post, relaySettingsSchema } from '../../../src/relay/index.js';
import { createTimers } from '../../../src/relay/rules/timers/timers.js';
import { createChannels } from '../../helpers/channels.js';
import { openTestStore, type TestDatabases } from '../../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake } from '../../helpers/relay.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const allDay = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };

export async function openWorld(
  databases: TestDatabases,
  closing: (() => Promise<void>)[],
  start = Date.UTC(2026, 4, 1, 12),
) {
  const store = await openTestStore(await databases.fresh());
  closing.push(() => store.close());
  let now = start;
  const clock: Clock = { ...systemClock, now: () => now, steady: () => now };
  const channels = createChannels();
  const intake = await startIntake(store, { clock });
  closing.push(() => intake.close());
  const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
  const timers = createTimers({ store, clock, log: silentLog });
  const newRelay = async (settings: object, more: object = {}) => {
    const { relay, path } = await relays.create({ ...gate, ...more, settings: relaySettingsSchema.parse(settings) });
    return {
      id: relay.id,
      scan: async (fields: Record<string, string> = {}) => {
        const at = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
        const form = { ...scanForm(), scanned_at_utc: at, status: '0', text: 'no', ...fields };
        const answer = await postScan(`${intake.url}${path}`, form);
        expect(answer.status).toBe(200);
        return answer.body;
      },
    };
  };
  const newDelivery = (publisher: typeof channels) =>
    createDelivery({
      ...{ store, publisher, clock, random: systemRandom, log: silentLog, metrics: createMetrics(), intervalMs: 0 },
      instanceId: `worker-${systemRandom.bytes(6).toString('hex')}`,
      times: { pollMs: 20, pollGapMs: 1, holdMs: 20, parentEveryMs: 0, editGapMs: 0, heartbeatMs: 50 },
    });
  return {
    ...{ store, channels, relays, newRelay, clock, owner, timers },
    pass: async (ms: number) => {
      now += ms;
      await timers.poll();
    },
    /** Moves on in steps, polling at each. */
    passBy: async (ms: number, step = minute) => {
      const end = now + ms;
      while (now < end) {
        now = Math.min(end, now + step);
        await timers.poll();
      }
    },
    now: () => now,
    setNow: (at: number) => {
      now = at;
    },
    incidents: () => store.db.selectFrom('incidents').selectAll().orderBy('opened_at').execute(),
    outbox: () => store.db.selectFrom('outbox').selectAll().orderBy('seq').execute(),
    /** Delivers in the background until the returned function is called. */
    delivering: (publisher: Partial<typeof channels> = {}) => {
      const delivery = newDelivery({ ...channels, ...publisher });
      delivery.start();
      return () => delivery.stop();
    },
    /** Delivers what is due, and returns each message as it is shown by then. */
    deliver: async (until?: () => Promise<boolean>) => {
      const delivery = newDelivery(channels);
      delivery.start();
      const isOpen = async () => {
        const posts = await store.db.selectFrom('outbox').select('seq').where('finished_at', 'is', null).execute();
        const edits = await store.db
          .selectFrom('message_updates')
          .innerJoin('outbox', 'outbox.seq', 'message_updates.post_seq')
          .select('post_seq')
          .where('outbox.state', '=', 'delivered')
          .where('due_at', 'is not', null)
          .execute();
        return posts.length + edits.length;
      };
      if (until) await expect.poll(until, { interval: 20 }).toBe(true);
      else await expect.poll(isOpen, { interval: 20 }).toBe(0);
      await delivery.stop();
      return shown(channels);
    },
  };
}

function shown(channels: ReturnType<typeof createChannels>): Post[] {
  const latest = new Map<string, Post>();
  for (const { key, post } of channels.posted) if (post) latest.set(key, post);
  for (const { key, post } of channels.edited) latest.set(key, post);
  return [...latest.values()];
}
