/** A large export by processes of their own: its memory, its file after kills, and its end in the middle. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kindOf } from '../../src/database/bulk.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { shareOf } from '../helpers/long-share.js';
import { owner } from '../helpers/relay.js';
import { recordsInFile } from '../helpers/spreadsheets.js';
import { connect, createShelf, exportsOf, fill, openExports, request, someScans } from './world.js';

const script = fileURLToPath(new URL('../../dist/test/export-process.js', import.meta.url));
const count = shareOf(200_000);
const kills = 3;
/** The garbage that a program may leave for a while is not counted: see the process. */
const mostGrown = 64 * 1024 * 1024;

type Line = Readonly<Record<string, unknown>>;

onEachDatabase(`an export of ${count} scans`, ({ fresh }) => {
  let url: string;
  let store: Store;
  let folder: string;
  const scans = someScans(count, (n) => `0${n}`);

  beforeAll(async () => {
    url = await fresh();
    store = await openTestStore(url);
    folder = await mkdtemp(join(tmpdir(), 'scandesk-export-'));
    await connect(store);
    await fill(store, scans);
    if (kindOf(store.db) === 'postgres') {
      // Does what autovacuum would do, which tests have switched off.
      await sql`analyze`.execute(store.db);
    }
  }, 500_000);
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = () => {
    const child = spawn(process.execPath, ['--expose-gc', script, url, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: Line[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
    return {
      lines,
      end: async (signal: 'SIGTERM' | 'SIGKILL') => {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      },
      sees: async (isIt: (line: Line) => boolean) => {
        for (;;) {
          const found = lines.find(isIt);
          if (found) {
            return found;
          }
          expect(child.exitCode).toBe(null);
          await wait(20);
        }
      },
    };
  };
  const ask = async (mode: 'exact' | 'xlsx' = 'exact') => {
    const asked = await exportsOf(store, createShelf()).request(request(undefined, { mode }));
    return (asked as { id: string }).id;
  };
  const rows = async () => (await openExports(store))[0]?.state.rows ?? 0;
  /** Expects the file to be complete and in order: each scan's barcode once, the newest first. */
  const expectWhole = async (id: string) => {
    const times: string[] = [];
    const values = new Set<string>();
    for (const row of await recordsInFile(await readFile(join(folder, `${id}.file`)))) {
      values.add(row.Barcode ?? '');
      times.push(row['Scan time (UTC)'] ?? '');
    }
    expect(times.length).toBe(count);
    expect(values.size).toBe(count);
    expect(scans.every(({ value }) => values.has(value))).toBe(true);
    expect(times.every((time, n) => n === 0 || time <= (times[n - 1] ?? ''))).toBe(true);
  };

  it.each(['exact', 'xlsx'] as const)(
    `an export of ${count} scans (%s) takes less than 64 MB more memory, and is complete`,
    async (mode) => {
      const id = await ask(mode);
      const process = start();
      const told = await process.sees(({ told: one }) => one === id);
      await process.end('SIGTERM');
      expect(told).toMatchObject({ outcome: 'done', rows: count });
      expect(told.most).toBeGreaterThan(0);
      expect(told.grown).toBeLessThan(mostGrown);
      if (globalThis.process.env.SHOW_FIGURES) {
        globalThis.process.stderr.write(`${JSON.stringify(told)}\n`);
      }
      await expectWhole(id);
    },
  );

  it.each(['exact', 'xlsx'] as const)(
    `an export of ${count} scans (%s) is complete after ${kills} kills at any instant`,
    async (mode) => {
      const id = await ask(mode);
      for (let kill = 0; kill < kills; kill += 1) {
        const before = await rows();
        const process = start();
        while ((await rows()) <= before) {
          await wait(20);
        }
        // A small export would be done before a later kill.
        await wait(Math.random() * Math.min(1_500, count / 40));
        await process.end('SIGKILL');
      }
      expect(await rows()).toBeGreaterThan(0);
      const last = start();
      expect(await last.sees(({ told: one }) => one === id)).toMatchObject({ outcome: 'done', rows: count });
      await last.end('SIGTERM');
      await expectWhole(id);
    },
  );

  it(`an export of ${count} scans that another process cancels stops, and leaves no data`, async () => {
    const id = await ask();
    const process = start();
    while ((await rows()) === 0) {
      await wait(20);
    }
    const shelf = createShelf();
    const here = exportsOf(store, shelf);
    const record = await here.find(owner, id);
    expect(await here.cancel(record!)).toBe(true);
    await process.end('SIGTERM');
    expect(shelf.told).toMatchObject([{ id, outcome: 'cancelled' }]);
    expect(process.lines.filter(({ told: one }) => one === id)).toEqual([]);
    expect(await store.db.selectFrom('export_chunks').select('seq').execute()).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([]);
  });
});
