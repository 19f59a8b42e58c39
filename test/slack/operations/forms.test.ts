/** Forms of operations in Slack: errors at once, errors of the account, the values that stay, and secrets. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, entriesFor, inputsOf, seesWords, submitForm } from './filling.js';

let testApp: TestApp;
let ada: Person;
const lines: string[] = [];

beforeAll(async () => {
  testApp = await startTestApp({ lines });
  ada = testApp.person('U0ADA');
  await connectAccount(testApp);
});
afterAll(() => testApp.stop());
afterEach(async () => {
  await testApp.accountFaults({ next: [] });
  await Promise.all(['U0ADA', 'U0MIA', 'U0GUS', 'U0EVE'].map((id) => closeAll(testApp.person(id))));
});

async function callsLeft(): Promise<number> {
  const faults = (await (await fetch(`${testApp.accountUrl}/scanner/faults`)).json()) as { day_left: number };
  return faults.day_left;
}

async function openForm(typed: string, title: string, person = ada): Promise<ShownView> {
  await person.say(`/scandesk call ${typed}`);
  return person.seesWindow(title);
}

const initial = (view: ShownView, name: string) => {
  const element = inputsOf(view).find((block) => block.block_id === `v.${name}`)?.element as
    | Record<string, unknown>
    | undefined;
  return (
    element &&
    (element.initial_value ??
      element.initial_option ??
      element.initial_options ??
      element.initial_date ??
      element.initial_time)
  );
};

describe('an error before the call', () => {
  test('an error that Scandesk can find itself is shown under its field, and costs no call', async () => {
    const form = await openForm('services create', 'Create a service');
    const before = await callsLeft();
    const answer = await submitForm(ada, form, {
      validation_method: 'database',
      'v.period_start_date': '2040-02-02',
      'v.period_end_date': '2040-02-01',
    });
    expect(answer).toMatchObject({ response_action: 'errors' });
    expect(Object.keys(answer.errors!).sort()).toEqual(['v.database_id', 'v.period_end_date']);
    expect(answer.errors!['v.period_end_date']).toContain('before the start');
    expect(await callsLeft()).toBe(before);
  });

  test('an error in a list of values names its line', async () => {
    const form = await openForm('databases upsertmultivalue database_id=1021', 'Add or edit values');
    const answer = await submitForm(ada, form, { values: 'a,b,1\nc,d,perhaps' });
    expect(answer.errors!['v.values']).toMatch(/^Line 2: /);
  });
});

describe('an error of the account', () => {
  test('an error of the account is shown above its field, with all values kept; once corrected, the form is sent', async () => {
    const form = await openForm('databases create', 'Create a database');
    const answer = await submitForm(ada, form, { database_name: 'Stock ROOM', case_sensitivity: true });
    expect(answer).toMatchObject({ ok: true, response_action: 'update' });
    const again = await seesWords(ada, 'Another database already has this name');
    const blocks = again.view.blocks as { block_id: string }[];
    const field = blocks.findIndex((block) => block.block_id === 'v.database_name');
    expect(read([blocks[field - 1]])).toContain('Another database already has this name. Choose another name.');
    expect(initial(again, 'database_name')).toBe('Stock ROOM');
    expect(initial(again, 'case_sensitivity')).toHaveLength(1);
    await submitForm(ada, again, { database_name: 'Stock room two' });
    expect(read((await ada.seesWindow('Done')).view.blocks)).toContain('Name: Stock room two');
    const rows = (await auditOf(testApp)).filter((row) => row.what === 'databases/create');
    expect(rows.map(({ outcome }) => outcome)).toEqual(['account.refused 216', 'ok']);
  });

  test('an error of the account reopens the form without the password, which no log or Slack call has', async () => {
    const form = await openForm('users create', 'Create a user');
    await submitForm(ada, form, { username: 'mara.gate', password: 'canary-secret-9', limit: '3' });
    const again = await seesWords(ada, 'Another user already has this username');
    expect(initial(again, 'username')).toBe('mara.gate');
    expect(initial(again, 'limit')).toBe('3');
    expect(initial(again, 'password')).toBeUndefined();
    expect(JSON.stringify(again.state?.['v.password'])).not.toContain('canary');
    const sent = JSON.stringify(await testApp.calls());
    expect(sent.includes('canary-secret-9')).toBe(false);
    expect(lines.join('').includes('canary-secret-9')).toBe(false);
    expect(JSON.stringify(await auditOf(testApp)).includes('canary-secret-9')).toBe(false);
  });

  test('a login check is for people with access alone, and says that the username or password is wrong', async () => {
    const refused = await testApp.person('U0MIA').command('/scandesk call users validate');
    expect(read(refused.blocks)).toContain('Only workspace admins and people with access');
    const form = await openForm('users validate', 'Check a login');
    await submitForm(ada, form, { username: 'mara.gate', password: 'canary-wrong-1' });
    const told = await seesWords(ada, 'The username or password is wrong.');
    expect(read(told.view.blocks)).not.toContain('no such user');
    await ada.close(told);
    expect(JSON.stringify(await testApp.calls()).includes('canary-wrong-1')).toBe(false);
    expect(lines.join('').includes('canary-wrong-1')).toBe(false);
  });
});

describe('while the account is asked', () => {
  test('a submitted form says at once that it is being saved, and cannot be submitted meanwhile', async () => {
    const form = await openForm('questions create', 'Create a question');
    await testApp.accountFaults({ next: [{ operation: 'questions/create', times: 1, as: 'slow', delay_ms: 1_000 }] });
    await submitForm(ada, form, { question_text: 'Slow?' });
    const saving = (await ada.window())!;
    expect(read(saving.view.blocks)).toContain('Saving');
    expect(saving.view.submit).toBeUndefined();
    await ada.seesWindow('Done');
  });

  test('a person who closes a form while the account is queried gets the result as a direct message', async () => {
    const form = await openForm('questions create', 'Create a question');
    await testApp.accountFaults({ next: [{ operation: 'questions/create', times: 1, as: 'slow', delay_ms: 800 }] });
    await submitForm(ada, form, { question_text: 'Closed?' });
    await closeAll(ada);
    const told = await eventually(
      async () => (await ada.directMessages()).find((message) => read(message.blocks).includes('Question: Closed?')),
      'the answer as a message',
    );
    expect(read(told.blocks)).toMatch(/Created the question Closed\? \(ID \d+\)\./);
  });
});

describe('a long form', () => {
  test('a long form unfolds a group of fields, keeps all values, and folds earlier fields without values', async () => {
    let form = await openForm('services create', 'Create a service');
    const more = async (group: string, values: Record<string, unknown>) => {
      const block_id = `g.${group}`;
      const before = form.hash;
      await testApp.post('/sandbox/action', {
        as: 'U0ADA',
        container: { type: 'view', view_id: form.id },
        block_id,
        action_id: 'form.more',
        values: await entriesFor(ada, form, values),
      });
      form = await eventually(async () => {
        const view = await ada.window();
        return view && view.hash !== before ? view : undefined;
      }, `${group} unfolded`);
    };
    const names = () => inputsOf(form).map((block) => block.block_id);
    expect(names()).not.toContain('v.regex_scan_pattern');
    await more('Scanning', { service_name: 'Long', database_id: '1022', enableGPS: true, period_end_time: '18:00' });
    expect(names()).toContain('v.regex_scan_pattern');
    expect(names()).toContain('v.decoder_config');
    expect(initial(form, 'service_name')).toBe('Long');
    expect(initial(form, 'database_id')).toMatchObject({ value: '1022' });
    expect(initial(form, 'enableGPS')).toHaveLength(1);
    expect(initial(form, 'period_end_time')).toBe('18:00');
    await more('Reports', { regex_scan_pattern: '^x' });
    expect(names()).toContain('v.direct_history_url');
    expect(names()).toContain('v.regex_scan_pattern');
    expect(names()).not.toContain('v.decoder_config');
    expect(initial(form, 'regex_scan_pattern')).toBe('^x');
    await more('Scanning', { direct_history_url: 'https://a.example/x' });
    expect(names()).toContain('v.direct_history_url');
    expect(names()).not.toContain('v.direct_lookup_url');
    const answer = await submitForm(ada, form, { validation_method: 'database', regex_scan_replacement: '' });
    expect(Object.keys(answer.errors!).sort()).toEqual(['v.period_end_time', 'v.regex_scan_pattern']);
    await submitForm(ada, form, { regex_scan_replacement: 'y', period_end_date: '2040-01-01' });
    const done = read((await ada.seesWindow('Done')).view.blocks);
    expect(done).toContain('Direct history URL: https://a.example/…');
    const id = /\(ID (\d+)\)\./.exec(done)![1]!;
    expect(await askAccount(testApp, 'services', 'retrieve', { service_id: id })).toContain(
      '<database>1022</database>',
    );
  });
});

describe('a change', () => {
  test('a form for a change is filled in, sends only changed fields, and warns of reset symbologies', async () => {
    const form = await openForm('services update service_id=1204', 'Edit a service');
    expect(initial(form, 'service_name')).toBe('Stock lookup');
    expect(initial(form, 'database_id')).toMatchObject({ value: '1022', text: { text: 'Stock room' } });
    expect(initial(form, 'duplicate_value')).toMatchObject({ value: '1' });
    expect(initial(form, 'enableGPS')).toMatchObject({ value: '!keep' });
    const text = read(form.view.blocks);
    expect(text).toContain('Stock lookup (ID 1204)');
    expect(text).toContain('Saving resets the symbologies');
    expect(await submitForm(ada, form, {})).toMatchObject({ response_action: 'errors' });
    await submitForm(ada, form, { enableGPS: '1', symbologies: ['6', '34'] });
    await ada.seesWindow('Done');
    const row = (await auditOf(testApp)).at(-1)!;
    expect(row).toMatchObject({
      what: 'services/update',
      detail: { service_id: '1204', enableGPS: true, symbologies: ['6', '34'] },
      outcome: 'ok',
    });
    expect(Object.keys(row.detail)).toHaveLength(3);
  });

  test('a form for a change shows only the host of a URL, and leaves the URL at the account unchanged', async () => {
    await askAccount(testApp, 'services', 'update', {
      service_id: '1206',
      postback_url: 'https://desk.example/relay/canary-url-secret',
    });
    const form = await openForm('services update service_id=1206', 'Edit a service');
    expect(read(form.view.blocks)).not.toContain('canary-url-secret');
    expect(JSON.stringify(form.view.blocks)).toContain('Current: https://desk.example/…');
    await submitForm(ada, form, { description: 'VIPs only' });
    await ada.seesWindow('Done');
    expect(await askAccount(testApp, 'services', 'retrieve', { service_id: '1206' })).toContain('canary-url-secret');
    expect(JSON.stringify(await testApp.calls()).includes('canary-url-secret')).toBe(false);
  });

  test('a form for a change of a value finds the value by its exact letters', async () => {
    await askAccount(testApp, 'databases', 'addvalue', {
      database_id: '1021',
      value: ' 00 7 ',
      response: 'Spaces',
      trim_value: '0',
    });
    const form = await openForm('databases editvalue database_id=1021 value=" 00 7 "', 'Edit a value');
    expect(initial(form, 'response')).toBe('Spaces');
    expect(initial(form, 'validity')).toMatchObject({ value: '1' });
    expect(JSON.stringify(form.view.blocks)).toContain('{"type":"text","text":" 00 7 ","style":{"code":true}}');
    await submitForm(ada, form, { validity: '0' });
    await ada.seesWindow('Done');
    expect(await askAccount(testApp, 'databases', 'showvalues', { database_id: '1021', value: ' 00 7 ' })).toContain(
      'validity="0"',
    );
  });
});

describe('pickers', () => {
  wideIt(
    'a picker offers records by name or ID, searches long lists, and accepts an ID that has no cached name',
    async () => {
      for (let n = 0; n < 110; n += 1) {
        await askAccount(testApp, 'databases', 'create', { database_name: `Shelf ${String(n).padStart(3, '0')}` });
      }
      await ada.say('/scandesk disconnect');
      await ada.submit(await ada.seesWindow('Disconnect account'));
      await ada.seesForm('connect');
      await closeAll(ada);
      await connectAccount(testApp);
      const form = await openForm('databases clear', 'Empty a database');
      const element = inputsOf(form)[0]!.element!;
      expect(element.type).toBe('external_select');
      const offered = (typed: string) => ada.optionsIn(form, 'v.database_id', element.action_id, typed);
      expect(await offered('')).toHaveLength(100);
      expect((await offered('SHELF 07')).map((option) => option.text.text)).toEqual(
        Array.from({ length: 10 }, (_, n) => `Shelf 07${n}`),
      );
      expect(await offered('1022')).toMatchObject([{ value: '1022', text: { text: 'Stock room' } }]);
      expect(await offered('987654')).toMatchObject([{ value: '987654', text: { text: 'database 987654' } }]);
      expect(await offered('nothing like it')).toEqual([]);
    },
  );

  test('a picker makes at most one API call while a person types a name', async () => {
    const form = await openForm('scans retrieve ?', 'Search scans');
    const before = await callsLeft();
    for (const typed of ['', 'g', 'ga', 'gat', 'gate']) {
      await ada.optionsIn(form, 'v.service_id', 'form.pick.service', typed);
    }
    expect(before - (await callsLeft())).toBeLessThanOrEqual(1);
  });

  test('a picker of time zones begins with the person’s own, and finds a zone by any of its spellings', async () => {
    const form = await openForm('scans retrieve ?', 'Search scans');
    expect(initial(form, 'timezone')).toMatchObject({ value: 'Europe/Berlin' });
    const offered = (typed: string) => ada.optionsIn(form, 'v.timezone', 'form.pick.zone', typed);
    expect(await offered('calcutta')).toMatchObject([{ value: 'Asia/Kolkata' }]);
    for (const typed of ['kyiv', 'kiev', 'Europe/Kyiv']) {
      expect((await offered(typed))[0]).toMatchObject({
        value: 'Europe/Kiev',
        text: { text: 'Europe/Kyiv (Europe/Kiev)' },
      });
    }
    expect((await offered('nuuk'))[0]).toMatchObject({ value: 'America/Godthab' });
    expect(await offered('ciudad')).toMatchObject([{ value: 'America/Ciudad_Juarez' }]);
    expect((await offered('Asia/Calcutta'))[0]).toMatchObject({ value: 'Asia/Kolkata' });
    expect(await offered('new y')).toMatchObject([{ value: 'America/New_York', text: { text: 'America/New York' } }]);
    expect((await offered('utc'))[0]).toMatchObject({ value: 'Africa/Abidjan' });
    expect((await offered('account'))[0]).toMatchObject({ value: 'account' });
  });

  test('a picker whose options cannot be loaded says “Not available right now”, with a reference', async () => {
    const form = await openForm('scans retrieve ?', 'Search scans');
    await testApp.accountFaults({ api_key_refused: true });
    const offered = await ada.optionsIn(form, 'v.device_id', 'form.pick.device', '');
    await testApp.accountFaults({ api_key_refused: false });
    expect(offered).toMatchObject([
      { value: '!unavailable', text: { text: expect.stringMatching(/^Not available right now \(reference /) } },
    ]);
  });
});

describe('permissions', () => {
  const changes = [
    'databases create',
    'services create',
    'users update user_id=702',
    'services delete service_id=1203',
    'databases clear database_id=1021',
    'scans delete scan_id=13001',
    'databases addvalue database_id=1021 value=x',
    'databases upload',
  ];

  test.each(changes)('a member without access may not run /scandesk call %s', async (typed) => {
    const answer = await testApp.person('U0MIA').command(`/scandesk call ${typed}`);
    expect(read(answer.blocks)).toContain('Only workspace admins and people with access can do this.');
    expect(await testApp.person('U0MIA').window()).toBeUndefined();
  });

  test('a member may read by /scandesk call', async () => {
    const answer = await testApp
      .person('U0MIA')
      .command('/scandesk call databases showvalues database_id=1022 limit=1');
    expect(read(answer.blocks)).toContain('1 value');
  });

  test('a guest may not even read by /scandesk call', async () => {
    const guest = await testApp.person('U0GUS').command('/scandesk call limits retrieve', 'C0FRONTGATE');
    expect(read(guest.blocks)).toContain('Guests can’t use Scandesk');
  });

  test('a person with access may change things, until the access is revoked', async () => {
    const name = async (users: string[]) => {
      await ada.say('/scandesk access');
      const access = await ada.seesWindow('Manage access');
      await ada.submit(access, { users: { 'access.users': { selected_users: users } } });
      await seesWords(ada, /✅ (Access updated|Saved)/);
      await closeAll(ada);
    };
    const mia = testApp.person('U0MIA');
    await name(['U0MIA']);
    const form = await openForm('questions create', 'Create a question', mia);
    await submitForm(mia, form, { question_text: 'By Mia' });
    await mia.seesWindow('Done');
    expect((await auditOf(testApp)).at(-1)).toMatchObject({ who: 'U0MIA', what: 'questions/create' });
    await closeAll(mia);
    const late = await openForm('questions create', 'Create a question', mia);
    await name([]);
    await submitForm(mia, late, { question_text: 'Too late' });
    const refused = await mia.seesWindow('Something went wrong');
    expect(read(refused.view.blocks)).toContain('Only workspace admins and people with access');
    expect(await askAccount(testApp, 'questions', 'retrieve')).not.toContain('Too late');
  });
});

test('a form submitted without API calls left says when the limit resets, and keeps its values', async () => {
  const poor = await startTestApp();
  const person = poor.person('U0ADA');
  try {
    await connectAccount(poor);
    await person.say('/scandesk call questions create');
    const form = await person.seesWindow('Create a question');
    await poor.accountFaults({ next: [{ operation: 'questions/create', times: 2, as: 'refused', code: '113' }] });
    await submitForm(person, form, { question_text: 'Patience?' });
    const again = await seesWords(person, 'has no API calls left today');
    expect(initial(again, 'question_text')).toBe('Patience?');
    // Slack draws the time in the reader’s own zone.
    expect(JSON.stringify(again.view.blocks)).toMatch(
      /"type":"date","timestamp":\d+,"format":"The limit resets \{date/,
    );
  } finally {
    await poor.stop();
  }
});

test('/scandesk call without a connected account is answered that none is connected', async () => {
  const alone = await startTestApp();
  try {
    const answer = await alone.person('U0ADA').command('/scandesk call databases retrieve');
    expect(read(answer.blocks)).toContain('No scanning account is connected yet');
  } finally {
    await alone.stop();
  }
});
