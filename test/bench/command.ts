/**
 * Measures how fast a slash command is acknowledged, beside a bare Bolt app with a listener that does the same, round about
 * in one run.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from './figures.js';
import { applyLoad, type Load, post } from './load.js';
import { startMeasured } from './process.js';
import { startSink } from './slack-sink.js';

const connections = 8;
const rounds = 5;
const roundMs = 3_000;
const signingSecret = 'bench-signing-secret';

export async function benchCommand(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const sink = await startSink();
  const settings = { BENCH_SLACK: sink.url, BENCH_SIGNING_SECRET: signingSecret };
  const bolt = await startMeasured('bolt-server', settings);
  const app = await startMeasured('app-server', { ...settings, BENCH_DATABASE: `file:${join(folder, 'bench.db')}` });
  const load = (port: number, ms = roundMs) => applyLoad({ port, connections, ms, request: () => command(sink.url) });
  try {
    await load(bolt.port, 1_000);
    await load(app.port, 1_000);
    const ours: Load[] = [];
    const beside: Load[] = [];
    for (let round = 0; round < rounds; round += 1) {
      beside.push(await load(bolt.port));
      ours.push(await load(app.port));
    }
    const refused = [...ours, ...beside].reduce((sum, one) => sum + one.refused, 0);
    if (refused > 0) {
      throw new Error(`${refused} commands were refused: the figures would say nothing`);
    }
    const ratio = median(ours.map((one, n) => one.perSecond / beside[n]!.perSecond));
    figures.set('command.ratio', ratio);
    const words = (loads: Load[]) =>
      `${Math.round(median(loads.map((one) => one.perSecond)))}/s, p50 ${median(loads.map((one) => one.p50)).toFixed(1)} ms`;
    return [
      {
        what: `a slash command acknowledged, ${connections} connections, beside a bare Bolt app`,
        ours: words(ours),
        beside: words(beside),
        ratio: ratio.toFixed(2),
      },
    ];
  } finally {
    await Promise.all([bolt.stop(), app.stop()]);
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function command(slack: string): string {
  const body = new URLSearchParams({
    token: 'unused',
    team_id: 'T0BENCH',
    team_domain: 'bench',
    channel_id: 'C0BENCH',
    channel_name: 'bench',
    user_id: 'U0ONE',
    user_name: 'one',
    command: '/barcode',
    text: 'help',
    api_app_id: 'A0BENCH',
    is_enterprise_install: 'false',
    response_url: `${slack}/response/x`,
    trigger_id: '1.2.3',
  }).toString();
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return post('/slack/events', body, {
    'X-Slack-Request-Timestamp': String(at),
    'X-Slack-Signature': `v0=${signature}`,
  });
}
