import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleKeys, samplePassword } from '../../../src/sandbox/codereadr/index.js';
import { type El, type Harness, someSaturday, startService } from './harness.js';

let h: Harness;
beforeEach(async () => {
  h = await startService();
});
afterEach(() => h.close());

const code = async (operation: string, variables: Record<string, string> = {}) =>
  (await h.call(operation, variables)).code;
const id = async (operation: string, variables: Record<string, string>) =>
  (await h.ok(operation, variables)).get('id')?.text ?? '';
const service = async (service_id: string) => (await h.ok('services/retrieve', { service_id })).get('service') as El;
const text = (el: El | undefined, name: string) => el?.get(name)?.text;
const linked = (el: El | undefined, name: string) => el?.all(name).map((one) => one.attributes.id);

describe('services', () => {
  it.each(['record', 'ondevicerecord'])(
    'the embedded account creates a %s service with a default name',
    async (validation_method) => {
      const made = await service(await id('services/create', { validation_method }));
      expect(text(made, 'validationmethod')).toBe(validation_method);
      expect(text(made, 'name')).toBe('Service 1');
      expect(text(await service(await id('services/create', { validation_method })), 'name')).toBe('Service 2');
    },
  );

  it('the embedded account creates services with a database, a URL or a page', async () => {
    const database = { validation_method: 'ondevicedatabase', database_id: '1022', duplicate_value: '0' };
    const made = await service(await id('services/create', database));
    expect([text(made, 'database'), text(made, 'duplicateScanValue')]).toEqual(['1022', '0']);
    const postback = { validation_method: 'postback', postback_url: 'http://x.example/a?b=c&d=e' };
    expect(text(await service(await id('services/create', postback)), 'postback')).toBe('http://x.example/a?b=c&d=e');
    const page = { validation_method: 'webview', description: '<html>&amp;</html>' };
    expect(text(await service(await id('services/create', page)), 'description')).toBe('<html>&amp;</html>');
  });

  const record = { validation_method: 'record' };
  const postback = { validation_method: 'postback', postback_url: 'https://x.example/' };
  it.each<[string, Record<string, string>]>([
    ['210', {}],
    ['210', { validation_method: 'magic' }],
    ['210', { validation_method: 'postback' }],
    ['210', { validation_method: 'webview' }],
    ['211', { validation_method: 'database' }],
    ['204', { validation_method: 'database', database_id: '1' }],
    ['270', { validation_method: 'database', database_id: 'x' }],
    ['213', { ...record, period_start_date: '2030-02-02', period_end_date: '2030-02-01' }],
    ['214', { ...record, period_end_date: '06/13/2025' }],
    ['217', { ...record, period_start_time: '10:00:00' }],
    ['217', { ...record, period_start_date: 'soon' }],
    ['218', { ...record, period_end_time: '6:30pm' }],
    ['215', { ...record, service_name: 'gate a: TICKETS' }],
    ['210', { validation_method: 'webview', description: '<html lang="en"><p>Hi</p></html>' }],
    ['219', { ...record, service_name: '   ' }],
    ['221', { ...postback, postback_url: 'ftp://x.example/' }],
    ['221', { ...postback, postback_url: 'http://x.example/relay/…' }],
    ['222', { ...record, direct_history_url: 'x.example' }],
    ['223', { ...record, enable_direct_scan: '1' }],
    ['224', { ...record, regex_scan_pattern: 'a' }],
    ['224', { ...record, regex_response_replacement: 'a' }],
    ['224', { ...record, regex_scan_pattern: '(', regex_scan_replacement: '' }],
    ['225', { ...postback, postback_receiver_only: '1' }],
    ['226', { ...record, postback_real_time_scans: '1' }],
    ['330', { ...record, upload_email: 'nobody' }],
    ['50', { ...record, enableGPS: 'yes' }],
    ['50', { ...record, symbologies: '1,50' }],
    ['50', { ...record, auto_next_scan: '4' }],
    ['50', { ...record, decoder_config: '{' }],
    ['50', { ...record, scan_properties: '[]' }],
  ])('the embedded account answers with the error code %s to a new service with %j', async (wanted, variables) => {
    expect(await code('services/create', variables)).toBe(wanted);
    expect((await h.ok('services/retrieve')).all('service').length).toBe(7);
  });

  it('a service’s period may be in either date notation, and scans are accepted only in the period', async () => {
    const period = {
      period_start_date: '06/15/2025',
      period_start_time: '9:00am',
      period_end_date: '2025-06-16',
      period_end_time: '18:00:00',
    };
    const made = await id('services/create', { ...record, ...period });
    await h.ok('services/adduserpermission', { service_id: made, user_id: '702' });
    const scan = { service_id: made, device_id: '571', user_id: '702', value: 'X' };
    const shown = async (at: number) => {
      h.clock.set(at);
      return ((await h.json('POST', '/scanner/scan', scan)).body as { shown: { title: string } }).shown.title;
    };
    expect(await shown(Date.UTC(2025, 5, 15, 12, 59, 59))).toBe('Not active');
    expect(await shown(Date.UTC(2025, 5, 15, 13, 0, 0))).toBe('Saved');
    expect(await shown(Date.UTC(2025, 5, 16, 22, 0, 1))).toBe('Not active');
  });

  it('a service whose period gets only a later end time accepts a scan before the new end', async () => {
    const day = { period_start_date: '2025-06-15', period_end_date: '2025-06-15', period_end_time: '18:00:00' };
    const made = await id('services/create', { ...record, ...day });
    await h.ok('services/adduserpermission', { service_id: made, user_id: '702' });
    h.clock.set(Date.UTC(2025, 5, 15, 23, 0, 0));
    const scan = { service_id: made, device_id: '571', user_id: '702', value: 'X' };
    const shown = async () =>
      ((await h.json('POST', '/scanner/scan', scan)).body as { shown: { title: string } }).shown.title;
    expect(await shown()).toBe('Not active');
    await h.ok('services/update', { service_id: made, period_end_time: '19:30:00' });
    expect(await shown()).toBe('Saved');
  });

  it('the embedded account needs the postback URL with a postback flag, even if the service already has a URL', async () => {
    const url = { postback_url: 'https://x.example/' };
    const made = await id('services/create', { ...record, ...url });
    for (const flag of ['postback_receiver_only', 'postback_real_time_scans', 'postback_uploaded_scans']) {
      expect(await code('services/update', { service_id: made, [flag]: '1' })).toBe('226');
      await h.ok('services/update', { service_id: made, [flag]: '1', ...url });
    }
  });

  it('service, database and device names may have 499 characters in the embedded account, usernames 300', async () => {
    const name = 'Gate '.repeat(100).trim();
    expect(text(await service(await id('services/create', { ...record, service_name: name })), 'name')).toBe(name);
    await h.ok('databases/create', { database_name: name });
    await h.ok('devices/update', { device_id: '571', device_name: name });
    await h.ok('users/create', { username: 'u'.repeat(300), password: 'p' });
  });

  it('the embedded account changes only a service’s given settings, and removes its empty description', async () => {
    const made = await id('services/create', {
      ...postback,
      service_name: 'Mine',
      symbologies: '33, 34',
      description: 'd',
    });
    await h.ok('services/update', { service_id: made, service_name: 'mine', description: '' });
    const changed = await service(made);
    expect([text(changed, 'name'), text(changed, 'description'), text(changed, 'postback')]).toEqual([
      'mine',
      undefined,
      'https://x.example/',
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['131', {}],
    ['131', { service_id: 'x' }],
    ['131', { service_id: '1201,1202' }],
    ['131', { service_id: 'all' }],
    ['200', { service_id: '999' }],
    ['215', { service_id: '1201', service_name: 'Stock count' }],
    ['221', { service_id: '1206', postback_url: '' }],
    ['223', { service_id: '1206', enable_direct_scan: '0' }],
    ['225', { service_id: '1206', postback_uploaded_scans: '1' }],
    ['226', { service_id: '1201', postback_real_time_scans: '1' }],
    ['226', { service_id: '1201', postback_uploaded_scans: '0' }],
    ['204', { service_id: '1201', database_id: '5' }],
  ])(
    'the embedded account answers with the error code %s to a change of a service with %j',
    async (wanted, variables) => {
      expect(await code('services/update', variables)).toBe(wanted);
    },
  );

  it('the embedded account deletes one or all services with scans, but no service if one ID is unknown', async () => {
    await h.ok('services/delete', { service_id: '1201' });
    expect(await code('services/retrieve', { service_id: '1201' })).toBe('200');
    const left = (await h.ok('scans/retrieve')).all('scan');
    expect(left.length).toBeLessThan(400);
    expect(left.some((scan) => scan.get('service')?.attributes.id === '1201')).toBe(false);
    expect(await code('services/delete', { service_id: '1202,1201' })).toBe('200');
    expect((await h.ok('services/retrieve', { service_id: '1202' })).all('service').length).toBe(1);
    expect(await code('services/delete')).toBe('131');
    await h.ok('services/delete', { service_id: 'all' });
    expect((await h.ok('services/retrieve')).all('service')).toEqual([]);
    expect((await h.ok('scans/retrieve')).all('scan')).toEqual([]);
  });

  it('the embedded account authorizes users for services and revokes authorizations, many at once', async () => {
    await h.ok('services/adduserpermission', { service_id: '1203, 1204', user_id: 'all' });
    expect(linked(await service('1203'), 'user')?.length).toBe(6);
    await h.ok('services/adduserpermission', { service_id: '1203', user_id: '702' });
    expect(linked(await service('1203'), 'user')?.length).toBe(6);
    await h.ok('services/revokeuserpermission', { service_id: 'all', user_id: '702,703' });
    expect(linked(await service('1203'), 'user')).toEqual(['701', '704', '705', '706']);
    expect(await code('services/adduserpermission', { user_id: '702' })).toBe('131');
    expect(await code('services/adduserpermission', { service_id: '1203' })).toBe('132');
    expect(await code('services/adduserpermission', { service_id: '1', user_id: '702' })).toBe('200');
    expect(await code('services/revokeuserpermission', { service_id: '1203', user_id: '1' })).toBe('201');
    expect(await code('services/revokeuserpermission', { service_id: '1203', user_id: 'x' })).toBe('300');
  });

  it('the embedded account attaches questions to a service, and detaches a question by its condition', async () => {
    await h.ok('services/addquestion', {
      service_id: '1204',
      question_id: '382,383',
      condition: 'valid_scan',
      required: '383',
    });
    expect(linked(await service('1204'), 'question')).toEqual(['382', '383']);
    await h.ok('services/removequestion', { service_id: '1204', question_id: '382' });
    expect(linked(await service('1204'), 'question')).toEqual(['382', '383']);
    await h.ok('services/removequestion', { service_id: '1204', question_id: '382', condition: 'valid_scan' });
    expect(linked(await service('1204'), 'question')).toEqual(['383']);
    const fresh = await id('questions/create', { question_text: 'Which?', question_type: 'option' });
    expect(await code('services/addquestion', { service_id: '1204', question_id: fresh })).toBe('206');
    expect(await code('services/addquestion', { service_id: '1204' })).toBe('133');
    expect(await code('services/addquestion', { service_id: '1204', question_id: '1' })).toBe('202');
    expect(await code('services/addquestion', { service_id: '1204', question_id: 'x' })).toBe('262');
    expect(await code('services/addquestion', { service_id: '1204', question_id: '382', required: '9' })).toBe('202');
    expect(await code('services/addquestion', { service_id: '1204', question_id: '382', condition: 'never' })).toBe(
      '50',
    );
    expect(await code('services/removequestion', { service_id: '9', question_id: '382' })).toBe('200');
  });
});

describe('users', () => {
  it('the embedded account validates a new user’s password to the letter, and the username in any case', async () => {
    const made = await id('users/create', { username: 'nina.gate', password: ' p&ss wörd ', limit: '3' });
    const valid = await h.ok('users/validate', { username: 'NINA.gate', password: ' p&ss wörd ' });
    expect(valid.get('user')?.attributes.id).toBe(made);
    expect(text(valid.get('user'), 'limit')).toBe('3');
    expect(await code('users/validate', { username: 'nina.gate', password: 'p&ss wörd' })).toBe('201');
    expect(await code('users/validate', { username: 'nobody', password: 'x' })).toBe('201');
    expect(await code('users/validate', { username: 'nina.gate' })).toBe('341');
    expect(await code('users/validate', { password: 'x' })).toBe('342');
    expect(await code('users/validate')).toBe('310');
  });

  it('the sample password works for a sample user with a name, not for a user with an e-mail address', async () => {
    await h.ok('users/validate', { username: 'mara.gate', password: samplePassword });
    expect(await code('users/validate', { username: 'ana@harbour-lights.example', password: samplePassword })).toBe(
      '201',
    );
  });

  it('the embedded account creates a user with an e-mail address, and ignores the password in the call', async () => {
    await h.ok('users/create', { username: 'new@example.com', password: 'ignored' });
    expect(await code('users/validate', { username: 'new@example.com', password: 'ignored' })).toBe('201');
  });

  it.each<[string, Record<string, string>]>([
    ['310', {}],
    ['342', { password: 'x' }],
    ['341', { username: 'x' }],
    ['320', { username: 'MARA.GATE', password: 'x' }],
    ['330', { username: 'not@mail', password: 'x' }],
    ['340', { username: 'two words', password: 'x' }],
    ['50', { username: 'x', password: 'x', limit: '-1' }],
  ])('the embedded account answers with the error code %s to a new user with %j', async (wanted, variables) => {
    expect(await code('users/create', variables)).toBe(wanted);
  });

  it('the embedded account changes a user’s name, limit and password, and refuses invalid changes', async () => {
    await h.ok('users/update', { user_id: '702', username: 'mara.two', limit: '9' });
    const user = (await h.ok('users/retrieve', { user_id: '702' })).get('user');
    expect([text(user, 'username'), text(user, 'limit')]).toEqual(['mara.two', '9']);
    await h.ok('users/update', { user_id: '702', password: 'new' });
    await h.ok('users/validate', { username: 'mara.two', password: 'new' });
    expect(await code('users/update', { user_id: '702' })).toBe('310');
    expect(await code('users/update', { user_id: '702', username: 'sam.toolcrib' })).toBe('320');
    expect(await code('users/update', { user_id: '702', username: 'a b' })).toBe('340');
    expect(await code('users/update', { user_id: '701', limit: '1' })).toBe('343');
    expect(await code('users/update', { user_id: '1', limit: '1' })).toBe('201');
    expect(await code('users/update', { user_id: 'x', limit: '1' })).toBe('300');
    expect(await code('users/update', { limit: '1' })).toBe('132');
  });

  it('the embedded account deletes users but not their scans, and refuses to delete the owner', async () => {
    const before = (await h.ok('scans/retrieve', { user_id: '702' })).all('scan').length;
    await h.ok('users/delete', { user_id: '702' });
    const scans = (await h.ok('scans/retrieve', { keyword: 'mara.gate' })).all('scan');
    expect(scans.length).toBe(before);
    expect(await code('users/retrieve', { user_id: '702' })).toBe('201');
    await h.ok('users/create', { username: 'mara.gate', password: 'x' });
    expect(await code('users/delete', { user_id: '703, 701' })).toBe('343');
    expect(await code('users/delete', { user_id: '703, 1' })).toBe('201');
    expect((await h.ok('users/retrieve', { user_id: '703' })).all('user').length).toBe(1);
    await h.ok('users/delete', { user_id: 'all' });
    expect((await h.ok('users/retrieve')).all('user').map((user) => text(user, 'username'))).toEqual(['harbour-owner']);
    expect(await code('users/delete')).toBe('132');
  });
});

describe('devices', () => {
  it('the embedded account changes a device’s name, and refuses a change without a known ID and a name', async () => {
    await h.ok('devices/update', { device_id: '571', device_name: 'Gate A & more' });
    expect(text((await h.ok('devices/retrieve', { device_id: '571' })).get('device'), 'devicename')).toBe(
      'Gate A & more',
    );
    for (const wrong of [{}, { device_id: '571' }, { device_name: 'x' }, { device_id: '1', device_name: 'x' }]) {
      expect(await code('devices/update', wrong as Record<string, string>)).toBe('410');
    }
  });
});

describe('questions', () => {
  it('the embedded account lists questions with their answers', async () => {
    const root = await h.ok('questions/retrieve');
    expect(root.get('count')?.text).toBe('5');
    const [first] = root.all('question');
    expect([text(first, 'text'), text(first, 'type')]).toEqual(['Wristband handed out?', 'option']);
    expect(first?.all('answer').map((answer) => answer.text)).toEqual(['Yes', 'No', 'Had one already']);
    expect(await code('questions/retrieve', { question_id: '1' })).toBe('202');
    expect(await code('questions/retrieve', { question_id: 'x' })).toBe('262');
  });

  it('the embedded account adds distinct answers to a question, and keeps at least two answers', async () => {
    const made = await id('questions/create', { question_text: 'Größe?', question_type: 'dropdown' });
    const s = await id('questions/addanswer', { question_id: made, answer_text: 'S' });
    await h.ok('questions/addanswer', { question_id: made, answer_text: 'M' });
    expect(await code('questions/addanswer', { question_id: made, answer_text: 's' })).toBe('1036');
    expect(await code('questions/deleteanswer', { answer_id: s })).toBe('206');
    await h.ok('questions/addanswer', { question_id: made, answer_text: 'L' });
    await h.ok('questions/deleteanswer', { answer_id: s });
    const question = (await h.ok('questions/retrieve', { question_id: made })).get('question');
    expect(question?.all('answer').map((answer) => answer.text)).toEqual(['M', 'L']);
    const manual = await id('questions/create', { question_text: 'Why?' });
    expect(await code('questions/addanswer', { question_id: manual, answer_text: 'S' })).toBe('265');
  });

  it.each(['<curl>https://x.example/ask</curl>', `<html>${'<p>é &amp; x</p>\n'.repeat(6_000)}</html>`])(
    'the embedded account stores the only answer of a web page question: $0',
    async (answer_text) => {
      const made = await id('questions/create', { question_text: 'ZIP code?', question_type: 'webcollect' });
      const answer = await id('questions/addanswer', { question_id: made, answer_text });
      const question = (await h.ok('questions/retrieve', { question_id: made })).get('question');
      expect(question?.all('answer').map((each) => each.text)).toEqual([answer_text]);
      await h.ok('services/addquestion', { service_id: '1204', question_id: made });
      await h.ok('questions/deleteanswer', { answer_id: answer });
    },
  );

  it('the embedded account refuses answers to choose from for a question about a picture', async () => {
    const made = await id('questions/create', { question_text: 'A photo', question_type: 'dropboximage' });
    expect(await code('questions/addanswer', { question_id: made, answer_text: 'x' })).toBe('265');
    await h.ok('services/addquestion', { service_id: '1204', question_id: made });
  });

  it.each<[string, string, Record<string, string>]>([
    ['questions/create', '269', {}],
    ['questions/create', '50', { question_text: 'x', question_type: 'poll' }],
    ['questions/addanswer', '133', { answer_text: 'x' }],
    ['questions/addanswer', '265', { question_id: '381' }],
    ['questions/addanswer', '202', { question_id: '1', answer_text: 'x' }],
    ['questions/deleteanswer', '134', {}],
    ['questions/deleteanswer', '134', { answer_id: '' }],
    ['questions/deleteanswer', '266', { answer_id: 'all' }],
    ['questions/deleteanswer', '203', { answer_id: '99999' }],
    ['questions/delete', '133', {}],
    ['questions/delete', '202', { question_id: '1' }],
    ['questions/delete', '261', { question_id: '381' }],
    ['questions/delete', '262', { question_id: 'x' }],
  ])('%s answers with the error code %s to a call with %j', async (operation, wanted, variables) => {
    expect(await code(operation, variables)).toBe(wanted);
  });

  it('the embedded account deletes a question that no service asks', async () => {
    for (const condition of ['pre_submit', 'post_submit', 'shared_submit', 'valid_scan', 'invalid_scan']) {
      await h.ok('services/removequestion', { service_id: 'all', question_id: '381', condition });
    }
    await h.ok('questions/delete', { question_id: '381' });
    expect((await h.ok('questions/retrieve')).all('question').length).toBe(4);
  });
});

describe('databases and their values', () => {
  const show = async (database_id: string, value: string) =>
    (await h.ok('databases/showvalues', { database_id, value })).all('value');

  it('the embedded account creates, renames, empties and deletes a database', async () => {
    const made = await id('databases/create', { database_name: 'Lost & found', case_sensitivity: '1' });
    expect(await code('databases/create', { database_name: 'LOST & FOUND' })).toBe('216');
    expect(await code('databases/create')).toBe('50');
    await h.ok('databases/update', { database_id: made, database_name: 'Found' });
    expect(await code('databases/update', { database_id: made, database_name: 'Stock room' })).toBe('216');
    await h.ok('databases/addvalue', { database_id: made, value: 'a' });
    await h.ok('databases/addvalue', { database_id: made, value: 'A' });
    const database = (await h.ok('databases/retrieve', { database_id: made })).get('database');
    expect([text(database, 'name'), text(database, 'count'), text(database, 'case_sensitivity')]).toEqual([
      'Found',
      '2',
      '1',
    ]);
    await h.ok('databases/clear', { database_id: made });
    expect((await h.ok('databases/showvalues', { database_id: made })).get('count')?.text).toBe('0');
    await h.ok('databases/delete', { database_id: made });
    expect(await code('databases/clear', { database_id: made })).toBe('204');
    expect(await code('databases/delete', { database_id: '1021' })).toBe('205');
    expect(await code('databases/delete', { database_id: '1021', api_key: sampleKeys.other })).toBe('204');
  });

  it('the embedded account adds a value to a database, trimmed and valid by default', async () => {
    const add = (value: string, more: Record<string, string> = {}) =>
      h.ok('databases/addvalue', { database_id: '1022', value, ...more });
    await add('  0042\t', { response: ' R&D ' });
    const [trimmed] = await show('1022', '0042');
    expect([trimmed?.attributes.validity, text(trimmed, 'id'), text(trimmed, 'response')]).toEqual([
      '1',
      '0042',
      ' R&D ',
    ]);
    await add('  0042\t', { trim_value: '0', validity: '0' });
    expect((await show('1022', '  0042\t'))[0]?.attributes.validity).toBe('0');
    await add('x'.repeat(100));
    await add('部'.repeat(100));
    await add('\u00a0nbsp\u00a0');
    expect((await show('1022', '\u00a0nbsp\u00a0')).length).toBe(1);
  });

  it.each<[string, string, Record<string, string>]>([
    ['databases/addvalue', '50', { value: 'x' }],
    ['databases/addvalue', '204', { database_id: '1', value: 'x' }],
    ['databases/addvalue', '270', { database_id: 'x', value: 'x' }],
    ['databases/addvalue', '1028', { database_id: '1022' }],
    ['databases/addvalue', '1028', { database_id: '1022', value: '  ' }],
    ['databases/addvalue', '1028', { database_id: '1022', value: 'x'.repeat(101) }],
    ['databases/addvalue', '1027', { database_id: '1022', value: '1E5' }],
    ['databases/addvalue', '50', { database_id: '1022', value: 'a\0b' }],
    ['databases/addvalue', '50', { database_id: '1022', value: 'x', validity: 'yes' }],
    ['databases/editvalue', '1017', { database_id: '1022', value: 'nothing' }],
    ['databases/editvalue', '1028', { database_id: '1022' }],
    ['databases/deletevalue', '1017', { database_id: '1023', value: 'tc-a1' }],
    ['databases/deletevalue', '1028', { database_id: '1023' }],
    ['databases/upsertvalue', '1028', { database_id: '1022' }],
    ['databases/upsertmultivalue', '1028', { database_id: '1022' }],
    ['databases/upsertmultivalue', '1028', { database_id: '1022', 'values[0][response]': 'x' }],
    ['databases/upsertmultivalue', '204', { 'values[0][value]': 'x', 'values[0][database_id]': '9' }],
    ['databases/upsertmultivalue', '50', { database_id: '1022', values: 'x' }],
  ])('%s answers with the error code %s to a value call with %j', async (operation, wanted, variables) => {
    expect(await code(operation, variables)).toBe(wanted);
  });

  it('the embedded account changes only the given fields of a value', async () => {
    await h.ok('databases/editvalue', { database_id: '1022', value: '1e5', validity: '0' });
    await h.ok('databases/editvalue', { database_id: '1022', value: 'TRUE', response: '' });
    const [[number], [word]] = await Promise.all([show('1022', '1e5'), show('1022', 'true')]);
    expect([number?.attributes.validity, text(number, 'response')]).toEqual([
      '0',
      'Bin A-01: looks like a number, is none',
    ]);
    expect([word?.attributes.validity, text(word, 'response'), text(word, 'id')]).toEqual(['1', '', 'true']);
  });

  it('the embedded account deletes only the named value', async () => {
    await h.ok('databases/deletevalue', { database_id: '1023', value: 'TC-a1' });
    expect(await show('1023', 'TC-a1')).toEqual([]);
    expect((await show('1023', 'TC-A1')).length).toBe(1);
  });

  it('databases/upsertvalue replaces a stored value’s response, and adds a missing value', async () => {
    await h.ok('databases/upsertvalue', { database_id: '1022', value: '1e5', response: 'new' });
    await h.ok('databases/upsertvalue', { database_id: '1022', value: 'brand-new', validity: '0' });
    expect(text((await show('1022', '1e5'))[0], 'response')).toBe('new');
    expect((await show('1022', 'brand-new'))[0]?.attributes.validity).toBe('0');
  });

  it('databases/upsertmultivalue stores up to 100 values, and stores no value if one value is invalid', async () => {
    await h.ok('databases/upsertmultivalue', {
      'values[0][value]': ' m1 ',
      'values[0][database_id]': '1022',
      'values[0][message]': 'by message',
      'values[1][value]': ' m2 ',
      'values[1][database_id]': '1023',
      'values[1][trim_value]': '0',
      'values[1][validity]': '0',
      'values[7][value]': 'nowhere',
    });
    expect(text((await show('1022', 'm1'))[0], 'response')).toBe('by message');
    expect((await show('1023', ' m2 '))[0]?.attributes.validity).toBe('0');
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`values[${n}][value]`, `bulk-${n}`]));
    await h.ok('databases/upsertmultivalue', { database_id: '1023', ...many(100) });
    expect(await code('databases/upsertmultivalue', { database_id: '1023', ...many(101) })).toBe('50');
    const broken = { database_id: '1022', 'values[0][value]': 'fine', 'values[1][value]': 'x'.repeat(101) };
    expect(await code('databases/upsertmultivalue', broken)).toBe('1028');
    expect(await show('1022', 'fine')).toEqual([]);
  });
});

