/**
 * The recorder of upgrade fixtures: both databases, and one message and view of each kind as Slack has it. It runs about
 * five to ten minutes: `UPDATE_FIXTURES=1 npx vitest run --project record`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/codereadr/operations/index.js';
import { openDatabase } from '../../src/sandbox/slack/world/database.js';
import { postgresDatabases } from '../helpers/databases.js';
import { startTestApp } from '../slack/test-app.js';
import { crawl, type Step } from './crawl.js';
import { dumpPostgres } from './postgres-dump.js';
import { furnish, gate, interrupt, live, type Stage } from './stage.js';

/**
 * The folder is named after the version that records. What 1.0.0 left stays: its migration 001 never changes, and a
 * later version records into a folder of its own, here and in old-version.ts.
 */
const folder = resolve(import.meta.dirname, '1.0.0');

const write = (name: string, content: string | Buffer) =>
  writeFileSync(join(folder, name), gzipSync(content, { level: 9 }));

/** When the database was left, and the paths of its relays: the database has their secrets as hashes only. */
const leftBehind = ({ paths }: Stage) => `${JSON.stringify({ at: Date.now(), paths }, null, 2)}\n`;

const say = (text: string, channel = 'C0GENERAL'): readonly Step[] => [{ do: 'say', text, channel }];

const known = ['0012345', '00123', 'nobody has this', 'twice'];

const starts: readonly (readonly Step[])[] = [
  ...known.map((value) => say(`/barcode ${value}`)),
  say('/barcode'),
  say('/barcode make 0012345'),
  ...['services', 'users', 'devices', 'databases', 'questions', 'scans', 'uploads'].map((list) =>
    say(`/scandesk ${list}`),
  ),
  ...[
    'limits',
    'status',
    'connect',
    'disconnect',
    'relay',
    'watch',
    'watch 0012345',
    'mute',
    'mute 0012345 for 2d',
    'access',
    'audit',
    'help',
    'call',
    'nonsense',
  ].map((rest) => say(`/scandesk ${rest}`, gate)),
  ...operations.map(({ section, action }) => say(`/scandesk call ${section} ${action}`)),
  [{ do: 'home' }],
];

/** Actions that would destroy what is still to be recorded. */
const ends = /remove|delete|clear|disconnect|revoke|replace|take off|connect\.all/i;

it('the recorder stores every kind of message and view, and the SQLite file', { timeout: 3_600_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), 'scandesk-record-'));
  const workspaceFile = join(temporary, 'workspace.db');
  const databaseFile = join(temporary, 'scandesk.db');
  const testApp = await startTestApp({
    workspaceFile,
    databaseUrl: `file:${databaseFile}`,
    settings: { POST_INTERVAL_MS: '0' },
    limits: { minute: 100_000, day: 10_000_000 },
  });
  try {
    const stage = await furnish(testApp);
    await live(testApp, stage);
    const posts = await stage.ada.messages(gate);
    const { views } = await crawl(testApp, stage.ada, starts, {
      depth: 3,
      skip: (action, choice) =>
        (action === 'submit' && /^(disconnect|connect|form\.confirm)/.test(choice)) ||
        (ends.test(choice) && action !== 'list.menu') ||
        /relay\.(remove|rotate|end)|audit\.(person|section)/.test(action),
      log: (line) => console.log(line),
    });
    expect(posts.length).toBeGreaterThan(10);
    await interrupt(testApp, stage);
    write('views.json.gz', JSON.stringify({ views: [...views.values()] }));
    writeFileSync(join(folder, 'sqlite.json'), leftBehind(stage));
  } finally {
    await testApp.stop().catch((error: unknown) => console.log('stop', error));
  }
  const workspace = await openDatabase(workspaceFile);
  const rows = (table: string) => workspace.prepare(`SELECT * FROM ${table}`).all();
  write(
    'messages.json.gz',
    JSON.stringify({ channels: rows('channels'), members: rows('members'), messages: rows('messages') }),
  );
  workspace.close();
  // Includes what is still in the write-ahead log.
  const database = new DatabaseSync(databaseFile);
  database.exec(`VACUUM INTO '${databaseFile}.copy'`);
  database.close();
  write('scandesk.db.gz', readFileSync(`${databaseFile}.copy`));
  rmSync(temporary, { recursive: true, force: true });
});

describe('PostgreSQL', () => {
  const databases = postgresDatabases();

  it('the recorder stores PostgreSQL’s rows, and the migrations that made their tables', {
    timeout: 600_000,
  }, async () => {
    const url = await databases.fresh();
    const testApp = await startTestApp({
      databaseUrl: url,
      settings: { POST_INTERVAL_MS: '0' },
      limits: { minute: 100_000, day: 10_000_000 },
    });
    try {
      const stage = await furnish(testApp);
      await live(testApp, stage);
      await interrupt(testApp, stage);
      writeFileSync(join(folder, 'postgres.json'), leftBehind(stage));
    } finally {
      await testApp.stop().catch((error: unknown) => console.log('stop', error));
    }
    write('postgres-rows.json.gz', JSON.stringify(await dumpPostgres(url)));
  });
});
