/**
 * The lookup benchmark, with a copy that is complete: the calls that each headline wants in an account without a limit;
 * then 20 people look up 200 different barcodes in one minute, in an account of 30 calls a minute, and while it is down.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '../../src/clock.js';
import { retrieveLimits } from '../../src/codereadr/operations/index.js';
import { silentLog } from '../../src/log.js';
import { createLookups, headlineOf, type Lookup } from '../../src/lookup/index.js';
import { createScans } from '../../src/scans/index.js';
import { openStore } from '../../src/workspaces/store.js';
import { mirrorOf } from '../helpers/mirror.js';
import { type DeskHarness, owner, startDesk } from '../lookup/harness.js';
import { percentile, type Row } from './figures.js';

const people = 20;
const each = 10;
const minuteMs = 60_000;
const tickets = '1021';

export async function benchLookups(figures: Map<string, number>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-bench-'));
  const desk = await startDesk({ callsPerMinute: 1_000_000 });
  const store = await openStore({
    ...{ url: `file:${join(folder, 'bench.db')}`, secretKeys: [Buffer.alloc(32, 1)] },
    ...{ clock: systemClock, random: systemRandom, log: silentLog },
  });
  await store.workspaces.connect(owner, desk.apiKey, { connectedBy: 'U1', connectedAt: 5 });
  const { barcodes, stock } = await scanBarcodes(desk);
  await store.workspaces.change(owner, { lookupDatabases: [tickets, stock] });
  const { mirror } = mirrorOf(store, desk.accounts, { times: { freshMs: 60 * minuteMs, changesMs: 15_000 } });
  const lookups = createLookups({ clock: systemClock, scans: createScans(store.db), mirror });
  mirror.start();
  try {
    while ((await mirror.view(owner)).copying !== undefined || (await mirror.view(owner)).databases.length === 0) {
      await wait(500);
    }
    const wanted = await benchHeadlines(figures, barcodes, desk, async (value, name) =>
      lookups.lookup({
        ...{ owner, account: desk.account, value },
        databaseIds: [name === 'scanned' ? stock : tickets],
      }),
    );
    await fetch(desk.apiUrl.replace('/api/', '/scanner/faults'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ minute_limit: 30, minute_left: 30 }),
    });
    // By this call, the client learns the new limit.
    await desk.account.client.call(retrieveLimits, {});
    const row = async (what: string, name: string): Promise<Row> => {
      const before = desk.calls.length;
      const took = await lookUpAll(async (value) => {
        const lookup = await lookups.lookup({ owner, account: desk.account, value, databaseIds: [tickets] });
        if (!isComplete(lookup)) {
          throw new Error(`the lookup of ${value} is not complete: the figures would say nothing`);
        }
      });
      const calls = desk.calls.length - before;
      const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
      figures.set(`lookups.${name}P50`, p50);
      figures.set(`lookups.${name}P99`, p99);
      figures.set(`lookups.${name}Calls`, calls);
      return {
        what: `${people * each} barcodes looked up by ${people} people in a minute, ${what}: time to a complete answer with its ages`,
        ours: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${calls} calls`,
        beside: `${people * each * 2} calls`,
        ratio: (calls / (people * each * 2)).toFixed(2),
      };
    };
    const rows = [wanted, await row('an account of 30 calls a minute', 'minute')];
    desk.onWire(() => 'reset');
    rows.push(await row('the account down', 'down'));
    return rows;
  } finally {
    await mirror.stop();
    await store.close();
    await desk.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The most calls that a lookup may want, but for the lists. */
const mostCalls = { not_valid: 0, used: 0, scanned: 1, no_admission: 2, unknown: 2 } as const;
type Wanting = keyof typeof mostCalls;
const eachHeadline = 20;
const mostLists = 2;
const lists = new Set(['services/retrieve', 'databases/retrieve']);

type Barcodes = Readonly<Record<Wanting, readonly string[]>>;

