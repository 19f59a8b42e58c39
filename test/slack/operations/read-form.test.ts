/** From a form to an operation's input and back, without a service: what is entered is what is sent, and nothing else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barcode, databases, scans, services, users } from '../../../src/codereadr/operations/index.js';
import type { Operation } from '../../../src/codereadr/operations/operation.js';
import { formView, startingMetadata } from '../../../src/slack/operations/form/form-view.js';
import { fieldOf } from '../../../src/slack/operations/form/input-kind.js';
import { fromRaw, type InputContent, type InputContents } from '../../../src/slack/operations/form/input-values.js';
import { modeOf } from '../../../src/slack/operations/form/layout.js';
import { asMarked, inputOf } from '../../../src/slack/operations/form/read-form.js';
import { readViewState, type SubmittedState } from '../../../src/slack/operations/form/view-state.js';
import { type FormMetadata, markOf } from '../../../src/slack/operations/metadata.js';

const now = Date.UTC(2031, 0, 15);

const nothing: SubmittedState = { entered: {}, textFiles: {}, links: {}, clears: {} };

function hold(operation: Operation, values: Readonly<Record<string, unknown>>, metadata: FormMetadata): InputContents {
  const mode = modeOf(operation, metadata);
  const entries = Object.entries(values).flatMap(([name, value]): [string, InputContent][] => {
    const held = fromRaw(fieldOf(operation, name, mode, metadata.told?.[name] !== undefined), value);
    return held ? [[name, held]] : [];
  });
  return Object.fromEntries(entries);
}

/** What is sent when these inputs hold these values. */
function send(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  metadata = startingMetadata(operation, {}),
) {
  return inputOf(operation, metadata, { ...nothing, entered: hold(operation, values, metadata) }, { now });
}

function problemsIn(read: ReturnType<typeof inputOf>) {
  return read.ok ? [] : read.problems.map(({ param, apiCode }) => [param, apiCode]);
}

