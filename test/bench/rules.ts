/** The rules benchmark: the intake with 50 rules of five conditions, alternating in one run with one without rules. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from './figures.js';
import { scan } from './intake.js';
import { applyLoad, type Load } from './load.js';
import { startMeasured } from './process.js';

const connections = 64;
const rounds = 5;
const roundMs = 3_000;
const allDay = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };

/** Every scan of `scan` meets the first four conditions of a rule and not the last: all are evaluated, none posts. */
export const benchedRules = Array.from({ length: 50 }, (_, n) => ({
  id: `rule${n}`,
  channel: 'C0BENCH',
  when: [
    { kind: 'result', is: 'valid' },
    { kind: 'from', what: 'service', ids: ['1201', `${n}`] },
    n % 5 === 0 ? { kind: 'value_pattern', pattern: '^T-[0-9]+' } : { kind: 'from', what: 'user', ids: ['702'] },
    { kind: 'within_hours', hours: allDay },
    n % 2 === 0
      ? { kind: 'value', is: [`VIP-${n}`, `VIP-${n + 1}`] }
      : { kind: 'property', name: 'capture_type', how: 'equals', to: `way ${n}` },
  ],
}));

export async function benchRules(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const start = (name: string, more: Record<string, string>) =>
    startMeasured('relay-server', { BENCH_DATABASE: `file:${join(folder, `${name}.db`)}`, ...more });
  const plain = await start('plain', {});
  const ruled = await start('ruled', { BENCH_RULES: JSON.stringify(benchedRules) });
  try {
    const load = ({ port, told }: typeof plain, ms = roundMs) =>
      applyLoad({ port, connections, ms, request: scan(told.path ?? '/') });
    await load(plain, 1_000);
    await load(ruled, 1_000);
    const [without, having]: [Load[], Load[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      without.push(await load(plain));
      having.push(await load(ruled));
    }
    if ([...without, ...having].some(({ refused }) => refused > 0)) {
      throw new Error('scans were refused: the figures would say nothing');
    }
    const of = (loads: Load[], key: 'perSecond' | 'p99') => median(loads.map((one) => one[key]));
    const ratio = median(having.map((one, n) => one.perSecond / without[n]!.perSecond));
    figures.set('rules.ratio', ratio);
    figures.set('rules.perSecond', of(having, 'perSecond'));
    const words = (loads: Load[]) => `${Math.round(of(loads, 'perSecond'))}/s, p99 ${of(loads, 'p99').toFixed(1)} ms`;
    return [
      {
        what: '50 rules of five conditions on sqlite, beside no rules',
        ours: words(having),
        beside: words(without),
        ratio: ratio.toFixed(2),
      },
    ];
  } finally {
    await Promise.all([plain.stop(), ruled.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
