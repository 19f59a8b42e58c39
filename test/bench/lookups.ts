/**
 * The lookup benchmark: 20 people look up 200 different barcodes in one minute, in an account of 30 calls a minute
 * whose copy is complete; then they look up the same barcodes while the account is down.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '../../src/clock.js';
import { retrieveLimits } from '../../src/codereadr/operations/index.js';
import { silentLog } from '../../src/log.js';
import { createLookups, type Lookup } from '../../src/lookup/index.js';
import { createScans } from '../../src/scans/index.js';
import { openStore } from '../../src/workspaces/store.js';
import { mirrorOf } from '../helpers/mirror.js';
import { owner, startDesk } from '../lookup/harness.js';
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
  await store.workspaces.change(owner, { lookupDatabases: [tickets] });
  const { mirror } = mirrorOf(store, desk.accounts, { times: { freshMs: 60 * minuteMs, changesMs: 15_000 } });
  const lookups = createLookups({ clock: systemClock, scans: createScans(store.db), mirror });
  mirror.start();
  try {
    while ((await mirror.view(owner)).copying !== undefined || (await mirror.view(owner)).databases.length === 0) {
      await wait(500);
    }
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
    const rows = [await row('an account of 30 calls a minute', 'minute')];
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
