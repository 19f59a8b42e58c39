import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase, type TestDatabases } from '../helpers/databases.js';
import { postScan, scanForm } from '../helpers/relay.js';
import { read } from '../slack/block-kit/reading.js';
import { closeAll } from '../slack/relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../slack/test-app.js';
import { elementsOf } from './crawl.js';
import { clockSince, leftBehind, restoreDatabase, writeOldWorkspace } from './old-version.js';
import { bot, gate, stock } from './stage.js';

onEachDatabase('a database of the former version', (databases: TestDatabases) => {
  const { at, paths } = leftBehind(databases.kind);
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
  const scan = (relay: string, tid: string) =>
    postScan(`${testApp.appUrl}${paths[relay]}`, scanForm({ tid, sid: '1', scanned_at_utc: '2026-11-20 10:00:00' }));

  it('the former version’s dead letter is posted when a person retries the dead letter', async () => {
    const id = paths.Waiting!.split('/')[2]!;
    await ada.say('/scandesk relay');
    const list = await ada.seesWindow('Relays');
    const row = elementsOf(list.view.blocks).find(
      ({ action, element }) => action === 'relay.manage' && String(element.value).includes(id),
    );
    await ada.click(list, 'relay.manage', undefined, row!.block);
    await ada.click(await ada.seesWindow('Relay'), 'relay.replay');
    await eventually(async () => (await posts(stock)).some(({ text }) => text.includes('dead-1')), 'its post');
    await closeAll(ada);
  });

  it('a relay in a database of the former version accepts a scan at its webhook URL, and posts the scan', async () => {
    expect((await scan('Plain', 'after-1')).body).toContain('<status>1</status>');
    await eventually(async () => (await posts(gate)).some(({ text }) => text.includes('after-1')), 'its post');
  });

  it('a database of the former version still recognizes a duplicate of a stored scan', async () => {
    expect((await scan('Invalid alone', 'twice')).body).toContain('<status>0</status>');
  });

  it('a database of the former version still shows its scans, relays, and audit log', async () => {
    // A busy machine's first answer may say that it takes longer.
    const card = async () => read((await ada.command('/barcode LOT-1')).blocks);
    await eventually(async () => (await card()).includes('D-9'), 'the card', 60_000);
    await ada.say('/scandesk relay');
    expect(read((await ada.seesWindow('Relays')).view.blocks)).toContain('Judging');
    await ada.say('/scandesk audit');
    const audit = await eventually(async () => {
      const window = await ada.window();
      return window?.callback_id === 'audit' && window;
    }, 'the audit');
    expect(read(audit.view.blocks)).toContain('Manage access');
  });
});
