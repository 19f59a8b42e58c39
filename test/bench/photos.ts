/** The photo benchmark: acknowledgements at 50 commands a second while the process reads 20 photos at a time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { command, signingSecret } from './command.js';
import { drawSymbol, photograph } from './drawn-pictures.js';
import type { Row } from './figures.js';
import { applyOpenLoad } from './load.js';
import { startMeasured } from './process.js';
import { startSink } from './slack-sink.js';

const perSecond = 50;

export async function benchPhotos(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const file = join(folder, 'photo.jpg');
  const symbol = await drawSymbol({ format: 'Code128', text: 'PHOTO-00042' }, 6);
  // As many pixels as a phone takes.
  writeFileSync(file, await photograph([symbol], { scale: 3, degrees: 9, blur: 1, jpeg: 85 }));
  const sink = await startSink();
  const server = await startMeasured('app-server', {
    BENCH_SLACK: sink.url,
    BENCH_SIGNING_SECRET: signingSecret,
    BENCH_DATABASE: `file:${join(folder, 'bench.db')}`,
    BENCH_PHOTO: file,
  });
  const load = (ms: number) => applyOpenLoad({ port: server.port, perSecond, ms, request: () => command(sink.url) });
  try {
    await load(2_000);
    const before = await load(8_000);
    server.order('photos');
    await wait(1_000);
    const during = await load(8_000);
    if (before.refused + during.refused > 0) {
      throw new Error('commands were refused: the figures would say nothing');
    }
    figures.set('photos.acknowledgeP99', during.p99);
    return [
      {
        what: `slash commands acknowledged at ${perSecond} a second while 20 photos are read, beside none`,
        ours: `p50 ${during.p50.toFixed(1)} ms, p99 ${during.p99.toFixed(1)} ms`,
        beside: `p50 ${before.p50.toFixed(1)} ms, p99 ${before.p99.toFixed(1)} ms`,
        ratio: '',
      },
    ];
  } finally {
    await server.stop();
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
