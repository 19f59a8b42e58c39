/**
 * The slash command benchmark: time to acknowledgement, alternating in one run with a bare Bolt app that has the same
 * listeners and one that has only the measured listener.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from './figures.js';
import { applyLoad, type Load, post } from './load.js';
import { type Measured, startMeasured } from './process.js';
import { startSink } from './slack-sink.js';

const connections = 8;
const atOnce = 50;
const rounds = 5;
const roundMs = 3_000;
export const signingSecret = 'bench-signing-secret';

export async function benchCommand(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const sink = await startSink();
  const settings = { BENCH_SLACK: sink.url, BENCH_SIGNING_SECRET: signingSecret };
  const servers = {
    app: await startMeasured('app-server', { ...settings, BENCH_DATABASE: `file:${join(folder, 'bench.db')}` }),
    same: await startMeasured('bolt-server', { ...settings, BENCH_LISTENERS: 'same' }),
    one: await startMeasured('bolt-server', settings),
  };
  const load = (port: number, ms = roundMs, count = connections) =>
    applyLoad({ port, connections: count, ms, request: () => command(sink.url) });
  const taken: Record<keyof typeof servers, Load[]> = { app: [], same: [], one: [] };
  const crowded: Record<keyof typeof servers, Load[]> = { app: [], same: [], one: [] };
  const each = Object.entries(servers) as [keyof typeof servers, Measured][];
  try {
    for (const [, { port }] of each) {
      await load(port, 1_000);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { port }] of each) {
        taken[name].push(await load(port));
        crowded[name].push(await load(port, roundMs, atOnce));
      }
    }
  } finally {
    await Promise.all(each.map(([, server]) => server.stop()));
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const refused = [taken, crowded]
    .flatMap((loads) => Object.values(loads).flat())
    .reduce((sum, one) => sum + one.refused, 0);
  if (refused > 0) {
    throw new Error(`${refused} commands were refused: the figures would say nothing`);
  }
  const beside = (name: 'same' | 'one', words: string): Row => {
    const ratio = median(taken.app.map((ours, n) => ours.perSecond / taken[name][n]!.perSecond));
    figures.set(name === 'same' ? 'command.ratio' : 'command.oneListenerRatio', ratio);
    return {
      what: `a slash command acknowledged, ${connections} connections, beside a bare Bolt app with ${words}`,
      ours: inWords(taken.app),
      beside: inWords(taken[name]),
      ratio: ratio.toFixed(2),
    };
  };
  const slowest = (name: keyof typeof servers) => median(crowded[name].map(({ p99 }) => p99));
  const crowd: Row = {
    what: `a slash command acknowledged, ${atOnce} at once, beside a bare Bolt app with the same listeners`,
    ours: `p99 ${slowest('app').toFixed(1)} ms`,
    beside: `p99 ${slowest('same').toFixed(1)} ms`,
    ratio: `p99 ${(slowest('app') / slowest('same')).toFixed(2)}`,
  };
  return [beside('same', 'the same listeners'), beside('one', 'that one listener'), crowd];
}

function inWords(loads: readonly Load[]): string {
  const of = (key: 'perSecond' | 'p50') => median(loads.map((one) => one[key]));
  return `${Math.round(of('perSecond'))}/s, p50 ${of('p50').toFixed(1)} ms`;
}

export function command(slack: string, { user = 'U0ONE', text = 'help' } = {}): string {
  const body = new URLSearchParams({
    token: 'unused',
    team_id: 'T0BENCH',
    team_domain: 'bench',
    channel_id: 'C0BENCH',
    channel_name: 'bench',
    user_id: user,
    user_name: 'one',
    command: '/barcode',
    text,
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