describe('a form for something new', () => {
  test('leaves what was left empty to the account', () => {
    expect(send(services.create, { validation_method: 'record' })).toEqual({
      ok: true,
      input: { validation_method: 'record' },
    });
  });

  test('sends a ticked box, and one that was unticked where the account assumes it', () => {
    expect(
      send(services.create, { validation_method: 'record', enableGPS: true, duplicate_value: false }),
    ).toMatchObject({ ok: true, input: { enableGPS: true, duplicate_value: false } });
    expect(send(services.create, { validation_method: 'record', enableGPS: false, duplicate_value: true })).toEqual({
      ok: true,
      input: { validation_method: 'record' },
    });
  });

  test.each([
    ['211', services.create, { validation_method: 'database' }, 'database_id'],
    ['210', services.create, { validation_method: 'postback' }, 'postback_url'],
    ['210', services.create, { validation_method: 'webview' }, 'description'],
    ['224', services.create, { validation_method: 'record', regex_scan_pattern: 'a' }, 'regex_scan_pattern'],
    [
      '224',
      services.create,
      { validation_method: 'record', regex_response_replacement: 'a' },
      'regex_response_replacement',
    ],
    [
      '225',
      services.create,
      { validation_method: 'postback', postback_url: 'https://a.example/', postback_receiver_only: true },
      'postback_receiver_only',
    ],
    [
      '226',
      services.create,
      { validation_method: 'record', postback_real_time_scans: true },
      'postback_real_time_scans',
    ],
    ['223', services.create, { validation_method: 'record', enable_direct_scan: true }, 'enable_direct_scan'],
    [
      '213',
      services.create,
      { validation_method: 'record', period_start_date: '2032-02-02', period_end_date: '2032-02-01' },
      'period_end_date',
    ],
    ['214', services.create, { validation_method: 'record', period_end_date: '2031-01-01' }, 'period_end_date'],
    ['217', services.create, { validation_method: 'record', period_start_time: '10:00' }, 'period_start_time'],
    ['221', services.create, { validation_method: 'postback', postback_url: 'ftp://a.example/' }, 'postback_url'],
    ['330', services.create, { validation_method: 'record', upload_email: 'nobody' }, 'upload_email'],
    ['341', users.create, { username: 'mara' }, 'password'],
    ['1028', databases.addvalue, { database_id: '7' }, 'value'],
    ['1029', databases.upload, { database_id: '7' }, 'csvfile'],
    ['213', scans.retrieve, { start_date: '2031-01-02', end_date: '2031-01-01' }, 'end_date'],
  ] as const)('finds %s without a call', (code, operation, values, param) => {
    expect(problemsIn(send(operation as Operation, values))).toContainEqual([param, code]);
  });

  test('asks for a password unless the name is an e-mail address', () => {
    expect(send(users.create, { username: 'mara@example.com' }).ok).toBe(true);
    expect(send(users.create, { username: 'mara', password: 'x' }).ok).toBe(true);
  });

  test('warns of a barcode whose spaces the account would cut off', () => {
    const values = { database_id: '7', value: ' 007 ' };
    expect(problemsIn(send(databases.addvalue, values))).toEqual([['value', undefined]]);
    expect(send(databases.addvalue, { ...values, trim_value: false })).toEqual({
      ok: true,
      input: { database_id: '7', value: ' 007 ', trim_value: false },
    });
  });

  test('takes a barcode as it is typed, whatever it holds, and the separator as \\x1d', () => {
    const character = fc.oneof(
      fc.constantFrom('\\x1d', '0', ' ', '"', '&', '<', '*', '`', ':100:', '😀', '%', '+', '\u001d', '\\'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    const typed = fc
      .array(character, { minLength: 1, maxLength: 20 })
      .map((parts) => parts.join('').replaceAll('\0', ''))
      .filter((text) => text !== '' && text.length <= 60 && !/\p{Surrogate}/u.test(text));
    fc.assert(
      fc.property(typed, (text) => {
        const entered = { database_id: { text: '7' }, value: { text }, trim_value: { picked: [] } };
        const metadata = startingMetadata(databases.addvalue, {
          locked: { database_id: { raw: '7', label: 'Database', shown: '7' } },
        });
        const read = inputOf(databases.addvalue, metadata, { ...nothing, entered }, { now });
        expect(read).toMatchObject({ ok: true, input: { value: text.replace(/\\x1d/gi, '\u001d') } });
      }),
    );
  });

  test('shows any barcode so that the same one is sent again', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text) && !/\\x1d/i.test(text));
    fc.assert(
      fc.property(value, fc.boolean(), (text, separated) => {
        const barcode = separated ? `${text}\u001d10` : text;
        const read = send(databases.addvalue, { database_id: '7', value: barcode, trim_value: false });
        expect(read).toMatchObject({ ok: true, input: { value: barcode } });
      }),
    );
  });

  test('shows a list of values as lines, and reads the same list from them', () => {
    const values = [
      { value: '007', response: 'Bond, James', validity: true },
      { value: 'a "quoted" one' },
      { value: ' spaces ', response: '', validity: false },
    ];
    expect(send(databases.upsertmultivalue, { database_id: '7', values })).toMatchObject({
      ok: true,
      input: { values: [values[0], values[1], { value: ' spaces ', validity: false }] },
    });
  });

  test('says which line of a list is wrong', () => {
    const metadata = startingMetadata(databases.upsertmultivalue, {});
    const entered = {
      ...hold(databases.upsertmultivalue, { database_id: '7' }, metadata),
      values: { text: 'a,b,1\nc,d,maybe' },
    };
    const read = inputOf(databases.upsertmultivalue, metadata, { ...nothing, entered }, { now });
    expect(read).toMatchObject({ ok: false, problems: [{ path: 'values[1][validity]' }] });
  });

  test('takes the text from a file, and not from both', () => {
    const file = { id: 'F1', name: 'page.html', type: 'text/html', size: 10, url: '' };
    const metadata = startingMetadata(services.create, {});
    const entered = hold(services.create, { validation_method: 'webview' }, metadata);
    const given = { ...nothing, entered, textFiles: { description: file } };
    expect(inputOf(services.create, metadata, given, { now }).ok).toBe(true);
    expect(inputOf(services.create, metadata, given, { now, texts: { description: '<html>' } })).toMatchObject({
      ok: true,
      input: { description: '<html>' },
    });
    const both = {
      ...given,
      entered: hold(services.create, { validation_method: 'webview', description: 'x' }, metadata),
    };
    expect(problemsIn(inputOf(services.create, metadata, both, { now }))).toEqual([['description', undefined]]);
  });
});

