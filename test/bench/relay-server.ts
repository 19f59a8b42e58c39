/**
 * The intake on the app's own HTTP server, with a store at BENCH_DATABASE and one relay with BENCH_OLD_SCANS older
 * scans.
 * Nothing is delivered: it measures the way from request to response, with durability on.
 */
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { silentRefusals } from '../../src/refusal-log.js';
import { createIntake, createRelays } from '../../src/relay/index.js';
import { createRetention } from '../../src/relay/scans/retention.js';
import { createHttpServer } from '../../src/server.js';
import { openStore } from '../../src/workspaces/store.js';
import { addOldScans } from './old-scans.js';
import { serveMeasured } from './process.js';

const shared = { clock: systemClock, random: systemRandom, log: silentLog, metrics: createMetrics() };
const store = await openStore({ ...shared, url: process.env.BENCH_DATABASE ?? '', secretKeys: [Buffer.alloc(32, 1)] });
const onPosts = () => undefined;
const owner = { installation: 'T0BENCH', team: 'T0BENCH' };
const { path, relay } = await createRelays({ ...shared, store, onPosts }).create({
  owner,
  serviceIds: [],
  serviceName: 'Gate',
  channel: 'C0BENCH',
  notable: process.env.BENCH_NOTABLE === 'all' ? 'all' : 'invalid',
  createdBy: 'U0BENCH',
});
const old = await addOldScans(store, relay, Number(process.env.BENCH_OLD_SCANS ?? 0));
const rate = { perSecond: 1_000_000, burst: 1_000_000 };
const intake = createIntake({ ...shared, store, refusals: silentRefusals, onPosts, rate });
const http = createHttpServer({
  routes: [{ path: '/relay/', handle: intake.handle }],
  log: silentLog,
  clock: systemClock,
});
const port = await http.listen(0, '127.0.0.1');
const retention = createRetention(store, (text) => text, systemClock);
let pruning = Promise.resolve();
let stop = new AbortController();
serveMeasured(
  { port: String(port), path },
  async () => {
    stop.abort();
    await pruning;
    await http.close(1_000);
    await store.close();
  },
  {
    prune: () => {
      stop = new AbortController();
      pruning = retention.prune(old.before, stop.signal).then(() => undefined);
    },
    rest: () => stop.abort(),
  },
);
