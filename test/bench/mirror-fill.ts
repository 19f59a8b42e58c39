/**
 * The benchmark of the first copy: half a million values and a million scans into real tables, by a simulated clock. It
 * measures the simulated minutes, the seconds here, the longest hold of the event loop, and the size on disk.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { openStore } from '../../src/workspaces/store.js';
import { simulateMirror } from '../helpers/large-account.js';
import type { Row } from './figures.js';
import { watchLoop } from './stalls.js';

const values = Number(process.env.BENCH_VALUES ?? 500_000);
const scans = Number(process.env.BENCH_SCANS ?? 1_000_000);

export async function benchMirrorFill(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const file = join(folder, 'bench.db');
  const store = await openStore({
    ...{ url: `file:${file}`, secretKeys: [Buffer.alloc(32, 1)] },
    ...{ clock: systemClock, random: systemRandom, log: silentLog },
  });
  try {
    const mirror = await simulateMirror(store, { values, scans, pageSize: 10_000 });
    const [began, from, watched] = [mirror.now(), performance.now(), watchLoop()];
    while (!(await mirror.filled())) {
      await mirror.round();
    }
    const minutes = (mirror.now() - began) / 60_000;
    const seconds = (performance.now() - from) / 1_000;
    const { cpuMs } = await watched();
    const bytes = statSync(file).size;
    figures.set('mirror.minutes', minutes);
    figures.set('mirror.calls', mirror.calls.length);
    figures.set('mirror.seconds', seconds);
    figures.set('mirror.bytes', bytes);
    figures.set('mirror.stallMs', cpuMs);
    return [
      {
        what: `the first copy of ${values.toLocaleString('en')} values and ${scans.toLocaleString('en')} scans, 30% of 30 calls a minute, on sqlite`,
        ours: `${Math.round(minutes)} minutes, ${mirror.calls.length} calls`,
        beside: `${Math.round(seconds)} s of writing, event loop held ${Math.round(cpuMs)} ms at most, ${Math.round(bytes / 1e6)} MB`,
        ratio: '',
      },
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