describe('a form for a change', () => {
  const now = {
    service_name: 'Gate A',
    description: 'Main entrance.\nOne scan each.',
    database_id: '1021',
    duplicate_value: false,
  };
  const told = (operation: Operation, values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const field = fieldOf(operation, name, 'change', true);
        return [name, markOf(asMarked(field, fromRaw(field, value)))];
      }),
    );
  const metadata = startingMetadata(services.update, {
    locked: { service_id: { raw: '1201', label: 'Service', shown: 'Gate A' } },
    told: told(services.update, now),
    fixed: { validation_method: 'database' },
  });

  test('that changes nothing is not sent', () => {
    expect(send(services.update, now, metadata)).toMatchObject({
      ok: false,
      problems: [{ param: 'service_name', message: expect.stringContaining('Nothing has changed') }],
    });
  });

  test('sends what was changed, the thing it is about, and nothing else', () => {
    expect(send(services.update, { ...now, description: 'Closed' }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', description: 'Closed' },
    });
    expect(send(services.update, { ...now, duplicate_value: true }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', duplicate_value: true },
    });
    expect(send(services.update, { ...now, database_id: '1022' }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', database_id: '1022' },
    });
  });

  test('takes other line breaks and space at the ends, which Slack changes by itself, for no change', () => {
    const entered = { ...now, description: 'Main entrance.\r\nOne scan each.\n' };
    expect(send(services.update, entered, metadata).ok).toBe(false);
  });

  test('empties what was told and is emptied', () => {
    const { description: _, ...rest } = now;
    expect(send(services.update, rest, metadata)).toEqual({ ok: true, input: { service_id: '1201', description: '' } });
  });

  test('keeps what was not told and is left alone, sets it, or empties it', () => {
    const clears = (...names: string[]) => ({
      Period: { picked: names.map((value) => ({ text: { type: 'plain_text' as const, text: value }, value })) },
    });
    const held = hold(services.update, now, metadata);
    const sent = (more: Partial<SubmittedState>) =>
      inputOf(services.update, metadata, { ...nothing, entered: held, ...more }, { now: 0 });
    expect(send(services.update, { ...now, auto_next_scan: '!keep' }, metadata).ok).toBe(false);
    expect(send(services.update, { ...now, enableGPS: false }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', enableGPS: false },
    });
    expect(sent({ clears: clears('period_end_date') })).toEqual({
      ok: true,
      input: { service_id: '1201', period_end_date: '' },
    });
    const both = { ...held, period_end_date: { text: '2032-01-01' } };
    expect(problemsIn(sent({ entered: both, clears: clears('period_end_date') }))).toEqual([
      ['period_end_date', undefined],
    ]);
  });

  test('can bring the symbologies back to the default, which is to leave them out', () => {
    const picked = [{ text: { type: 'plain_text' as const, text: 'x' }, value: 'symbologies' }];
    const sent = { ...nothing, entered: hold(services.update, now, metadata), clears: { Scanning: { picked } } };
    expect(inputOf(services.update, metadata, sent, { now: 0 })).toEqual({ ok: true, input: { service_id: '1201' } });
    expect(send(services.update, { ...now, symbologies: ['6', '34'] }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', symbologies: ['6', '34'] },
    });
  });

  test('holds the conditions under which the thing was made', () => {
    expect(problemsIn(send(services.update, { ...now, postback_receiver_only: true }, metadata))).toContainEqual([
      'postback_receiver_only',
      '226',
    ]);
    const withUrl = { ...metadata, now: { postback_url: 'Now: https://a.example' } };
    expect(send(services.update, { ...now, postback_receiver_only: true }, withUrl).ok).toBe(true);
    const page = startingMetadata(services.update, {
      locked: metadata.locked,
      told: told(services.update, { description: 'page' }),
      fixed: { validation_method: 'webview' },
    });
    expect(problemsIn(send(services.update, {}, page))).toEqual([['description', '210']]);
  });

  test('does not take an emptied number for a wish', () => {
    const user = startingMetadata(users.update, {
      locked: { user_id: { raw: '702', label: 'User', shown: 'mara' } },
      told: told(users.update, { username: 'mara', limit: 2 }),
    });
    expect(problemsIn(send(users.update, { username: 'mara' }, user))).toEqual([['limit', undefined]]);
    expect(send(users.update, { username: 'mara', limit: 3 }, user)).toEqual({
      ok: true,
      input: { user_id: '702', limit: 3 },
    });
    expect(send(users.update, { username: 'mara', limit: 2, password: 'new' }, user)).toEqual({
      ok: true,
      input: { user_id: '702', password: 'new' },
    });
  });
});

