/**
 * The lists benchmark: the intake with a board, thresholds and a list of what is out, alternating in one run with an
 * intake without lists; then the processor time of folding the scans, and the time to read who is inside.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { openStore } from '../../src/workspaces/store.js';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import { benchedOwner, placesOf } from './benched-lists.js';
import { median, percentile, type Row } from './figures.js';
import { scan } from './intake.js';
import { applyLoad, type Load } from './load.js';
import { type Measured, startMeasured } from './process.js';

const connections = 64;
const rounds = 7;
/** Short, since each scan that the rounds leave is folded for two lists afterwards. */
const roundMs = 1_000;
const questions = 500;
const eveningMs = 4 * 60 * 60_000;

export async function benchLists(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const postgres = await startPostgres();
  const urls: Record<string, () => Promise<string>> = {
    sqlite: async () => `file:${join(folder, `${systemRandom.fraction()}.db`)}`,
    postgres: async () => (await createDatabase(postgres.url)).url,
  };
  const rows: Row[] = [];
  try {
    for (const [name, fresh] of Object.entries(urls)) {
      const [url, plainUrl] = [await fresh(), await fresh()];
      rows.push(await compare(name, { url, plainUrl }, figures), await ask(name, url, figures));
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

/** Compares the processor time for each scan with and without lists. */
async function compare(
  name: string,
  { url, plainUrl }: { readonly url: string; readonly plainUrl: string },
  figures: Map<string, number>,
): Promise<Row> {
  const plain = await startMeasured('relay-server', { BENCH_DATABASE: plainUrl });
  const listed = await startMeasured('relay-server', { BENCH_DATABASE: url, BENCH_LISTS: '1' });
  const measure = async (server: Measured, ms = roundMs) => {
    const before = await server.cpuMs();
    const began = Date.now() - eveningMs;
    // The scans are those of an evening, not of one minute: lists are counted by the minute.
    const request = scan(server.told.path ?? '/', (n) => began + ((n * 1_000) % eveningMs));
    const load: Load = await applyLoad({ port: server.port, connections, ms, request });
    return ((await server.cpuMs()) - before) / load.sent;
  };
  try {
    await measure(plain, 1_000);
    await measure(listed, 1_000);
    const [without, having]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      without.push(await measure(plain));
      having.push(await measure(listed));
    }
    const ratio = median(having.map((one, n) => one / without[n]!));
    figures.set(`lists.${name}.ratio`, ratio);
    const words = (each: number[]) => `${(median(each) * 1_000).toFixed(0)} µs of processor time a scan`;
    return {
      what: `intake on ${name} with a board, thresholds and a list of what is out, beside no lists`,
      ours: words(having),
      beside: words(without),
      ratio: ratio.toFixed(3),
    };
  } finally {
    await Promise.all([plain.stop(), listed.stop()]);
  }
}

async function ask(name: string, url: string, figures: Map<string, number>): Promise<Row> {
  const store = await openStore({
    ...{ url, secretKeys: [Buffer.alloc(32, 1)], clock: systemClock, random: systemRandom, log: silentLog },
  });
  try {
    const places = placesOf(store);
    const began = process.cpuUsage();
    await places.folder.poll();
    const { user, system } = process.cpuUsage(began);
    const { rows } = await store.db
      .selectFrom('places')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    const [list] = await places.lists(benchedOwner);
    const times: number[] = [];
    const looksBegan = process.cpuUsage();
    for (let n = 0; n < questions; n += 1) {
      const at = performance.now();
      await places.figures(list!);
      times.push(performance.now() - at);
    }
    const looked = process.cpuUsage(looksBegan);
    const lookMs = (looked.user + looked.system) / 1_000 / questions;
    times.sort((a, b) => a - b);
    const foldUs = (user + system) / Number(rows);
    figures.set(`lists.${name}.insideP99`, percentile(times, 0.99));
    figures.set(`lists.${name}.foldUs`, foldUs);
    figures.set(`lists.${name}.lookMs`, lookMs);
    const each = `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
    return {
      what: `who is inside on ${name}, of ${rows} places; folding each takes ${foldUs.toFixed(0)} µs of processor time, a look ${lookMs.toFixed(2)} ms`,
      ours: each,
      beside: '',
      ratio: '',
    };
  } finally {
    await store.close();
  }
}
