/** The open-loop benchmark: latencies of the intake at fixed rates, beside a bare handler at the same rate. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import type { Row } from './figures.js';
import { scan } from './intake.js';
import { applyOpenLoad, type OpenLoad } from './load.js';
import { type Measured, startMeasured } from './process.js';

/** Requests a second; 500 is what a relay accepts by default. */
const rates = [100, 500];
const ms = 8_000;

export async function benchOpenLoop(figures: Map<string, number>): Promise<Row[]> {
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
      const request = scan(server.told.path ?? '/');
      await applyOpenLoad({ port: server.port, perSecond: 500, ms: 2_000, request });
      for (const perSecond of rates) {
        const beside = await applyOpenLoad({ port: bare.port, perSecond, ms, request });
        const ours = await applyOpenLoad({ port: server.port, perSecond, ms, request });
        if (ours.refused > 0) {
          throw new Error(`${ours.refused} scans were refused: the figures would say nothing`);
        }
        for (const key of ['p50', 'p99', 'p999'] as const) {
          figures.set(`latency.${name}.${perSecond}.${key}`, ours[key]);
        }
        rows.push({
          what: `intake on ${name} at ${perSecond} a second (open loop), beside a bare handler`,
          ours: describe(ours),
          beside: describe(beside),
          ratio: `p99 ${(ours.p99 / beside.p99).toFixed(2)}`,
        });
      }
    }
  } finally {
    await Promise.all([bare, ...Object.values(stores)].map((server) => server.stop()));
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

function describe({ p50, p99, p999 }: OpenLoad): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, p99.9 ${p999.toFixed(1)} ms`;
}
