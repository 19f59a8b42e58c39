/**
 * The backlog benchmark: a relay with 100,000 waiting posts is resumed, on SQLite and on PostgreSQL. It measures the
 * longest stall of the event loop until all posts are merged into digests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createDelivery, createRelays } from '../../src/relay/index.js';
import { openStore } from '../../src/workspaces/store.js';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import type { Row } from './figures.js';
import { startPublisher } from './many-relays.js';
import { addOldScans } from './old-scans.js';
import { watchLoop } from './stalls.js';

const posts = 100_000;
const atOnce = 5_000;

export async function benchBacklog(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const postgres = await startPostgres();
  try {
    return [
      await resume('sqlite', `file:${join(folder, 'bench.db')}`, figures),
      await resume('postgres', (await createDatabase(postgres.url)).url, figures),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function resume(name: string, url: string, figures: Map<string, number>): Promise<Row> {
  const shared = { clock: systemClock, random: systemRandom, log: silentLog, metrics: createMetrics() };
  const store = await openStore({ ...shared, url, secretKeys: [Buffer.alloc(32, 1)] });
  const delivery = createDelivery({
    ...{ ...shared, store, publisher: startPublisher(), intervalMs: 1_000, instanceId: 'bench' },
  });
  const owner = { installation: 'T0BENCH', team: 'T0BENCH' };
  const relays = createRelays({ ...shared, store, onPosts: delivery.notify });
  const { relay } = await relays.create({
    ...{ owner, serviceIds: [], serviceName: 'Gate', channel: 'C0BENCH', notable: 'all', createdBy: 'U0BENCH' },
  });
  await relays.pause(owner, relay.id);
  await addOldScans(store, relay, posts);
  await sql`insert into channel_queues (installation, team, channel) values ('T0BENCH', 'T0BENCH', 'C0BENCH')
    on conflict do nothing`.execute(store.db);
  for (let n = 0; n < posts; n += atOnce) {
    await sql`insert into outbox (key, installation, team, channel, source_id, scan_id, state, attempts, next_at)
      select id, 'T0BENCH', 'T0BENCH', 'C0BENCH', relay_id, id, 'pending', 0, 0 from received_scans
      where id > (select coalesce(max(scan_id), '') from outbox) order by id limit ${sql.lit(atOnce)}`.execute(
      store.db,
    );
  }
  delivery.start();
  await wait(500);
  const watched = watchLoop();
  const started = performance.now();
  await relays.resume(owner, relay.id);
  // The query uses the index of open posts: reading finished ones too would itself stall the event loop.
  const waiting = () =>
    store.db
      .selectFrom('outbox')
      .select('seq')
      .where((eb) => eb.and({ ...owner, source_id: relay.id, state: 'pending', kind: 'scan' }))
      .where('finished_at', 'is', null)
      .limit(1);
  while (await waiting().executeTakeFirst()) {
    await wait(100);
  }
  const tookMs = performance.now() - started;
  const { wallMs, cpuMs } = await watched();
  await delivery.stop();
  await store.close();
  figures.set(`backlog.${name}.longestStallMs`, wallMs);
  figures.set(`backlog.${name}.longestStallCpuMs`, cpuMs);
  return {
    what: `${posts.toLocaleString('en')} waiting posts of a relay on ${name} are resumed`,
    ours: `longest stall ${wallMs.toFixed(0)} ms (${cpuMs.toFixed(0)} ms of processor time)`,
    beside: `merged in ${(tookMs / 1_000).toFixed(0)} s`,
    ratio: '',
  };
}