/** Barcodes of each headline, which devices scan before the copy begins; stock may be taken again and again. */
async function scanBarcodes(desk: DeskHarness): Promise<{ readonly barcodes: Barcodes; readonly stock: string }> {
  const call = async (section: string, action: string, variables: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ section, action, api_key: desk.apiKey, ...variables });
    return await (await fetch(desk.apiUrl, { method: 'POST', body })).text();
  };
  const scanner = desk.apiUrl.replace('/api/', '/scanner/');
  const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
  const stock = /<id>(\d+)/.exec(await call('databases', 'create', { database_name: 'Bench stock' }))?.[1] ?? '';
  const make = async (name: string, database_id: string, duplicate_value: string) => {
    const more = { service_name: name, validation_method: 'database', database_id, duplicate_value };
    const service_id = /<id>(\d+)/.exec(await call('services', 'create', more))?.[1] ?? '';
    await call('services', 'adduserpermission', { service_id, user_id: users?.[0]?.id ?? '' });
    return service_id;
  };
  const [once, often] = [await make('Bench, once', tickets, '0'), await make('Bench, often', stock, '1')];
  const some = (prefix: string) => Array.from({ length: eachHeadline }, (_, n) => `BENCH-${prefix}-${n}`);
  const barcodes: Barcodes = {
    ...{ not_valid: some('N'), used: some('U'), scanned: some('S'), no_admission: some('A'), unknown: some('X') },
  };
  const held = [...barcodes.not_valid, ...barcodes.used, ...barcodes.scanned, ...barcodes.no_admission];
  for (const value of held) {
    const validity = barcodes.not_valid.includes(value) ? '0' : '1';
    const database_id = barcodes.scanned.includes(value) ? stock : tickets;
    await call('databases', 'addvalue', { database_id, value, validity });
  }
  for (const value of [...barcodes.used, ...barcodes.scanned]) {
    const service_id = barcodes.used.includes(value) ? once : often;
    const scan = { service_id, user_id: users?.[0]?.id, device_id: devices?.[0]?.id, value };
    const headers = { 'content-type': 'application/json' };
    await fetch(`${scanner}scan`, { method: 'POST', headers, body: JSON.stringify(scan) });
  }
  return { barcodes, stock };
}

/** The calls that lookups of each headline want in an account without a limit, in one minute. */
async function benchHeadlines(
  figures: Map<string, number>,
  barcodes: Barcodes,
  desk: DeskHarness,
  lookUp: (value: string, name: Wanting) => Promise<Lookup>,
): Promise<Row> {
  const took: number[] = [];
  const most: Record<Wanting, number> = { not_valid: 0, used: 0, scanned: 0, no_admission: 0, unknown: 0 };
  const from = desk.calls.length;
  const began = performance.now();
  for (let at = 0; at < eachHeadline; at += 1) {
    for (const [name, values] of Object.entries(barcodes) as [Wanting, readonly string[]][]) {
      const before = desk.calls.length;
      const asked = performance.now();
      const { kind } = headlineOf(await lookUp(values[at] ?? '', name));
      took.push(performance.now() - asked);
      if (kind !== name) {
        throw new Error(`${values[at]} is ${kind}, not ${name}: the figures would say nothing`);
      }
      const calls = desk.calls.slice(before).filter(({ operation }) => isOfLookup(operation)).length;
      most[name] = Math.max(most[name], calls);
    }
  }
  if (performance.now() - began > minuteMs) {
    throw new Error('the lookups took more than a minute: the figures of the lists would say nothing');
  }
  const listed = desk.calls.slice(from).filter(({ operation }) => lists.has(operation)).length;
  const tooMany = (Object.keys(mostCalls) as Wanting[]).filter((name) => most[name] > mostCalls[name]);
  if (tooMany.length > 0 || listed > mostLists) {
    throw new Error(`too many calls: ${JSON.stringify({ ...most, listed })}`);
  }
  took.sort((a, b) => a - b);
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
  figures.set('lookups.wantedP99', p99);
  for (const name of Object.keys(most) as Wanting[]) {
    figures.set(`lookups.wanted.${name}`, most[name]);
  }
  figures.set('lookups.wanted.lists', listed);
  const words = (of: Readonly<Record<Wanting, number>>) =>
    `not valid ${of.not_valid}, used ${of.used}, scanned ${of.scanned}, no admission ${of.no_admission}, unknown ${of.unknown}`;
  return {
    what: `the most calls that a lookup wants in an account without a limit, by headline; ${took.length} barcodes in one minute`,
    ours: `${words(most)}; lists ${listed}; p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    beside: `at most ${words(mostCalls)}; lists ${mostLists}`,
    ratio: '',
  };
}

/** Whether a lookup makes the call; the mirror asks for other pages. */
function isOfLookup(operation: string): boolean {
  return !lists.has(operation) && operation !== 'limits/retrieve';
}

/** @returns the milliseconds that each lookup took, sorted */
async function lookUpAll(lookUp: (value: string) => Promise<void>): Promise<readonly number[]> {
  const took: number[] = [];
  const person = async (n: number) => {
    for (let at = 0; at < each; at += 1) {
      await wait((Math.random() * 2 * minuteMs) / each / 2);
      const from = performance.now();
      await lookUp(`HLF-${String(100 + n * each + at).padStart(6, '0')}`);
      took.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: people }, (_, n) => person(n)));
  return took.sort((a, b) => a - b);
}

function isComplete({ findings, history, greenMs }: Lookup): boolean {
  const found = findings.length > 0 && findings.every(({ kind }) => kind === 'known');
  return found && history.kind === 'read' && greenMs !== undefined;
}
