import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { install } from '../installing.js';
import { makeRelay } from '../relays/relay-stage.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('an org-wide installation', () => {
  const organisation = { id: 'E0HARBOUR', name: 'Harbour Group' };
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ oauth: true, organisation });
    ada = testApp.person('U0ADA');
    const done = await install(testApp, 'U0ADA');
    expect(done.text).toContain('Harbour Group');
  });
  afterAll(() => testApp.stop());

  async function keysOf(...teams: string[]) {
    const store = await testApp.openStore();
    try {
      return await Promise.all(teams.map((team) => store.workspaces.apiKey({ installation: organisation.id, team })));
    } finally {
      await store.close();
    }
  }

  test('in an org-wide installation, the connect form connects only the workspace in which it is sent', async () => {
    await connect(ada);
    expect(await keysOf('T0SANDBOX1', 'T0SANDBOX2', organisation.id)).toEqual([accountKey, undefined, undefined]);
  });

  test('in an org-wide installation, /scandesk status is that of the workspace in which it is typed', async () => {
    expect(read((await testApp.person('U0MIA').command('/scandesk status')).blocks)).toContain('Connected by');
    const there = await testApp.person('U0CY').command('/scandesk status', 'C0DEPOT');
    expect(read(there.blocks)).toContain('No scanning account is connected yet');
  });

  test('in an org-wide installation, App Home and the status window are those of the reader’s workspace', async () => {
    await ada.openHome();
    const home = await eventually(async () => {
      const view = await ada.home();
      return view && read(view.view.blocks).includes('Connected by') ? view : undefined;
    }, 'App Home');
    await ada.click(home, 'status.open');
    const status = await ada.seesWindow('Status');
    expect(read(status.view.blocks)).toContain('Connected by');
    await ada.close(status);
    const bo = testApp.person('U0BO');
    await bo.openHome();
    const other = await eventually(async () => (await bo.home()) ?? undefined, 'App Home of the other workspace');
    expect(read(other.view.blocks)).toContain('No scanning account is connected yet');
  });

  test('a picker in an org-wide installation offers the services of the account', async () => {
    const { made } = await makeRelay(ada);
    await ada.click(made, 'relay.service.open');
    const options = await ada.options(await ada.seesWindow('Set up a service'), 'relay.service.pick', '');
    expect(options.options.length).toBeGreaterThan(1);
  });

  test('an org-wide installation sends Slack its workspaces’ IDs as team_id, never the organization’s ID', async () => {
    const teams = (await testApp.calls()).map(({ body }) => body.team_id).filter((team) => team !== undefined);
    expect(new Set(teams)).toEqual(new Set(['T0SANDBOX1', 'T0SANDBOX2']));
  });
});
