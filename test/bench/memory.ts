/** The memory benchmark: growth of the intake's memory over 100,000 scans, after 10,000 to warm up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './figures.js';
import { applyLoad, post } from './load.js';
import { startMeasured } from './process.js';

const scans = 100_000;

export async function benchMemory(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const server = await startMeasured('relay-server', {
    BENCH_DATABASE: `file:${join(folder, 'bench.db')}`,
    BENCH_NOTABLE: 'all',
  });
  try {
    const path = server.told.path ?? '/';
    let sent = 0;
    const send = async (until: number) => {
      while (sent < until) {
        const before = sent;
        await applyLoad({
          port: server.port,
          connections: 64,
          ms: 1_000,
          request: (n) => {
            sent = before + n;
            return post(path, `tid=M-${sent}&sid=1&userid=2&udid=3&scanned_at_utc=2026-01-01+00%3A00%3A00`);
          },
        });
      }
    };
    await send(scans / 10);
    const before = await server.memory();
    await send(sent + scans);
    const after = await server.memory();
    figures.set('memory.mb', after);
    figures.set('memory.grownMb', after - before);
    return [
      {
        what: `memory after ${scans.toLocaleString('en')} scans`,
        ours: `${after.toFixed(0)} MB`,
        beside: `${before.toFixed(0)} MB before`,
        ratio: (after / before).toFixed(2),
      },
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
