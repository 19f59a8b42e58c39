/**
 * A process that works exports on the app's store, for what one process cannot show: its memory, and a kill.
 * Usage: export-process.mjs URL FOLDER. A shared file is FOLDER/<export>.file; what happens is printed, a line of JSON each.
 */
import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock, systemRandom } from '../../src/clock.ts';
import { createJobs } from '../../src/database/jobs/runner.ts';
import { createExports } from '../../src/exports/index.ts';
import { silentLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createMirror } from '../../src/mirror/index.ts';
import { createScans } from '../../src/scans/index.ts';
import { openStore } from '../../src/workspaces/store.ts';

const [url, folder] = process.argv.slice(2);
const shared = { clock: systemClock, random: systemRandom, log: silentLog };
const store = await openStore({ url, secretKeys: [Buffer.alloc(32, 's')], ...shared });
const account = {
  names: {
    services: async () => [{ id: '1', name: 'Gate A' }],
    users: async () => [{ id: '7', username: 'ann' }],
    devices: async () => [{ id: '5', udid: 'u5', name: 'Phone 5' }],
  },
};
const accounts = { open: () => account };
const metrics = createMetrics();
const instanceId = systemRandom.bytes(6).toString('hex');
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

let longestStall = 0;
let last = performance.now();
setInterval(() => {
  longestStall = Math.max(longestStall, performance.now() - last - 5);
  last = performance.now();
}, 5).unref();

const memory = () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
let most = 0;
const files = {
  place: async () => ({ channel: 'D1' }),
  async upload(record, { bytes, content }) {
    const counted = (async function* () {
      for await (const part of content) {
        most = Math.max(most, memory());
        yield part;
      }
    })();
    await pipeline(Readable.from(counted), createWriteStream(join(folder, `${record.id}.part`)));
    if ((await stat(join(folder, `${record.id}.part`))).size !== bytes) throw new Error('announced with another size');
    return { outcome: 'uploaded', fileId: 'F1' };
  },
  async share(record) {
    await rename(join(folder, `${record.id}.part`), join(folder, `${record.id}.file`));
    return { outcome: 'shared' };
  },
};
const mirror = createMirror({ ...shared, store, accounts, metrics, instanceId, required: async () => [] });
const info = ({ export: id, outcome, rows }) => {
  if (id !== undefined) {
    tell({ told: id, outcome, rows, most, grown: most - before, rss: peakRss - rssBefore, longestStall });
  }
};
const log = { info, warn: () => undefined, error: () => undefined, debug: () => undefined };
const jobs = createJobs({ ...shared, log, store, metrics, instanceId });
createExports({
  jobs,
  places: { lists: async () => [], minutes: async () => [] },
  ...{ ...shared, log, store, accounts, metrics, instanceId, files, mirror },
  ...{ notices: { add: async () => undefined }, onPosts: () => undefined },
  scans: createScans(store.db),
});
const before = memory();
const rssBefore = process.memoryUsage.rss();
let peakRss = rssBefore;
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 20).unref();
let steps = 0;
setInterval(() => {
  steps += 1;
  most = Math.max(most, steps % 10 === 0 ? memory() : 0);
}, 100).unref();
longestStall = 0;
jobs.start();
tell({ started: true });
process.on('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  process.exit(0);
});
