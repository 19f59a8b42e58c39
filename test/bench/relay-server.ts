/**
 * The intake on the app's own HTTP server, with a store at BENCH_DATABASE and one relay: BENCH_OLD_SCANS older scans,
 * the rules in BENCH_RULES (JSON), of which the first has counted BENCH_COUNTERS barcodes. BENCH_LISTS adds lists,
 * which this process does not fold; BENCH_RELAYS adds so many relays, without which no post is delivered.
 */
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { silentRefusals } from '../../src/refusal-log.js';
import { createDelivery, createIntake, createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { createPrune } from '../../src/relay/retention/retention.js';
import { createRemovedRulePurge } from '../../src/relay/rules/removed-rules.js';
import { createHttpServer } from '../../src/server.js';
import { openStore } from '../../src/workspaces/store.js';
import { addLists } from './benched-lists.js';
import { addRelays, startPublisher } from './many-relays.js';
import { addCounters, addOldScans } from './old-scans.js';
import { serveMeasured } from './process.js';

const shared = { clock: systemClock, random: systemRandom, log: silentLog, metrics: createMetrics() };
const store = await openStore({ ...shared, url: process.env.BENCH_DATABASE ?? '', secretKeys: [Buffer.alloc(32, 1)] });
const many = Number(process.env.BENCH_RELAYS ?? 0);
const delivery = createDelivery({
  ...shared,
  store,
  publisher: startPublisher(),
  intervalMs: 1_000,
  instanceId: 'bench',
});
const onPosts = () => (many > 0 ? delivery.notify() : undefined);
const owner = { installation: 'T0BENCH', team: 'T0BENCH' };
const relays = createRelays({ ...shared, store, onPosts });
const { path, relay } = await relays.create({
  owner,
  serviceIds: [],
  serviceName: 'Gate',
  channel: 'C0BENCH',
  notable: process.env.BENCH_NOTABLE === 'all' ? 'all' : 'invalid',
  createdBy: 'U0BENCH',
  settings: relaySettingsSchema.parse({ rules: JSON.parse(process.env.BENCH_RULES ?? '[]') }),
});
const paths = await addRelays(relays, owner, many);
if (many > 0) {
  delivery.start();
}
const old = await addOldScans(store, relay, Number(process.env.BENCH_OLD_SCANS ?? 0));
await addCounters(store, relay, Number(process.env.BENCH_COUNTERS ?? 0));
if (process.env.BENCH_LISTS) {
  await addLists(store);
}
const rate = { perSecond: 1_000_000, burst: 1_000_000 };
const intake = createIntake({ ...shared, store, refusals: silentRefusals, onPosts, rate, lateHours: 24 });
const http = createHttpServer({
  routes: [{ path: '/relay/', handle: intake.handle }],
  log: silentLog,
  clock: systemClock,
});
const port = await http.listen(0, '127.0.0.1');
const prune = createPrune(store, systemClock);
let working = Promise.resolve();
let stop = new AbortController();
serveMeasured(
  { port: String(port), path, paths: JSON.stringify(paths) },
  async () => {
    stop.abort();
    await working;
    await http.close(1_000);
    await delivery.stop();
    await store.close();
  },
  {
    prune: () => {
      stop = new AbortController();
      working = prune(old.before, stop.signal).then(() => undefined);
    },
    remove: () => {
      stop = new AbortController();
      working = relays
        .change(owner, relay.id, { settings: relaySettingsSchema.parse({}) })
        .then(() => createRemovedRulePurge(store, systemClock)(stop.signal))
        .then(() => undefined);
    },
    rest: () => stop.abort(),
  },
);