describe('scans, their properties and uploads', () => {
  it('the embedded account deletes all named scans, and no scan if one ID is unknown', async () => {
    expect(await code('scans/delete')).toBe('135');
    expect(await code('scans/delete', { scan_id: 'all' })).toBe('135');
    expect(await code('scans/delete', { scan_id: '13001,1' })).toBe('804');
    await h.ok('scans/delete', { scan_id: '13001, 13002' });
    expect((await h.ok('scans/retrieve')).get('count')?.text).toBe('498');
  });

  it('the embedded account adds, reads, changes and deletes a property of a scan', async () => {
    const scan = { scan_id: '13001' };
    await h.ok('scan_properties/create', { scan_id: '13001,13002', name: 'Color', value: 'blue & <green>' });
    expect((await h.ok('scan_properties/retrieve', { ...scan, name: 'cOLOR' })).get('value')?.text).toBe(
      'blue & <green>',
    );
    await h.ok('scan_properties/update', { ...scan, name: 'Color', value: '007' });
    expect((await h.ok('scan_properties/retrieve', { ...scan, name: 'Color' })).get('value')?.text).toBe('007');
    expect(await code('scan_properties/update', { ...scan, name: 'color', value: 'x' })).toBe('50');
    expect(await code('scan_properties/create', { ...scan, name: 'Color', value: 'x' })).toBe('50');
    const shown = (await h.ok('scans/retrieve', { ...scan, showProperties: '1' })).get('scan');
    expect(shown?.get('properties')?.get('Color')?.text).toBe('007');
    await h.ok('scan_properties/delete', { ...scan, name: 'Color' });
    expect(await code('scan_properties/retrieve', { ...scan, name: 'Color' })).toBe('50');
    expect(await code('scan_properties/create', { name: 'a', value: 'b' })).toBe('135');
    expect(await code('scan_properties/create', { scan_id: '1', name: 'a', value: 'b' })).toBe('804');
    expect(await code('scan_properties/create', { ...scan, name: 'x'.repeat(101), value: 'b' })).toBe('50');
  });

  it('the embedded account returns XML even for a property whose name is no XML name', async () => {
    await h.ok('scan_properties/create', { scan_id: '13001', name: '1 <odd> näme', value: 'x' });
    const shown = (await h.ok('scans/retrieve', { scan_id: '13001', showProperties: '1' })).get('scan');
    expect(shown?.get('properties')?.children.at(-1)?.text).toBe('x');
  });

  it('the embedded account lists a changed scan with the time of its change', async () => {
    h.clock.set(someSaturday + 3_600_000);
    await h.ok('scan_properties/create', { scan_id: '13001', name: 'a', value: 'b' });
    const day = { start_date: '2025-06-14', start_time: '15:30:00', end_date: '2025-06-14', end_time: '15:30:00' };
    const found = (await h.ok('scans/retrieve', { ...day, timestamp_modified: '1' })).all('scan');
    expect(found.map((scan) => [scan.attributes.id, text(scan, 'timestamp_modified')])).toEqual([
      ['13001', '2025-06-14 15:30:00'],
    ]);
  });

  it('the embedded account lists uploads with their numbers of scans, from the 2nd upload with offset 2', async () => {
    const uploads = (await h.ok('uploads/retrieve')).all('upload');
    expect(uploads.length).toBeGreaterThan(5);
    expect(uploads[0]?.attributes).toMatchObject({
      id: '4001',
      device_id: '572',
      service_id: '1202',
      user_id: '703',
      count: '6',
    });
    expect(uploads[0]?.attributes.timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const page = (await h.ok('uploads/retrieve', { limit: '2', offset: '2' })).all('upload');
    expect(page.map((upload) => upload.attributes.id)).toEqual(['4002', '4003']);
    expect((await h.ok('uploads/retrieve', { device_id: '571' })).all('upload')).toEqual([]);
    expect(await code('uploads/retrieve', { service_id: '1' })).toBe('200');
    expect(await code('uploads/retrieve', { user_id: '1' })).toBe('201');
  });

  it('the embedded account can be set to leave upload tags open, as in the account’s reference', async () => {
    await h.json('POST', '/scanner/faults', { unclosed_uploads: true });
    const body = new URLSearchParams({ section: 'uploads', action: 'retrieve', api_key: sampleKeys.demo });
    const answer = await (await fetch(h.api, { method: 'POST', body })).text();
    expect(answer).toMatch(/<upload id="4001"[^>]*[^/]><upload/);
  });
});
