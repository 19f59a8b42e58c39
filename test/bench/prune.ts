/**
 * The pruning benchmark on SQLite: the intake with and without pruning, alternating in one run, and the processor time
 * of pruning without intake.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median, type Row } from './figures.js';
import { scan } from './intake.js';
import { applyLoad, type Load } from './load.js';
import { startMeasured } from './process.js';

const old = Number(process.env.BENCH_OLD_SCANS ?? 200_000);
const rounds = 5;
const roundMs = 3_000;

export async function benchPrune(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const server = await startMeasured('relay-server', {
    BENCH_DATABASE: `file:${join(folder, 'bench.db')}`,
    BENCH_OLD_SCANS: String(old),
  });
  try {
    const request = scan(server.told.path ?? '/');
    const load = (connections: number) => applyLoad({ port: server.port, connections, ms: roundMs, request });
    server.order('prune');
    const [before, at] = [await server.cpuMs(), performance.now()];
    await wait(roundMs);
    const share = ((await server.cpuMs()) - before) / (performance.now() - at);
    server.order('rest');
    figures.set('prune.cpuShare', share);
    const rows: Row[] = [];
    for (const connections of [8, 64]) {
      await load(connections);
      const pruning: Load[] = [];
      const resting: Load[] = [];
      for (let round = 0; round < rounds; round += 1) {
        resting.push(await load(connections));
        server.order('prune');
        pruning.push(await load(connections));
        server.order('rest');
      }
      const ratio = median(pruning.map((one, n) => one.p99 / resting[n]!.p99));
      figures.set(`prune.p99Ratio${connections}`, ratio);
      const words = (loads: Load[]) =>
        `${Math.round(median(loads.map((one) => one.perSecond)))}/s, p99 ${median(loads.map((one) => one.p99)).toFixed(1)} ms`;
      rows.push({
        what: `intake on sqlite, ${connections} connections, while ${old.toLocaleString('en')} old scans are pruned (${Math.round(share * 100)} % of a core), beside itself at rest`,
        ours: words(pruning),
        beside: words(resting),
        ratio: `p99 ${ratio.toFixed(2)}`,
      });
    }
    return rows;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
