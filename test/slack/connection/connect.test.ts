import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { linkMember, membersOf } from '../../../src/workspaces/members.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import {
  accountKey,
  clockFromFullMinute,
  eventually,
  otherAccountKey,
  type Person,
  startTestApp,
  type TestApp,
} from '../test-app.js';

const wrongKey = 'canary-wrong-key-0123456789abcdef';

const key = (value: string) => ({ key: { 'connect.key': { type: 'plain_text_input', value } } });

async function connect(person: Person, apiKey = accountKey): Promise<ShownView> {
  await person.say('/scandesk connect');
  await person.submit(await person.seesWindow('Connect account'), key(apiKey));
  return person.seesForm('connect.databases');
}

const rows = (view: ShownView) =>
  (view.view.blocks as { block_id: string; text?: { text: string } }[])
    .filter((block) => block.block_id.startsWith('database.row.'))
    .map((block) => block.text!.text.replace(/ {2}·.*$/, ''));

describe('connecting an account', () => {
  let testApp: TestApp;
  let ada: Person;
  const lines: string[] = [];
  beforeAll(async () => {
    testApp = await startTestApp({ lines });
    ada = testApp.person('U0ADA');
  });
  afterAll(() => testApp.stop());

  afterEach(async () => {
    for (let view = await ada.window(); view; view = await ada.window()) {
      await ada.close(view);
    }
    await ada.say('/scandesk disconnect');
    const asked = await eventually(async () => {
      const view = await ada.window();
      return view && view.callback_id !== 'loading' ? view : undefined;
    }, 'the question');
    if (asked.callback_id === 'disconnect') {
      await ada.submit(asked);
      await ada.seesForm('connect');
    }
    await ada.close(asked);
  });

  test('an admin connects with a key, every database is chosen, and a member sees the status', async () => {
    const databases = await connect(ada);
    expect(rows(databases)).toEqual(['1.  Harbour Lights Festival tickets', '2.  Stock room', '3.  Tool crib']);
    expect(read(databases.view.blocks)).toContain('The account is connected.');
    await ada.submit(databases);
    expect(read((await ada.seesForm('connection')).view.blocks)).toMatch(
      /Saved\.[\s\S]*Lookups search: all 3 databases/,
    );
    const connected = await ada.seesForm('connection');
    await ada.click(connected, 'lookup.form');
    await ada.close(await ada.seesForm('lookup.form'));
    const status = await testApp.person('U0MIA').command('/scandesk status');
    const text = read(status.blocks);
    expect(text).toContain('Connected by');
    expect(text).toContain('Lookups search: all 3 databases');
    expect(text).toMatch(/API calls left: \d+ of 1,000 this minute, [\d,]+ of 100,000 today/);
    const shown = JSON.stringify(status.blocks);
    expect(shown).toContain('"user_id":"U0ADA"');
    expect(shown).toMatch(/"type":"date","timestamp":\d{10}/);
  });

  test('a key that the account refuses is not stored, and the form gives the reason above an emptied field', async () => {
    await ada.say('/scandesk connect');
    const form = await ada.seesWindow('Connect account');
    const answer = await ada.submit(form, key(wrongKey));
    expect(answer).toMatchObject({ ok: true, response_action: 'update' });
    const again = await eventually(async () => {
      const view = await ada.window();
      return view && read(view.view.blocks).includes('The key was not saved') ? view : undefined;
    }, 'the form drawn again');
    expect(read(again.view.blocks)).toContain('doesn’t recognize this API key');
    expect(JSON.stringify(again)).not.toContain(wrongKey);
    expect(again.view).toMatchObject({ callback_id: 'connect' });
    const status = await ada.command('/scandesk status');
    expect(read(status.blocks)).toContain('No scanning account is connected yet');
    await ada.submit(again, key(accountKey));
    await ada.seesForm('connect.databases');
  });

  test('an API key with a space within is refused under its field', async () => {
    await ada.say('/scandesk connect');
    const form = await ada.seesWindow('Connect account');
    const answer = await ada.submit(form, key('two words'));
    expect(answer).toMatchObject({ ok: true, response_action: 'errors' });
    expect(answer.errors?.key).toContain('no spaces');
  });

  test('an API key that was copied with spaces around it is accepted', async () => {
    await ada.say('/scandesk connect');
    await ada.submit(await ada.seesWindow('Connect account'), key(`  ${accountKey}\t`));
    await ada.seesForm('connect.databases');
  });

  test.each([
    ['as a direct message where the app is no member', 'C0GENERAL'],
    ['in the channel, for the person alone, where the app is a member', 'C0FRONTGATE'],
  ])(
    'the outcome of connecting is sent as a message if the window was closed while the key was checked: %s',
    async (_where, channel) => {
      await testApp.post('/sandbox/invite', { as: 'U0ADA', channel: 'C0FRONTGATE', user: 'U0SCANDESK1' });
      await ada.say('/scandesk connect', channel);
      const form = await ada.seesWindow('Connect account');
      await testApp.accountFaults({ next: [{ operation: 'limits/retrieve', times: 1, as: 'slow', delay_ms: 1500 }] });
      await ada.submit(form, key(accountKey));
      expect(read((await ada.window())!.view.blocks)).toContain('Checking the API key');
      await ada.close((await ada.window())!);
      const told = await eventually(async () => {
        const messages = channel === 'C0GENERAL' ? await ada.directMessages() : await ada.messages(channel);
        return messages.find((message) => read(message.blocks) === 'The scanning account is connected.');
      }, 'word of the connection');
      expect(told.ephemeral_for).toBe(channel === 'C0GENERAL' ? undefined : 'U0ADA');
      expect(read((await ada.command('/scandesk status')).blocks)).toContain('Connected by');
    },
  );

  test('an API key is stored though the databases cannot be listed, and the window says to choose later', async () => {
    await ada.say('/scandesk connect');
    const form = await ada.seesWindow('Connect account');
    await testApp.accountFaults({ next: [{ operation: 'databases/retrieve', times: 10, as: 'html' }] });
    await ada.submit(form, key(accountKey));
    const done = await ada.seesForm('connection');
    expect(read(done.view.blocks)).toMatch(/Choose databases later.*Connected by/s);
    await testApp.accountFaults({ next: [] });
  });

  test('a second API key replaces the first after a warning, and the choice of databases is dropped', async () => {
    let form = await connect(ada);
    await ada.click(form, 'connect.database.move', { selected_option: { value: 'leave:1021' } }, 'database.row.1021');
    form = await eventually(async () => {
      const view = (await ada.window())!;
      return rows(view).length === 2 ? view : undefined;
    }, 'two rows');
    await ada.submit(form);
    await ada.close(await ada.seesForm('connection'));

    await ada.say('/scandesk connect');
    const connection = await ada.seesWindow('Connection');
    await ada.click(connection, 'connect.replace');
    const replace = await ada.seesWindow('Replace API key');
    expect(read(replace.view.blocks)).toContain('This replaces the connected account');
    await ada.submit(replace, key(otherAccountKey));
    await ada.seesForm('connection');
    expect(read((await ada.command('/scandesk status')).blocks)).toContain('the only database');
  });

  wideIt(
    'a new key of the same account keeps users linked to members, and a key of another account unlinks them',
    async () => {
      const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
      await ada.close(await connect(ada));
      const store = await testApp.openStore();
      try {
        const user = '701';
        await linkMember({ store }, owner, user, { id: 'U0ADA', name: 'Ada' });
        for (const [newKey, form, linked] of [
          [accountKey, 'connect.databases', 1],
          [otherAccountKey, 'connection', 0],
        ] as const) {
          await ada.say('/scandesk connect');
          await ada.click(await ada.seesWindow('Connection'), 'connect.replace');
          await ada.submit(await ada.seesWindow('Replace API key'), key(newKey));
          await ada.close(await ada.seesForm(form));
          expect((await membersOf({ store }, owner)).size).toBe(linked);
        }
      } finally {
        await store.close();
      }
    },
  );

  test('a key that the account refuses as a replacement leaves the stored key unchanged', async () => {
    await ada.close(await connect(ada));
    await ada.say('/scandesk connect');
    await ada.click(await ada.seesWindow('Connection'), 'connect.replace');
    await ada.submit(await ada.seesWindow('Replace API key'), key(wrongKey));
    await eventually(
      async () => read((await ada.window())!.view.blocks).includes('The key was not saved'),
      'the form drawn again',
    );
    expect(read((await ada.command('/scandesk status')).blocks)).toContain('Lookups search: all 3 databases');
  });

  test('disconnecting asks for confirmation, names who connected the account, and then deletes the key', async () => {
    await ada.close(await connect(ada));
    await ada.say('/scandesk disconnect');
    const question = await ada.seesWindow('Disconnect account');
    const questionText = read(question.view.blocks);
    expect(questionText).toContain('This deletes the API key');
    expect(questionText).toContain('the copy of their values and scans');
    expect(questionText).toContain('nobody here can look up barcodes or search scans');
    expect(JSON.stringify(question.view.blocks)).toContain('"user_id":"U0ADA"');
    await ada.close(question);
    expect(read((await ada.command('/scandesk status')).blocks)).toContain('Connected by');
    await ada.say('/scandesk disconnect');
    await ada.submit(await ada.seesWindow('Disconnect account'));
    await ada.seesForm('connect');
    expect(read((await ada.command('/scandesk status')).blocks)).toContain('No scanning account is connected yet');
  });

  test('no API key, entered or refused, is in the log, the store or any message to Slack', async () => {
    await ada.close(await connect(ada));
    const sent = JSON.stringify(await testApp.calls());
    const database = await readFile(testApp.databaseFile);
    const wal = await readFile(`${testApp.databaseFile}-wal`).catch(() => Buffer.alloc(0));
    for (const secret of [accountKey, wrongKey, otherAccountKey]) {
      expect(lines.join('')).not.toContain(secret);
      expect(sent).not.toContain(secret);
      expect(database.includes(secret) || wal.includes(secret)).toBe(false);
    }
  });
});

describe('an account with few calls', () => {
  let testApp: TestApp;
  beforeEach(async () => {
    testApp = await startTestApp({ clock: clockFromFullMinute(), limits: { minute: 2, day: 1000 } });
  });
  afterEach(() => testApp.stop());

  wideIt(
    'an account with few calls is connected, and the status says when its used-up calls are available again',
    async () => {
      const ada = testApp.person('U0ADA');
      await connect(ada);
      const text = read((await ada.command('/scandesk status')).blocks);
      expect(text).toContain('API calls left: 0 of 2 this minute');
      expect(text).toContain('resets at');
    },
  );
});
