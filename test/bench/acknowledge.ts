/** The acknowledgement benchmark: 50 slash commands a second from 50 people (open loop), beside a bare Bolt app. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, signingSecret } from './command.js';
import type { Row } from './figures.js';
import { applyOpenLoad, type OpenLoad } from './load.js';
import { startMeasured } from './process.js';
import { startSink } from './slack-sink.js';

const perSecond = 50;
const ms = 10_000;
const people = 50;

export async function benchAcknowledge(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const sink = await startSink();
  const settings = { BENCH_SLACK: sink.url, BENCH_SIGNING_SECRET: signingSecret };
  const app = await startMeasured('app-server', { ...settings, BENCH_DATABASE: `file:${join(folder, 'bench.db')}` });
  const bare = await startMeasured('bolt-server', settings);
  const request = (n: number) => command(sink.url, { user: `U0P${n % people}`, text: `HLF-${n % 1_000}` });
  try {
    await applyOpenLoad({ port: app.port, perSecond, ms: 2_000, request });
    await applyOpenLoad({ port: bare.port, perSecond, ms: 2_000, request });
    const beside = await applyOpenLoad({ port: bare.port, perSecond, ms, request });
    const ours = await applyOpenLoad({ port: app.port, perSecond, ms, request });
    if (ours.refused > 0) {
      throw new Error(`${ours.refused} commands were refused: the figures would say nothing`);
    }
    figures.set('acknowledge.p50', ours.p50);
    figures.set('acknowledge.p99', ours.p99);
    return [
      {
        what: `a slash command acknowledged, ${perSecond} a second from ${people} people (open loop), beside a bare Bolt app`,
        ours: describe(ours),
        beside: describe(beside),
        ratio: `p99 ${(ours.p99 / beside.p99).toFixed(2)}`,
      },
    ];
  } finally {
    await Promise.all([app.stop(), bare.stop()]);
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe({ p50, p99 }: OpenLoad): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}
