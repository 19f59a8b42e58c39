import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/workspaces/types.js';
import { read } from '../block-kit/reading.js';
import { Browser, grant, install } from '../installing.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

async function connect(person: Person, channel: string): Promise<void> {
  await person.say('/scandesk connect', channel);
  await person.submit(await person.seesWindow('Connect account'), {
    key: { 'connect.key': { type: 'plain_text_input', value: accountKey } },
  });
  await person.close(await person.seesForm('connect.databases'));
}

describe('installing into any number of workspaces', () => {
  let testApp: TestApp;
  const lines: string[] = [];
  beforeEach(async () => {
    testApp = await startTestApp({ oauth: true, lines });
  });
  afterEach(() => testApp.stop());

  async function inStore<T>(ask: (store: Store) => Promise<T>): Promise<T> {
    const store = await testApp.openStore();
    try {
      return await ask(store);
    } finally {
      await store.close();
    }
  }

  const owner = (team: string) => ({ installation: team, team });

  test('the install page offers *Add to Slack*, and the page after an installation names the next step', async () => {
    const { page } = await grant(testApp, 'U0ADA');
    expect(page.text).toContain('Add to Slack');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const done = await install(testApp, 'U0ADA');
    expect(done.text).toContain('Harbour Hall');
    expect(done.text).toContain('/scandesk connect');
    expect(read((await testApp.person('U0ADA').command('/scandesk status')).blocks)).toContain('No scanning account');
  });

  test('a workspace’s status shows its own connection, whatever another workspace connects or ends', async () => {
    await install(testApp, 'U0ADA');
    await install(testApp, 'U0BO');
    await connect(testApp.person('U0ADA'), 'C0GENERAL');
    expect(read((await testApp.person('U0MIA').command('/scandesk status')).blocks)).toContain('Connected by');
    expect(read((await testApp.person('U0CY').command('/scandesk status', 'C0DEPOT')).blocks)).toContain(
      'No scanning account is connected yet',
    );
    await connect(testApp.person('U0BO'), 'C0DEPOT');
    await testApp.person('U0ADA').say('/scandesk disconnect');
    const ada = testApp.person('U0ADA');
    await ada.submit(await ada.seesWindow('Disconnect account'));
    await ada.seesForm('connect');
    expect(read((await testApp.person('U0CY').command('/scandesk status', 'C0DEPOT')).blocks)).toContain(
      'Connected by',
    );
  });

  test('a person who declines the installation is told that nothing was changed', async () => {
    const { browser, back } = await grant(testApp, 'U0ADA', 'cancel');
    const page = await browser.open(back);
    expect(page.status).toBe(400);
    expect(page.text).toContain('nothing changed');
  });

  test('a return to the install page from another browser, without its state, or for a second time is refused', async () => {
    const first = await grant(testApp, 'U0ADA');
    const other = await new Browser().open(first.back);
    expect(other.status).toBe(400);
    expect(other.text).toContain('Start the installation again');
    const noState = new URL(first.back);
    noState.searchParams.delete('state');
    expect((await first.browser.open(noState.toString())).status).toBe(400);
    const second = await grant(testApp, 'U0ADA');
    expect((await second.browser.open(second.back)).status).toBe(200);
    expect((await second.browser.open(second.back)).status).toBe(400);
    const madeUp = new URL(second.back);
    madeUp.searchParams.set('state', '"><script>alert(1)</script>');
    const page = await second.browser.open(madeUp.toString());
    expect(page.status).toBe(400);
    expect(page.text).not.toContain('<script>');
  });

  test('an uninstalled workspace loses its API key and token at once, and another workspace does not', async () => {
    await install(testApp, 'U0ADA');
    await install(testApp, 'U0BO');
    await connect(testApp.person('U0ADA'), 'C0GENERAL');
    await connect(testApp.person('U0BO'), 'C0DEPOT');
    await testApp.post('/sandbox/uninstall', { as: 'U0ADA' });
    await eventually(
      () => inStore(async (store) => !(await store.installations.find('T0SANDBOX1'))),
      'the installation to be erased',
    );
    await inStore(async (store) => {
      expect(await store.workspaces.apiKey(owner('T0SANDBOX1'))).toBeUndefined();
      expect(await store.workspaces.apiKey(owner('T0SANDBOX2'))).toBe(accountKey);
      expect(await store.installations.find('T0SANDBOX2')).toBeDefined();
    });
    await install(testApp, 'U0ADA');
    expect(read((await testApp.person('U0ADA').command('/scandesk status')).blocks)).toContain('No scanning account');
  });

  test('a revoked user token erases no API key, and a revoked bot token erases key and installation', async () => {
    await install(testApp, 'U0ADA');
    await connect(testApp.person('U0ADA'), 'C0GENERAL');
    await testApp.post('/sandbox/revoke', { as: 'U0ADA', tokens: 'user' });
    await inStore(async (store) => {
      expect(await store.workspaces.apiKey(owner('T0SANDBOX1'))).toBe(accountKey);
    });
    await testApp.post('/sandbox/revoke', { as: 'U0ADA', tokens: 'bot' });
    await eventually(
      () => inStore(async (store) => (await store.workspaces.apiKey(owner('T0SANDBOX1'))) === undefined),
      'the key to be erased',
    );
    await inStore(async (store) => {
      expect(await store.installations.find('T0SANDBOX1')).toBeUndefined();
    });
  });

  const leaving = (fields: Record<string, unknown> = {}) =>
    JSON.stringify({
      type: 'event_callback',
      event_id: 'Ev0LEAVING',
      event_time: Math.floor(Date.now() / 1000),
      team_id: 'T0SANDBOX1',
      event: { type: 'app_uninstalled' },
      authorizations: [{ enterprise_id: null, team_id: 'T0SANDBOX1', is_enterprise_install: false }],
      ...fields,
    });

  test('an uninstall event older than the installation is ignored, as it belongs to an earlier installation', async () => {
    await install(testApp, 'U0ADA');
    const old = leaving({ event_time: Math.floor(Date.now() / 1000) - 3600, event_id: 'Ev0OLD' });
    expect((await testApp.signed(old, { type: 'application/json' })).status).toBe(200);
    await eventually(
      () => inStore(async (store) => (await store.keyv<number>('slack-event').get('Ev0OLD')) !== undefined),
      'the event to be worked on',
    );
    await inStore(async (store) => {
      expect(await store.installations.find('T0SANDBOX1')).toBeDefined();
    });
  });

  test('an uninstall event that arrives again after a new installation erases nothing', async () => {
    await install(testApp, 'U0ADA');
    const event = leaving();
    await testApp.signed(event, { type: 'application/json' });
    await eventually(
      () => inStore(async (store) => !(await store.installations.find('T0SANDBOX1'))),
      'the installation to be erased',
    );
    await install(testApp, 'U0ADA');
    await testApp.signed(event, { type: 'application/json' });
    expect(read((await testApp.person('U0ADA').command('/scandesk status')).blocks)).toContain('No scanning account');
    await inStore(async (store) => {
      expect(await store.installations.find('T0SANDBOX1')).toBeDefined();
    });
  });

  test('an organization’s uninstall erases its installation and key, not a workspace’s own key', async () => {
    await inStore(async (store) => {
      await store.installations.save(
        'E0ORG',
        {
          enterprise: { id: 'E0ORG', name: 'Org' },
          user: { id: 'U0ADA' },
          bot: { token: 'xoxb-org', id: 'B1', userId: 'U0BOT', scopes: [] },
          isEnterpriseInstall: true,
          authVersion: 'v2',
        },
        Date.now() - 10_000,
      );
      await store.workspaces.connect({ installation: 'E0ORG', team: 'T1' }, accountKey, {
        connectedBy: 'U0ADA',
        connectedAt: Date.now(),
      });
      await store.workspaces.connect({ installation: 'T1', team: 'T1' }, accountKey, {
        connectedBy: 'U0ADA',
        connectedAt: Date.now(),
      });
    });
    const event = leaving({
      team_id: 'T1',
      enterprise_id: 'E0ORG',
      authorizations: [{ enterprise_id: 'E0ORG', team_id: null, is_enterprise_install: true }],
      event_id: 'Ev0ORG',
    });
    await testApp.signed(event, { type: 'application/json' });
    await eventually(() => inStore(async (store) => !(await store.installations.find('E0ORG'))), 'it to be erased');
    await inStore(async (store) => {
      expect(await store.workspaces.apiKey({ installation: 'E0ORG', team: 'T1' })).toBeUndefined();
      expect(await store.workspaces.apiKey({ installation: 'T1', team: 'T1' })).toBe(accountKey);
    });
  });

  describe('an organization that removes Scandesk from some of its workspaces', () => {
    const org = (team: string) => ({ installation: 'E0ORG', team });
    const connected = (connectedAt: number) => ({ connectedBy: 'U0ADA', connectedAt });
    const revoked = (fields: Record<string, unknown> = {}) =>
      JSON.stringify({
        type: 'event_callback',
        event_id: 'Ev0REVOKED',
        event_time: Math.floor(Date.now() / 1000) + 1,
        team_id: null,
        enterprise_id: 'E0ORG',
        event: { type: 'team_access_revoked', team_ids: ['T1', 'T2'] },
        ...fields,
      });
    const worked = (eventId: string) =>
      eventually(
        () => inStore(async (store) => (await store.keyv<number>('slack-event').get(eventId)) !== undefined),
        'the event to be worked on',
      );
    const keysOf = (...teams: string[]) =>
      inStore((store) => Promise.all(teams.map((team) => store.workspaces.apiKey(org(team)))));

    beforeEach(() =>
      inStore(async (store) => {
        const installation = {
          enterprise: { id: 'E0ORG', name: 'Org' },
          user: { id: 'U0ADA' },
          bot: { token: 'xoxb-org', id: 'B1', userId: 'U0BOT', scopes: [] },
          isEnterpriseInstall: true,
          authVersion: 'v2',
        };
        await store.installations.save('E0ORG', installation, Date.now() - 10_000);
        for (const team of ['T1', 'T2', 'T3']) {
          await store.workspaces.connect(org(team), accountKey, connected(Date.now() - 5_000));
        }
        await store.workspaces.connect({ installation: 'T1', team: 'T1' }, accountKey, connected(Date.now()));
      }),
    );

    const asSlackMaySendIt: readonly (readonly [string, Record<string, unknown>])[] = [
      ['names the organization', {}],
      [
        'names the organization in its authorizations',
        { authorizations: [{ enterprise_id: 'E0ORG', team_id: null, is_enterprise_install: true }] },
      ],
      [
        'names a removed workspace in its authorizations',
        { team_id: 'T1', authorizations: [{ enterprise_id: 'E0ORG', team_id: 'T1', is_enterprise_install: false }] },
      ],
    ];
    test.each(asSlackMaySendIt)(
      'a removal from some workspaces of an organization erases only their API keys, where the event %s',
      async (_, fields) => {
        await testApp.signed(revoked(fields), { type: 'application/json' });
        await worked('Ev0REVOKED');
        expect(await keysOf('T1', 'T2', 'T3')).toEqual([undefined, undefined, accountKey]);
        await inStore(async (store) => {
          expect(await store.installations.find('E0ORG')).toBeDefined();
          expect(await store.workspaces.apiKey({ installation: 'T1', team: 'T1' })).toBe(accountKey);
        });
      },
    );

    test('a removal from some workspaces keeps keys connected after the event, and a repeated event erases nothing', async () => {
      await testApp.signed(revoked({ event_time: Math.floor(Date.now() / 1000) - 8, event_id: 'Ev0LATE' }), {
        type: 'application/json',
      });
      await worked('Ev0LATE');
      expect(await keysOf('T1', 'T2', 'T3')).toEqual([accountKey, accountKey, accountKey]);
      await testApp.signed(revoked(), { type: 'application/json' });
      await worked('Ev0REVOKED');
      await inStore((store) => store.workspaces.connect(org('T1'), accountKey, connected(Date.now() - 5_000)));
      await testApp.signed(revoked(), { type: 'application/json' });
      await testApp.signed(revoked({ event_id: 'Ev0NEXT', event: { type: 'team_access_revoked', team_ids: ['T3'] } }), {
        type: 'application/json',
      });
      await worked('Ev0NEXT');
      expect(await keysOf('T1', 'T2', 'T3')).toEqual([accountKey, undefined, undefined]);
    });
  });

  test('installing writes no token and no client secret to the log, and no unsealed token to the store', async () => {
    await install(testApp, 'U0ADA');
    const token = await inStore(async (store) => {
      const found = await store.installations.find('T0SANDBOX1');
      return (found!.installation as { bot: { token: string } }).bot.token;
    });
    expect(token).toMatch(/^xoxb-/);
    const database = await readFile(testApp.databaseFile);
    const wal = await readFile(`${testApp.databaseFile}-wal`).catch(() => Buffer.alloc(0));
    expect(database.includes(token) || wal.includes(token)).toBe(false);
    expect(lines.join('')).not.toContain(token);
    expect(lines.join('')).not.toContain('canary-client-secret');
  });
});

describe('one workspace by its bot token', () => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await startTestApp();
  });
  afterEach(() => testApp.stop());

  test('a workspace with one bot token loses its key at an uninstall, unless the key was connected after it', async () => {
    const ada = testApp.person('U0ADA');
    await connect(ada, 'C0GENERAL');
    const event = (event_id: string, at: number) =>
      JSON.stringify({
        type: 'event_callback',
        event_id,
        event_time: at,
        team_id: 'T0SANDBOX1',
        event: { type: 'app_uninstalled' },
        authorizations: [{ enterprise_id: null, team_id: 'T0SANDBOX1', is_enterprise_install: false }],
      });
    const now = Math.floor(Date.now() / 1000);
    await testApp.signed(event('Ev1', now - 600), { type: 'application/json' });
    expect(read((await ada.command('/scandesk status')).blocks)).toContain('Connected by');
    await testApp.signed(event('Ev2', now + 1), { type: 'application/json' });
    await eventually(
      async () => read((await ada.command('/scandesk status')).blocks).includes('No scanning account'),
      'the key to be erased',
    );
  });
});
