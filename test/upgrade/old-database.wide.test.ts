import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase, type TestDatabases } from '../helpers/databases.js';
import { eventually, type Person, startTestApp, type TestApp } from '../slack/test-app.js';
import { clockSince, leftBehind, restoreDatabase, writeOldWorkspace } from './old-version.js';
import { bot, stock } from './stage.js';

onEachDatabase('a database of the former version', (databases: TestDatabases) => {
  const { at } = leftBehind(databases.kind);
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-upgrade-'));
  let testApp: TestApp;
  let ada: Person;

  beforeAll(async () => {
    const databaseUrl = await databases.empty();
    const workspaceFile = join(folder, 'workspace.db');
    await restoreDatabase(databases.kind, databaseUrl);
    // The app joins its channels before it starts: otherwise its first search finds a channel gone, and waits a minute.
    await writeOldWorkspace(workspaceFile);
    testApp = await startTestApp({
      ...{ databaseUrl, workspaceFile, appClock: clockSince(at) },
      settings: { POST_INTERVAL_MS: '0' },
    });
    ada = testApp.person('U0ADA');
  });
  afterAll(async () => {
    await testApp?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const posts = async (channel: string) => (await ada.messages(channel)).filter(({ user }) => user === bot);

  it('the former version’s waiting posts and posts in doubt are posted once each and in order', async () => {
    const inOrder = ['in-doubt-1', 'waiting-1', 'waiting-2'];
    const seen = async () => (await posts(stock)).flatMap(({ text }) => inOrder.filter((tid) => text.includes(tid)));
    await eventually(async () => (await seen()).length >= inOrder.length, 'the posts that were left', 60_000);
    expect(await seen()).toEqual(inOrder);
  });
});
