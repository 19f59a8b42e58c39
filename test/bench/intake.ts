/** The intake benchmark: 64 connections, alternating in one run with a bare handler, on SQLite and on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import { median, type Row } from './figures.js';
import { applyLoad, type Load, post } from './load.js';
import { type Measured, startMeasured } from './process.js';

const connections = 64;
const rounds = 5;
const roundMs = 3_000;

/** Makes the requests of scans of 97 devices; every scan is different. */
export function scan(path: string, madeAt: (n: number) => number = () => Date.now()) {
  const madeText = (n: number) =>
    new Date(madeAt(n)).toISOString().slice(0, 19).replace('T', '+').replaceAll(':', '%3A');
  const run = Math.floor(performance.now());
  return (n: number) =>
    post(
      path,
      `tid=T-${run}-${n}&sid=1201&userid=702&udid=8f14e45f-ceea-467f-9c2b-${n % 97}&scanned_at_utc=${madeText(n)}&answers%5B381%5D=Yes&capture_type=camera`,
    );
}

export async function benchIntake(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const postgres = await startPostgres();
  const bare = await startMeasured('bare-server');
  const stores: Record<string, Measured> = {
    sqlite: await startMeasured('relay-server', { BENCH_DATABASE: `file:${join(folder, 'bench.db')}` }),
    postgres: await startMeasured('relay-server', { BENCH_DATABASE: (await createDatabase(postgres.url)).url }),
  };
  const rows: Row[] = [];
  try {
    for (const [name, server] of Object.entries(stores)) {
      rows.push(await compare(name, server, bare, figures));
    }
  } finally {
    await Promise.all([bare, ...Object.values(stores)].map((server) => server.stop()));
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

async function compare(name: string, server: Measured, bare: Measured, figures: Map<string, number>): Promise<Row> {
  const path = server.told.path ?? '/';
  const load = (port: number, ms = roundMs) => applyLoad({ port, connections, ms, request: scan(path) });
  await load(bare.port, 1_000);
  await load(server.port, 1_000);
  const ours: Load[] = [];
  const beside: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    beside.push(await load(bare.port));
    ours.push(await load(server.port));
  }
  const refused = ours.reduce((sum, one) => sum + one.refused, 0);
  if (refused > 0) {
    throw new Error(`${refused} scans were refused: the figures would say nothing`);
  }
  const of = (loads: Load[], key: 'perSecond' | 'p50' | 'p99') => median(loads.map((one) => one[key]));
  const ratio = median(ours.map((one, n) => one.perSecond / beside[n]!.perSecond));
  const p99Ratio = median(ours.map((one, n) => one.p99 / beside[n]!.p99));
  figures.set(`intake.${name}.ratio`, ratio);
  figures.set(`intake.${name}.perSecond`, of(ours, 'perSecond'));
  figures.set(`intake.${name}.p50`, of(ours, 'p50'));
  figures.set(`intake.${name}.p99`, of(ours, 'p99'));
  figures.set(`intake.${name}.p99Ratio`, p99Ratio);
  const words = (loads: Load[]) =>
    `${Math.round(of(loads, 'perSecond'))}/s, p50 ${of(loads, 'p50').toFixed(1)} ms, p99 ${of(loads, 'p99').toFixed(1)} ms`;
  return {
    what: `intake on ${name}, ${connections} connections, beside a bare handler`,
    ours: words(ours),
    beside: words(beside),
    ratio: `${ratio.toFixed(2)} (p99 ${p99Ratio.toFixed(2)})`,
  };
}
