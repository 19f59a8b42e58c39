/** The benchmark of a workspace with 10,000 relays: 100 of them post, beside a workspace that has those 100 alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from '../../src/ownership.js';
import type { Publisher } from '../../src/posts/index.js';
import type { Relays } from '../../src/relay/index.js';
import { median, type Row } from './figures.js';
import { scan } from './intake.js';
import { applyLoad, type Load } from './load.js';
import { type Measured, startMeasured } from './process.js';

const posting = 100;
const relays = 10_000;
const connections = 4;
const rounds = 3;
const roundMs = 3_000;

/** Adds relays, which post to 100 channels in turn, and returns the paths of the first hundred. */
export async function addRelays(service: Relays, owner: Owner, count: number): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { path } = await service.create({
      ...{ owner, serviceIds: [], serviceName: `Gate ${n}`, channel: `C0BENCH${n % posting}` },
      ...{ notable: 'all', createdBy: 'U0BENCH' },
    });
    if (paths.length < posting) {
      paths.push(path);
    }
  }
  return paths;
}

/** A publisher that accepts every post at once. */
export function startPublisher(): Publisher {
  return {
    post: async () => ({ outcome: 'delivered', ts: '1.000000' }),
    find: async () => ({ outcome: 'absent' }),
    edit: async () => ({ outcome: 'edited' }),
    open: async () => undefined,
    admins: async () => [],
  };
}

export async function benchManyRelays(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const start = (count: number) =>
    startMeasured('relay-server', {
      BENCH_DATABASE: `file:${join(folder, `${count}.db`)}`,
      BENCH_RELAYS: String(count),
    });
  const [few, many] = [await start(posting), await start(relays)];
  try {
    const [ours, beside]: [CostlyLoad[], CostlyLoad[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      beside.push(await load(few));
      ours.push(await load(many));
    }
    const of = (loads: CostlyLoad[], key: 'p50' | 'p99' | 'cpuMs') => median(loads.map((one) => one[key]));
    const ratio = median(ours.map((one, n) => one.perSecond / beside[n]!.perSecond));
    figures.set('relays.ratio', ratio);
    figures.set('relays.p50', of(ours, 'p50'));
    figures.set('relays.p99', of(ours, 'p99'));
    figures.set('relays.cpuMs', of(ours, 'cpuMs'));
    const words = (loads: CostlyLoad[]) =>
      `p50 ${of(loads, 'p50').toFixed(1)} ms, p99 ${of(loads, 'p99').toFixed(1)} ms, ${of(loads, 'cpuMs').toFixed(2)} ms of processor time a scan`;
    return [
      {
        what: `intake while posting, ${relays.toLocaleString('en-US')} relays in a workspace, beside ${posting}`,
        ours: words(ours),
        beside: words(beside),
        ratio: ratio.toFixed(2),
      },
    ];
  } finally {
    await Promise.all([few.stop(), many.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `cpuMs`: the milliseconds of processor time for each scan and its post. */
type CostlyLoad = Load & { readonly cpuMs: number };

async function load({ port, told, cpuMs }: Measured): Promise<CostlyLoad> {
  const requests = (JSON.parse(told.paths ?? '[]') as string[]).map((path) => scan(path));
  const before = await cpuMs();
  const done = await applyLoad({ port, connections, ms: roundMs, request: (n) => requests[n % requests.length]!(n) });
  return { ...done, cpuMs: ((await cpuMs()) - before) / done.sent };
}
