import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import type { Delivery } from '../../../src/posts/index.js';
import { createDelivery, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { createChannels } from '../../helpers/channels.js';
import { openTestStore, postgresDatabases } from '../../helpers/databases.js';
import { gate, postScan, relaysOf, scanForm, startIntake } from '../../helpers/relay.js';

const runMs = 8_000;
/** No post waits for another's update, and none is merged into a digest. */
const times = { digestAbove: 100_000, digestOldAbove: 100_000, editGapMs: 5, parentEveryMs: 5, pollGapMs: 0 };

/** A scan made just now: a burst counts no late scans. */
function notValid(): Record<string, string> {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return scanForm({ status: '0', text: 'no', scanned_at_utc: now });
}

/** SQLite's write transactions are alone, so only PostgreSQL can deadlock. */
describe('a scan of an open alert', () => {
  const databases = postgresDatabases();
  const closing: (() => Promise<void>)[] = [];
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore(await databases.fresh());
    closing.push(() => store.close());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  /** An intake, and one delivery for each of these names. */
  const open = async (instances: readonly string[]) => {
    const deliveries: Delivery[] = [];
    const onPosts = () => {
      for (const delivery of deliveries) {
        delivery.notify();
      }
    };
    const intake = await startIntake(store, { onPosts });
    closing.push(() => intake.close());
    const failures: unknown[] = [];
    const log = { ...silentLog, error: (fields: unknown) => failures.push(fields) };
    const publisher = createChannels({ takesMs: 0 });
    for (const instanceId of instances) {
      const common = { store, publisher, clock: systemClock, random: systemRandom, metrics: createMetrics() };
      const delivery = createDelivery({ ...common, log, intervalMs: 0, instanceId, times });
      delivery.start();
      deliveries.push(delivery);
      closing.push(() => delivery.stop());
    }
    const newRelay = async (bursts: readonly number[]) => {
      const rules = bursts.map((n, at) => ({ id: `b${at}`, channel: 'C1', when: { kind: 'burst', n, minutes: 30 } }));
      const every = { id: 'every', channel: 'C1', when: { kind: 'every' } };
      const settings = relaySettingsSchema.parse({ match: 'all', rules: [...rules, every] });
      const { path } = await relaysOf(store, onPosts).create({ ...gate, settings });
      return async () => (await postScan(`${intake.url}${path}`, notValid())).status;
    };
    return { newRelay, failures };
  };

  it('a scan of an open alert waits for the channel’s queue before locking the alert’s message update', async () => {
    const scan = await (await open([])).newRelay([2]);
    await scan();
    await scan();
    // The update exists from the third scan on.
    await scan();
    const updates = store.db.selectFrom('message_updates').selectAll();
    expect(await updates.execute()).toHaveLength(1);
    const answered = await store.db.transaction().execute(async (trx) => {
      await trx.selectFrom('channel_queues').selectAll().forUpdate().execute();
      const answer = scan();
      // Within one transaction PostgreSQL shows the activity of its first look.
      const waiting = () =>
        sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          store.db,
        );
      await expect.poll(async () => (await waiting()).rows, { interval: 10 }).toHaveLength(1);
      expect(await store.db.transaction().execute((other) => updatesOf(other))).toHaveLength(1);
      return { answer };
    });
    expect(await answered.answer).toBe(200);
  });

  it('scans of 60 open alerts in one channel cause no deadlock with the delivery of posts', async () => {
    const { newRelay, failures } = await open(['w1', 'w2']);
    const bursts = Array.from({ length: 10 }, (_, at) => 2 + at * 4);
    const relays = await Promise.all(Array.from({ length: 6 }, () => newRelay(bursts)));
    const until = Date.now() + runMs;
    const statuses = new Set<number>();
    const client = async (scan: () => Promise<number>): Promise<void> => {
      while (Date.now() < until) {
        statuses.add(await scan());
      }
    };
    await Promise.all([...relays, ...relays].map(client));
    // The server reports what a connection has met once that has been idle for a second.
    await systemClock.sleep(1_500);
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(store.db);
    expect(rows[0]?.deadlocks).toBe(0);
    expect(failures).toEqual([]);
    expect([...statuses]).toEqual([200]);
  });
});

function updatesOf(db: Store['db']) {
  return db.selectFrom('message_updates').selectAll().forUpdate().noWait().execute();
}