describe('a form for a question', () => {
  test('asks about everything where nothing is chosen', () => {
    expect(send(scans.retrieve, {})).toEqual({ ok: true, input: {} });
    expect(send(services.retrieve, { service_id: 'all' })).toEqual({ ok: true, input: {} });
  });

  test('has yes, no and no matter for a switch', () => {
    expect(send(databases.showvalues, { database_id: '7', validity: false })).toMatchObject({
      input: { validity: false },
    });
    expect(send(databases.showvalues, { database_id: '7', validity: true })).toMatchObject({
      input: { validity: true },
    });
    expect(send(databases.showvalues, { database_id: '7' })).toEqual({ ok: true, input: { database_id: '7' } });
  });

  test('asks for 500 at most at once', () => {
    expect(problemsIn(send(scans.retrieve, { limit: 501 }))).toEqual([['limit', undefined]]);
    expect(send(scans.retrieve, { limit: 500 }).ok).toBe(true);
  });

  test('takes typed ids of scans', () => {
    expect(send(scans.retrieve, { scan_id: '13001, 13002' })).toMatchObject({ input: { scan_id: ['13001', '13002'] } });
    expect(send(scans.retrieve, { scan_id: 'x' }).ok).toBe(false);
  });

  test('keeps what no picker can show', () => {
    expect(send(scans.retrieve, { start_date: '2031-01-01', start_time: '09:30:15' })).toMatchObject({
      input: { start_time: '09:30:15' },
    });
    const metadata = startingMetadata(scans.retrieve, {});
    const entered = hold(scans.retrieve, { start_date: '2031-01-01', start_time: '09:30:15' }, metadata);
    const view = JSON.stringify(formView({ operation: scans.retrieve, metadata, entered, lists: {} }));
    expect(view).toContain('"initial_value":"09:30:15"');
  });

  test('takes map and names as they are typed', () => {
    expect(
      send(scans.retrieve, { with_property: { gate: 'A=B', shelf: ' 1 ' }, includeProperty: ['gate'] }),
    ).toMatchObject({
      input: { with_property: { gate: 'A=B', shelf: ' 1 ' }, includeProperty: ['gate'] },
    });
  });
});

describe('what Slack says of a form', () => {
  test('is read by kind of input', () => {
    const sent = readViewState({
      'v.validation_method': {
        'form.field': {
          type: 'static_select',
          selected_option: { text: { type: 'plain_text', text: 'Record scans' }, value: 'record' },
        },
      },
      'v.enableGPS': { 'form.field': { type: 'checkboxes', selected_options: [] } },
      'v.period_end_date': { 'form.field': { type: 'datepicker', selected_date: '2032-01-31' } },
      'v.period_end_time': { 'form.field': { type: 'timepicker', selected_time: '18:05' } },
      'v.service_name': { 'form.field': { type: 'plain_text_input', value: ' Gate ' } },
      'c.Period': { 'form.field': { type: 'multi_static_select', selected_options: [] } },
      'f.description': {
        'form.field': {
          type: 'file_input',
          files: [
            { id: 'F1', name: 'a.html', mimetype: 'text/html', size: 9, url_private: 'https://files.slack.com/a' },
          ],
        } as never,
      },
      'g.Basics': {},
    });
    expect(sent.entered).toMatchObject({
      service_name: { text: ' Gate ' },
      period_end_date: { text: '2032-01-31' },
      period_end_time: { text: '18:05' },
      enableGPS: { picked: [] },
      validation_method: { picked: [{ value: 'record' }] },
    });
    expect(sent.textFiles.description).toEqual({
      id: 'F1',
      name: 'a.html',
      type: 'text/html',
      size: 9,
      url: 'https://files.slack.com/a',
    });
  });

  test('is no choice where the picker had nothing to offer', () => {
    const selected_option = { text: { type: 'plain_text' as const, text: 'Not available' }, value: '!unavailable' };
    const sent = readViewState({
      'v.database_id': { 'form.pick.database': { type: 'external_select', selected_option } },
    });
    expect(sent.entered.database_id).toEqual({ picked: [] });
  });
});

test('a picture’s logo is taken by its name before its bytes are there', () => {
  const metadata = startingMetadata(barcode.generate, {});
  const file = { id: 'F1', name: 'logo.bmp', type: 'image/bmp', size: 10, url: '' };
  const entered = { ...hold(barcode.generate, { value: '007' }, metadata), logo: { file } };
  expect(problemsIn(inputOf(barcode.generate, metadata, { ...nothing, entered }, { now }))).toEqual([
    ['logo', undefined],
  ]);
});
