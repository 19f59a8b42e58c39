/**
 * The removal benchmark: the intake at a fixed rate while a rule of its relay that counted many barcodes is removed,
 * and its counters are deleted, beside itself at rest before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import type { Row } from './figures.js';
import { scan } from './intake.js';
import { applyOpenLoad, type OpenLoad } from './load.js';
import { type Measured, startMeasured } from './process.js';

const counters = Number(process.env.BENCH_COUNTERS ?? 200_000);
const perSecond = 100;
const ms = 15_000;
const rule = {
  ...{ id: 'counted', channel: 'C0BENCH' },
  when: [
    { kind: 'nth', n: 1_000_000, of: 'value' },
    { kind: 'result', is: 'valid' },
  ],
};

export async function benchRemoval(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const postgres = await startPostgres();
  const start = (url: string) =>
    startMeasured('relay-server', {
      ...{ BENCH_DATABASE: url, BENCH_COUNTERS: String(counters), BENCH_RULES: JSON.stringify([rule]) },
    });
  const rows: Row[] = [];
  try {
    const urls = { sqlite: `file:${join(folder, 'bench.db')}`, postgres: (await createDatabase(postgres.url)).url };
    for (const [name, url] of Object.entries(urls)) {
      const server = await start(url);
      rows.push(await compare(name, server, figures).finally(() => server.stop()));
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

async function compare(name: string, server: Measured, figures: Map<string, number>): Promise<Row> {
  const request = scan(server.told.path ?? '/');
  const load = () => applyOpenLoad({ port: server.port, perSecond, ms, request });
  await applyOpenLoad({ port: server.port, perSecond: 500, ms: 2_000, request });
  const resting = await load();
  server.order('remove');
  const removing = await load();
  if (removing.refused > 0) {
    throw new Error(`${removing.refused} scans were refused: the figures would say nothing`);
  }
  figures.set(`removal.${name}.p99`, removing.p99);
  figures.set(`removal.${name}.longest`, removing.longest);
  figures.set(`removal.${name}.p99Ratio`, removing.p99 / resting.p99);
  return {
    what: `intake on ${name} at ${perSecond} a second (open loop) while a rule that counted ${counters.toLocaleString('en')} barcodes is removed, beside itself at rest`,
    ours: describe(removing),
    beside: describe(resting),
    ratio: `p99 ${(removing.p99 / resting.p99).toFixed(2)}`,
  };
}

function describe({ p50, p99, longest }: OpenLoad): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(0)} ms`;
}
