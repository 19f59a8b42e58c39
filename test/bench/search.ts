/**
 * The search benchmark: a million scans of the account and a quarter of a million of relays, searched as people do, on
 * SQLite and on PostgreSQL. It measures the time to the first page and the longest hold of the event loop.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../../src/clock.js';
import type { Account } from '../../src/codereadr/types.js';
import { silentLog } from '../../src/log.js';
import { type AccountSource, createScans } from '../../src/scans/index.js';
import { createScanSearch, type ScanQuery, type SearchScans } from '../../src/search/index.js';
import { firstPageTime } from '../../src/slack/scans/run-search.js';
import { openStore } from '../../src/workspaces/store.js';
import type { Store } from '../../src/workspaces/types.js';
import { fillScans } from '../helpers/many-scans.js';
import { mirrorOf } from '../helpers/mirror.js';
import { createDatabase, startPostgres } from '../helpers/postgres.js';
import { owner } from '../helpers/relay.js';
import { percentile, type Row } from './figures.js';
import { watchLoop } from './stalls.js';

const scans = Number(process.env.BENCH_SCANS ?? 1_000_000);
const received = scans / 4;
const rounds = 20;
/** The interval between scans: a million are a third of a year, of which the newest is an hour old. */
const everyMs = 10_000;
const newest = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;

/** A million scans have 400,000 barcodes, `K0-…` to `K99-…`: 12,500 scans have the same beginning. */
const searches: readonly (readonly [what: string, name: string, queries: readonly ScanQuery[]])[] = [
  ['a whole barcode', 'exact', many((n) => ({ barcode: { match: 'is', text: `K${n % 100}-${n}` } }))],
  ['its beginning, few scans', 'prefix', many((n) => ({ barcode: { match: 'starts', text: `K${n % 100}-${n}` } }))],
  ['its beginning, 12,500 scans', 'longPrefix', many((n) => ({ barcode: { match: 'starts', text: `K${n % 100}-` } }))],
  ['all scans', 'all', many(() => ({}))],
  ['today, not valid', 'today', many(() => ({ when: 'today', results: ['invalid'] }))],
  ['the last 7 days at a service', 'week', many(() => ({ when: 'last 7 days', services: [{ part: 'gate 3' }] }))],
  ['part of a barcode that there is', 'part', many((n) => ({ barcode: { match: 'contains', text: `-${n}` } }))],
  ['part of a barcode that there is not', 'none', many(() => ({ barcode: { match: 'contains', text: 'NOWHERE' } }))],
];

function many(make: (n: number) => ScanQuery): readonly ScanQuery[] {
  return Array.from({ length: rounds }, (_, at) => make((at * 7919 + 13) % 400_000));
}

