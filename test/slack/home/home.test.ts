import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { makeRelay } from '../relays/relay-stage.js';
import { accountKey, eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

async function homeOf(person: Person, has: (text: string, shown: string) => boolean) {
  await person.openHome();
  return eventually(async () => {
    const view = await person.home();
    return view && has(read(view.view.blocks), JSON.stringify(view.view.blocks)) ? view : undefined;
  }, 'App Home');
}

describe('App Home', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp();
  });
  afterAll(() => testApp.stop());

  test('App Home shows a member the status and help, without the buttons to connect and to give access', async () => {
    const view = await homeOf(testApp.person('U0MIA'), (text) => text.includes('No scanning account is connected yet'));
    const shown = JSON.stringify(view.view.blocks);
    expect(read(view.view.blocks)).toContain('/barcode VALUE');
    expect(shown).not.toContain('connect.open');
    expect(shown).not.toContain('access.open');
  });

  test('App Home refuses a guest', async () => {
    const view = await homeOf(testApp.person('U0GUS'), (text) => text.includes('full members'));
    expect(JSON.stringify(view.view.blocks)).not.toContain('action_id');
  });

  test('App Home shows no data of the workspace while Slack does not identify the person', async () => {
    const testApp = await startTestApp();
    try {
      await connect(testApp.person('U0ADA'));
      await testApp.rules({ faults: [{ method: 'users.info', times: 1, as: '500' }] });
      const gus = testApp.person('U0GUS');
      const unknown = await homeOf(gus, (text) => text.includes('Slack couldn’t confirm who you are'));
      expect(read(unknown.view.blocks)).not.toMatch(/Connected by|database|calls/i);
      expect(JSON.stringify(unknown.view.blocks)).not.toContain('action_id');
      await homeOf(gus, (text) => text.includes('full members'));
    } finally {
      await testApp.stop();
    }
  });

  test('App Home lets an admin connect an account, and is redrawn with databases and an admin’s buttons', async () => {
    const ada = testApp.person('U0ADA');
    const view = await homeOf(ada, (_, shown) => shown.includes('connect.open'));
    await ada.click(view, 'connect.open');
    await ada.submit(await ada.seesWindow('Connect account'), {
      key: { 'connect.key': { type: 'plain_text_input', value: accountKey } },
    });
    await ada.close(await ada.seesForm('connect.databases'));
    const connected = await eventually(async () => {
      const home = await ada.home();
      return home && read(home.view.blocks).includes('all 3 databases') ? home : undefined;
    }, 'App Home after connecting');
    const shown = JSON.stringify(connected.view.blocks);
    for (const action of ['status.open', 'connect.open', 'relay.new', 'access.open', 'audit.open']) {
      expect(shown).toContain(action);
    }
  });

  test('App Home opens the status, the connection and the form of access in windows', async () => {
    const ada = testApp.person('U0ADA');
    const view = await homeOf(ada, (_, shown) => shown.includes('status.open'));
    for (const [action, title] of [
      ['status.open', 'Status'],
      ['connect.open', 'Connection'],
      ['access.open', 'Manage access'],
    ] as const) {
      await ada.click(view, action);
      await ada.close(await ada.seesWindow(title));
    }
  });

  test('App Home answers a click without permission by a refusal in a window', async () => {
    const ada = testApp.person('U0ADA');
    const mia = testApp.person('U0MIA');
    await ada.say('/scandesk access');
    const users = (ids: string[]) => ({
      users: { 'access.users': { type: 'multi_users_select', selected_users: ids } },
    });
    await ada.submit(await ada.seesWindow('Manage access'), users(['U0MIA']));
    await ada.close(await ada.seesWindow('Manage access'));
    const view = await homeOf(mia, (_, shown) => shown.includes('connect.open'));
    await ada.say('/scandesk access');
    await ada.submit(await ada.seesWindow('Manage access'), users([]));
    await ada.close(await ada.seesWindow('Manage access'));
    await mia.click(view, 'connect.open');
    const told = await mia.seesWindow('Something went wrong');
    expect(read(told.view.blocks)).toContain('Only workspace admins and people with access');
  });

  test('App Home answers its lookup field in a modal, also for several barcodes, and lists them as recent', async () => {
    const other = await startTestApp();
    try {
      await connect(other.person('U0ADA'));
      const mia = other.person('U0MIA');
      const view = await homeOf(mia, (_, shown) => shown.includes('home.lookup'));
      const enter = (value: string) =>
        mia.click(view, 'home.lookup', { type: 'plain_text_input', value }, 'home.lookup');
      await enter('HLF-000003');
      const card = await eventually(async () => {
        const window = await mia.window();
        return window && read(window.view.blocks).includes('HLF-000003') ? window : undefined;
      }, 'the card');
      await mia.close(card);
      await enter('HLF-000001, 0012345');
      const lines = await eventually(async () => {
        const window = await mia.window();
        const text = window ? read(window.view.blocks) : '';
        return window && text.includes('HLF-000001') && text.includes('0012345') ? window : undefined;
      }, 'a line each');
      await mia.close(lines);
      const listed = await eventually(async () => {
        const home = await mia.home();
        const text = home ? read(home.view.blocks) : '';
        return home && text.includes('Recent lookups') && text.includes('0012345') ? home : undefined;
      }, 'the recent lookups');
      await mia.click(listed, 'lookup.recent');
      await mia.close(await mia.seesWindow('Look up barcodes'));
      expect((await mia.messages()).length).toBe(0);
    } finally {
      await other.stop();
    }
  });

  test('App Home ends a watch from the list of watches, and sends no direct message', async () => {
    const mia = testApp.person('U0MIA');
    await mia.command('/scandesk watch 00*7');
    const view = await homeOf(mia, (text) => text.includes('My watches') && text.includes('00*7'));
    const before = (await mia.directMessages()).length;
    await mia.click(view, 'watch.stop');
    await eventually(async () => {
      const home = await mia.home();
      return home && !read(home.view.blocks).includes('My watches');
    }, 'App Home without the watch');
    expect((await mia.directMessages()).length).toBe(before);
  });

  test('App Home shows a new relay and a scan, and opens the relay, the audit log and all commands', async () => {
    const other = await startTestApp();
    try {
      const ada = other.person('U0ADA');
      await connect(ada);
      const { url } = await makeRelay(ada);
      const scan = new URLSearchParams({ tid: 'HLF-000003', sid: '10', userid: '1', udid: 'u', status: '1' });
      expect((await fetch(url, { method: 'POST', body: scan })).status).toBe(200);
      const view = await homeOf(ada, (text) => text.includes('Any service'));
      expect(read(view.view.blocks)).toContain('1 scan');
      await ada.click(view, 'relay.manage');
      await ada.close(await ada.seesWindow('Relay'));
      await ada.click(view, 'audit.open');
      await ada.close(await ada.seesWindow('Audit log'));
      await ada.click(view, 'help.all');
      expect(read((await ada.seesWindow('All commands')).view.blocks)).toContain('For admins and people with access');
    } finally {
      await other.stop();
    }
  });

  wideIt('App Home is drawn while the account is down', async () => {
    const gone = { ms: 0 };
    const clock: Clock = { now: () => Date.now() + gone.ms, sleep: systemClock.sleep };
    const other = await startTestApp({ clock });
    try {
      const ada = other.person('U0ADA');
      await connect(ada);
      // The faults come before the clock moves: else a background call could still refresh the status.
      await other.accountFaults({ next: [{ times: 1_000, as: 'reset' }] });
      gone.ms += 11 * 60_000;
      const view = await homeOf(ada, (text) => text.includes('can’t be reached right now'));
      expect(read(view.view.blocks)).toContain('All commands');
      await other.accountFaults({ next: [] });
    } finally {
      await other.stop();
    }
  });

  test('App Home says that the account refuses the API key until the account accepts the key again', async () => {
    const other = await startTestApp();
    try {
      const ada = other.person('U0ADA');
      await connect(ada);
      await other.accountFaults({ api_key_refused: true });
      // The databases' names are cached: App Home has nothing to ask the account for.
      expect(read((await ada.command('/barcode HLF-000001')).blocks)).toContain('refused the connected API key');
      const since = (await other.calls()).length;
      await ada.openHome();
      await eventually(
        async () => (await other.calls()).slice(since).filter(({ method }) => method === 'views.publish').length >= 1,
        'App Home',
      );
      await other.accountFaults({ api_key_refused: false });
      await ada.openHome();
      await eventually(async () => {
        const view = await ada.home();
        return view && read(view.view.blocks).includes('Connected by');
      }, 'App Home once the key is good');
      const published = (await other.calls()).slice(since).filter(({ method }) => method === 'views.publish');
      const shown = published.map(({ body }) => JSON.stringify(body.view ?? body));
      const good = shown.findIndex((each) => each.includes('Connected'));
      expect(good).toBeGreaterThan(0);
      expect(shown.slice(0, good).every((each) => each.includes('refused the connected API key'))).toBe(true);
    } finally {
      await other.stop();
    }
  });

  test('App Home says “Checking the connection”, never “Connected”, until the account has judged the API key', async () => {
    const gone = { ms: 0 };
    const clock: Clock = { now: () => Date.now() + gone.ms, sleep: systemClock.sleep };
    const other = await startTestApp({ clock });
    try {
      const ada = other.person('U0ADA');
      await connect(ada);
      await other.accountFaults({ api_key_refused: true });
      gone.ms += 11 * 60_000;
      const since = (await other.calls()).length;
      await ada.openHome();
      await eventually(async () => {
        const view = await ada.home();
        return view && read(view.view.blocks).includes('refused the connected API key');
      }, 'App Home');
      const published = (await other.calls()).slice(since).filter(({ method }) => method === 'views.publish');
      expect(JSON.stringify(published)).not.toMatch(/"Connected"/);
      expect(JSON.stringify(published)).toContain('Checking the connection');
    } finally {
      await other.stop();
    }
  });
});
