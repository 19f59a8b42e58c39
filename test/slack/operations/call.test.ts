/** `/scandesk call`: a typed call of the account, answered in the channel for the person alone. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/codereadr/operations/index.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, inputsOf, seesWords, submitForm } from './filling.js';

let testApp: TestApp;
let ada: Person;
let mia: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  ada = testApp.person('U0ADA');
  mia = testApp.person('U0MIA');
  await connectAccount(testApp);
});
afterAll(() => testApp.stop());
afterEach(async () => {
  await testApp.accountFaults({ next: [] });
  await Promise.all([closeAll(ada), closeAll(mia)]);
});

const call = async (typed: string, person = ada) => read((await person.command(`/scandesk call ${typed}`)).blocks);

describe('/scandesk call for help', () => {
  test('/scandesk call alone lists every section and action', async () => {
    const text = await call('', mia);
    for (const { section, action } of operations) {
      expect(text).toContain(section);
      expect(text).toContain(action);
    }
  });

  test('a section after /scandesk call lists its actions and their parameters, without secrets', async () => {
    const text = await call('users', mia);
    expect(text).toContain('validate  Check a login: username*');
    expect(text).toContain('create  Create a user: username*, limit');
    expect(text).not.toContain('password');
  });

  test.each(operations.map(({ section }) => section).filter((section, at, all) => all.indexOf(section) === at))(
    'Slack accepts the list of actions of a section: %s',
    async (section) => {
      expect(await call(section)).toContain(`/scandesk call ${section}`);
    },
  );
});

describe('a read', () => {
  test('a read in /scandesk call shows the values exactly', async () => {
    const odd = '<!channel> *b* `c` :100: &amp; "q"';
    await askAccount(testApp, 'databases', 'addvalue', { database_id: '1023', value: odd, response: '<@U0ADA> _r_' });
    const answer = await ada.command(
      `/scandesk call databases showvalues database_id=1023 value="${odd.replaceAll('"', '""')}"`,
    );
    expect(answer.ephemeral_for).toBe('U0ADA');
    const texts = shownTexts(answer.blocks);
    expect(texts).toContainEqual({ how: 'exact', text: odd, code: true });
    expect(texts).toContainEqual({ how: 'exact', text: '<@U0ADA> _r_', code: false });
  });

  test('a read in /scandesk call shows times in the person’s own time zone, and names it', async () => {
    expect(await call('scans retrieve limit=2', mia)).toContain('Times are in America/Chicago');
    expect(await call('scans retrieve limit=2 timezone=Asia/Calcutta')).toContain('Times are in Asia/Kolkata');
    expect(await call('scans retrieve limit=2 timezone_offset=2')).not.toContain('Times are in');
  });

  test('a read in /scandesk call shows only the host of a postback URL', async () => {
    await askAccount(testApp, 'services', 'update', {
      service_id: '1206',
      postback_url: 'https://desk.example/relay/canary-in-url?x=1',
    });
    const text = await call('services retrieve service_id=1206', mia);
    expect(text).toContain('postback URL: https://desk.example/…');
    expect(text).not.toContain('canary-in-url');
  });

  test('a read in /scandesk call with many results has pages in one message, without another API call', async () => {
    const first = await ada.command('/scandesk call databases showvalues database_id=1022 limit=20');
    expect(read(first.blocks)).toContain('Search values: 20 values');
    expect(read(first.blocks)).toContain('1 to 8 of 20.');
    expect(read(first.blocks)).toContain('Only the first 20');
    const before = await (await fetch(`${testApp.accountUrl}/scanner/faults`)).json();
    const page = async (action: string, range: string) => {
      await ada.clickMessage((await ada.messages()).find(({ ts }) => ts === first.ts)!, action);
      return eventually(async () => {
        const shown = (await ada.messages()).find(({ ts }) => ts === first.ts);
        return shown && read(shown.blocks).includes(range) ? shown : undefined;
      }, `the values ${range}`);
    };
    await page('form.next', '9 to 16 of 20.');
    const last = await page('form.next', '17 to 20 of 20.');
    expect(JSON.stringify(last.blocks)).not.toContain('form.next');
    await page('form.before', '9 to 16 of 20.');
    expect(await (await fetch(`${testApp.accountUrl}/scanner/faults`)).json()).toEqual(before);
  });

  test('a read from a form has its pages in the window', async () => {
    await ada.say('/scandesk call databases showvalues database_id=1022 limit=30 ?');
    await submitForm(ada, await ada.seesWindow('Search values'), {});
    const first = await seesWords(ada, '1 to 12 of 30.');
    await ada.click(first, 'form.next');
    await ada.click(await seesWords(ada, '13 to 24 of 30.'), 'form.next');
    await seesWords(ada, '25 to 30 of 30.');
  });

  test('a read in /scandesk call without results says “no scans”', async () => {
    expect(await call('scans retrieve value="no such thing"')).toContain('Search scans: no scans');
  });

  test('a read in /scandesk call that takes long sends a notice first, and then its result', async () => {
    await testApp.accountFaults({ next: [{ operation: 'limits/retrieve', times: 1, as: 'slow', delay_ms: 3_200 }] });
    const line = await ada.command('/scandesk call limits retrieve');
    expect(read(line.blocks)).toBe('Calls left: waiting for the account…');
    await eventually(
      async () => (await ada.messages()).some(({ blocks }) => read(blocks).includes('minute: left')),
      'the answer',
    );
  });

  test('a read in /scandesk call that the account refuses is explained in words', async () => {
    expect(await call('scan_properties retrieve scan_id=13001 name=nothing')).toContain('This scan has no property');
    expect(await call('databases showvalues database_id=99999')).toContain('This database doesn’t exist');
  });

  test('/scandesk call barcode generate is answered with a picture of the barcode', async () => {
    const answer = await mia.command('/scandesk call barcode generate value="00 7" barcodetype=qr');
    const [picture] = answer.blocks as { type: string; alt_text: string; slack_file: { id: string } }[];
    expect(picture).toMatchObject({ type: 'image', alt_text: 'Barcode 00 7' });
  });

  test('a read in /scandesk call of more than 500 records is refused', async () => {
    expect(await call('scans retrieve limit=501')).toContain('Scandesk returns at most 500 results at a time');
  });
});

describe('a change', () => {
  test('a change in /scandesk call is made at the account, reported, and recorded in the audit log', async () => {
    const text = await call('databases addvalue database_id=1023 value=" 0007 " response="Seven, ""lucky"""');
    expect(text).toMatch(/Added {2}0007 {2}to the database \S.* \(ID 1023\)\./);
    expect(text).toContain('Barcode:  0007 ');
    const told = await askAccount(testApp, 'databases', 'showvalues', { database_id: '1023', value: ' 0007 ' });
    expect(told).toContain('<count>1</count>');
    expect((await auditOf(testApp)).at(-1)).toMatchObject({
      who: 'U0ADA',
      where: 'C0GENERAL',
      what: 'databases/addvalue',
      detail: { database_id: '1023', value: ' 0007 ', response: 'Seven, "lucky"', trim_value: false },
    });
  });

  test('a change in /scandesk call accepts PHP’s array syntax', async () => {
    const text = await call(
      'databases upsertmultivalue values[0][value]=00A values[0][database_id]=1022 values[1][value]="b c" values[1][database_id]=1023',
    );
    expect(text).toContain('2 in total');
    expect(await askAccount(testApp, 'databases', 'showvalues', { database_id: '1022', value: '00A' })).toContain(
      '<count>1</count>',
    );
    expect(await askAccount(testApp, 'databases', 'showvalues', { database_id: '1023', value: 'b c' })).toContain(
      '<count>1</count>',
    );
  });

  test('a change in /scandesk call without a required parameter opens the form with the typed values', async () => {
    await ada.say('/scandesk call databases addvalue value=" 42 " response=Answer validity=0');
    const form = await ada.seesWindow('Add a value');
    const elements = Object.fromEntries(
      inputsOf(form).map((block) => [block.block_id, block.element as Record<string, unknown>]),
    );
    expect(elements['v.value']?.initial_value).toBe(' 42 ');
    expect(elements['v.response']?.initial_value).toBe('Answer');
    expect(elements['v.validity']?.initial_options).toBeUndefined();
    expect(elements['v.trim_value']?.initial_options).toBeUndefined();
    await submitForm(ada, form, { database_id: '1021' });
    await ada.seesWindow('Done');
    const told = await askAccount(testApp, 'databases', 'showvalues', { database_id: '1021', value: ' 42 ' });
    expect(told).toMatch(/validity="0"/);
  });

  test('a change in /scandesk call with an invalid value opens the form, which says what is wrong', async () => {
    await ada.say(
      '/scandesk call services create validation_method=postback postback_url=ftp://a.example service_name=X',
    );
    const form = await ada.seesWindow('Create a service');
    expect(read(form.view.blocks)).toContain('The URL must start with http:// or https://');
  });

  test('a change in /scandesk call opens the form when it would silently reset a service’s symbologies', async () => {
    await ada.say('/scandesk call services update service_id=1203 description="New words"');
    const form = await ada.seesWindow('Edit a service');
    expect(read(form.view.blocks)).toContain('resets the symbologies');
    const description = inputsOf(form).find((block) => block.block_id === 'v.description')?.element;
    expect(description?.initial_value).toBe('New words');
    await ada.close(form);
    expect(await call('services update service_id=1203 description="New words" symbologies=')).toContain(
      'Updated the service with the ID 1203.',
    );
    expect(await call('services update service_id=1203 description="Old words" symbologies=6,34')).toContain(
      'Code 128, QR Code',
    );
  });

  test('a change in /scandesk call without new values opens the form, filled in with the record’s values', async () => {
    await ada.say('/scandesk call users update user_id=702');
    const form = await ada.seesWindow('Edit a user');
    expect(inputsOf(form).find((block) => block.block_id === 'v.username')?.element?.initial_value).toBe('mara.gate');
  });

  test('a change in /scandesk call without its record asks for the record, and keeps the other parameters', async () => {
    await ada.say('/scandesk call devices update device_name="Gate C phone"');
    await submitForm(ada, await ada.seesWindow('Rename a device'), { device_id: '573' });
    const form = await seesWords(ada, '(ID 573)');
    expect(inputsOf(form)[0]?.element?.initial_value).toBe('Gate C phone');
    await submitForm(ada, form, {});
    await seesWords(ada, 'Renamed the device ');
    expect(await askAccount(testApp, 'devices', 'retrieve', { device_id: '573' })).toContain('Gate C phone');
  });

  test('a change in /scandesk call says that a long value does not fit the form, and keeps a short value', async () => {
    await ada.say(`/scandesk call services update description="${'long '.repeat(300)}" service_name=Kept`);
    const which = await seesWords(ada, 'This is too long to carry over');
    await submitForm(ada, which, { service_id: '1203' });
    const form = await seesWords(ada, '(ID 1203)');
    const initial = (name: string) =>
      inputsOf(form).find(({ block_id }) => block_id === `v.${name}`)?.element?.initial_value;
    expect(initial('service_name')).toBe('Kept');
    expect(initial('description')).not.toContain('long');
  });

  test('a change in /scandesk call that the account refuses is reported, and in the audit log with its code', async () => {
    expect(await call('databases create database_name="STOCK room"')).toContain(
      'Another database already has this name',
    );
    expect((await auditOf(testApp)).at(-1)).toMatchObject({ what: 'databases/create', outcome: 'account.refused 216' });
  });
});

describe('a refused input', () => {
  test.each([
    ['users create username=a password=canary-typed', 'password is a secret'],
    ['services retrieve api_key=canary-typed', 'You can’t set api_key in a command.'],
    ['services retrieve section=users', 'You can’t set section in a command.'],
    ['servces retrieve', 'Did you mean services?'],
    ['services retreive', 'Did you mean retrieve?'],
    ['services retrieve servce_id=1', 'Did you mean service_id?'],
    ['services retrieve foo=1', 'services retrieve has no parameter “foo”.'],
    ['services frobnicate', 'services has no action “frobnicate”.'],
    ['frobnicate', 'There is no section “frobnicate”.'],
    ['services retrieve hello', 'isn’t in the form name=value'],
    ['services retrieve service_id="1', 'has no closing quote'],
    ['services retrieve service_id=1 service_id=2', 'appears twice'],
    ['services delete service_id=all', 'Scandesk never deletes everything at once. Choose what to delete.'],
  ])('/scandesk call refuses an input: %s', async (typed, words) => {
    const text = await call(typed);
    expect(text).toContain(words);
    expect(text).not.toContain('canary-typed');
    expect(await ada.window()).toBeUndefined();
  });
});

describe('a property of a scan', () => {
  test('/scandesk call reports a missing property of a scan, and distinguishes it from a missing scan', async () => {
    const xml = await askAccount(testApp, 'scans', 'retrieve', { limit: '1' });
    const scan = /<scan id="(\d+)"/.exec(xml)?.[1];
    expect(await call(`scan_properties retrieve scan_id=${scan} name=nothing`)).toContain('no property of that name');
    expect(await call('scan_properties retrieve scan_id=999999 name=nothing')).toContain('no scan with this ID');
  });
});