export async function benchSearch(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const postgres = await startPostgres();
  try {
    return [
      ...(await search('sqlite', `file:${join(folder, 'bench.db')}`, figures)),
      ...(await search('postgres', (await createDatabase(postgres.url)).url, figures)),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function search(kind: string, url: string, figures: Map<string, number>): Promise<Row[]> {
  const store = await openStore({
    ...{ url, secretKeys: [Buffer.alloc(32, 1)], clock: systemClock, random: systemRandom, log: silentLog },
  });
  try {
    const began = performance.now();
    const source = await fillScans(store, { scans, newest, everyMs });
    process.stderr.write(`${kind}: filled in ${Math.round((performance.now() - began) / 1_000)} s\n`);
    const searchScans = createScanSearch({
      clock: systemClock,
      mirror: mirrorOf(store, undefined as never).mirror,
      scans: createScans(store.db),
    });
    const rows: Row[] = [await slices(store, kind, source, figures)];
    for (const [what, name, queries] of searches) {
      rows.push(await measure(searchScans, { kind, what, name, queries }, figures));
    }
    return rows;
  } finally {
    await store.close();
  }
}

/** Measures the first slice of a walk alone: by time from any moment, and of one barcode. */
async function slices(store: Store, kind: string, account: AccountSource, figures: Map<string, number>): Promise<Row> {
  const walks = createScans(store.db);
  const oldest = newest - scans * everyMs;
  const said = [];
  for (const name of ['byTime', 'byBarcode'] as const) {
    const took: number[] = [];
    const used: number[] = [];
    // The first walks of a process compile its code: they are not counted.
    for (let n = -50; n < 500; n += 1) {
      const at = ((n + 50) * 7919 + 13) % (scans - 1_000);
      const ticket = at % ((scans * 2) / 5);
      const walk =
        name === 'byTime'
          ? { from: oldest, to: newest - at * everyMs }
          : { from: oldest, to: newest, barcode: { match: 'is', text: `K${ticket % 100}-${ticket}` } as const };
      const [began, before] = [performance.now(), process.cpuUsage()];
      await walks.walk(owner, account, walk).next();
      const { user, system } = process.cpuUsage(before);
      if (n >= 0) {
        took.push(performance.now() - began);
        used.push((user + system) / 1_000);
      }
    }
    for (const each of [took, used]) {
      each.sort((a, b) => a - b);
    }
    const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
    figures.set(`search.${kind}.slice.${name}.p50`, p50).set(`search.${kind}.slice.${name}.p99`, p99);
    const figure = (of: readonly number[], p: number) => `${percentile(of, p).toFixed(1)} ms`;
    said.push(
      `${name === 'byTime' ? 'by time' : 'of a barcode'} p50 ${figure(took, 0.5)}, p99 ${figure(took, 0.99)} (${figure(used, 0.5)} and ${figure(used, 0.99)} of processor time)`,
    );
  }
  process.stderr.write(`${kind} slice: ${said.join('; ')}\n`);
  return {
    what: `a slice of 400 of ${(scans + received).toLocaleString('en')} scans on ${kind}`,
    ours: said.join('; '),
    beside: '',
    ratio: '',
  };
}

async function measure(
  searchScans: SearchScans,
  one: { kind: string; what: string; name: string; queries: readonly ScanQuery[] },
  figures: Map<string, number>,
): Promise<Row> {
  const took: number[] = [];
  const used: number[] = [];
  const watched = watchLoop();
  let found = 0;
  for (const query of one.queries) {
    const [began, before] = [performance.now(), process.cpuUsage()];
    const answer = await searchScans({
      ...{ owner, account, query, zone: 'Europe/Berlin', limit: 15, ...firstPageTime },
    });
    took.push(performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    used.push((user + system) / 1_000);
    if (answer === 'no_span') {
      throw new Error('no span');
    }
    found += answer.scans.length;
  }
  const { wallMs, cpuMs } = await watched();
  for (const each of [took, used]) {
    each.sort((a, b) => a - b);
  }
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
  for (const [figure, value] of Object.entries({ p50, p99, stallMs: cpuMs })) {
    figures.set(`search.${one.kind}.${one.name}.${figure}`, value);
  }
  process.stderr.write(
    `${one.kind} ${one.name}: ${Math.round(p50)} / ${Math.round(p99)} ms, used ${Math.round(percentile(used, 0.5))} / ${Math.round(percentile(used, 0.99))}, held ${Math.round(cpuMs)} (${Math.round(wallMs)}) ms, ${found} found\n`,
  );
  return {
    what: `search of ${(scans + received).toLocaleString('en')} scans on ${one.kind}: ${one.what}`,
    ours: `first page p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms (${Math.round(percentile(used, 0.5))} and ${Math.round(percentile(used, 0.99))} ms of processor time)`,
    beside: `event loop held ${Math.round(cpuMs)} ms at most`,
    ratio: '',
  };
}

const account = {
  names: {
    services: async () => [],
    users: async () => [],
    devices: async () => [],
  },
} as unknown as Account;
