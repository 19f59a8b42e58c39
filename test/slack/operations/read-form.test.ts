/** From a form to an operation's input and back, without an account: the entered values are sent, and nothing else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barcode, databases, scans, services, users } from '../../../src/codereadr/operations/index.js';
import type { Operation } from '../../../src/codereadr/operations/operation.js';
import type { ModalView } from '../../../src/slack/block-kit/elements.js';
import { formView } from '../../../src/slack/operations/form/form-view.js';
import { operationForm } from '../../../src/slack/operations/form/operation-form.js';
import { inputOf, textToHash } from '../../../src/slack/operations/form/read-form.js';
import { submissionIn } from '../../../src/slack/operations/form/submitted-form.js';
import { type FormMetadata, startingMetadata, textHash } from '../../../src/slack/operations/metadata.js';

const now = Date.UTC(2031, 0, 15);

type Inputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const text = (value: string) => ({ type: 'plain_text_input', value });
const chosen = (...values: readonly string[]) => ({
  type: 'multi_static_select',
  selected_options: values.map((value) => ({ text: { type: 'plain_text', text: 'x' }, value })),
});
const files = (file: { readonly id: string; readonly name: string; readonly mimetype: string }) => ({
  type: 'file_input',
  files: [{ size: 10, url_private: '', ...file }],
});

/** What Slack sends of a form that is submitted as it was drawn. */
function asDrawn({ blocks }: ModalView): Inputs {
  return Object.fromEntries(
    blocks.flatMap((block) => {
      if (block.type !== 'input') return [];
      const { element } = block as unknown as { element: Record<string, unknown> };
      const { initial_value: value, initial_date, initial_time, initial_option, initial_options = [] } = element;
      const several = { selected_options: initial_options };
      const one = { value, selected_date: initial_date, selected_time: initial_time, selected_option: initial_option };
      const isList = element.type === 'checkboxes' || String(element.type).startsWith('multi_');
      return [[String(block.block_id), { type: element.type, ...(isList ? several : one) }]];
    }),
  );
}

function submitted(inputs: Inputs, metadata: FormMetadata) {
  const values = Object.fromEntries(Object.entries(inputs).map(([id, input]) => [id, { 'form.field': input }]));
  return submissionIn({ state: { values: values as never } }, metadata);
}

/** The input that is read from the form when its fields hold these values. */
function send(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  metadata = startingMetadata(operation, {}),
  more: Inputs = {},
  options: Parameters<typeof inputOf>[1] = { now },
) {
  const draft = operationForm(operation, metadata).form.draft({ values });
  const drawn = asDrawn(formView({ operation, metadata, draft, menus: {} }));
  return inputOf(submitted({ ...drawn, ...more }, metadata), options);
}

function problemsIn(read: ReturnType<typeof inputOf>) {
  return read.ok ? [] : read.problems.map(({ param, apiCode }) => [param, apiCode]);
}

describe('a form for something new', () => {
  test('a form for a new record sends nothing for empty fields, whose defaults the account sets', () => {
    expect(send(services.create, { validation_method: 'record' })).toEqual({
      ok: true,
      input: { validation_method: 'record' },
    });
  });

  test('a form for a new record sends a ticked box, and an unticked one only where the account’s default is on', () => {
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
  ] as const)(
    'a form finds error %s without a call to the account, at the field $3',
    (code, operation, values, param) => {
      expect(problemsIn(send(operation as Operation, values))).toContainEqual([param, code]);
    },
  );

  test('a form for a new user needs no password if the name is an e-mail address', () => {
    expect(send(users.create, { username: 'mara@example.com' }).ok).toBe(true);
    expect(send(users.create, { username: 'mara', password: 'x' }).ok).toBe(true);
  });

  test('a form for a new record warns of a barcode whose spaces the account would trim', () => {
    const values = { database_id: '7', value: ' 007 ' };
    expect(problemsIn(send(databases.addvalue, values))).toEqual([['value', undefined]]);
    expect(send(databases.addvalue, { ...values, trim_value: false })).toEqual({
      ok: true,
      input: { database_id: '7', value: ' 007 ', trim_value: false },
    });
  });

  test('a form for a new record reads a barcode exactly as typed, with \\x1d as the separator', () => {
    const character = fc.oneof(
      fc.constantFrom('\\x1d', '0', ' ', '"', '&', '<', '*', '`', ':100:', '😀', '%', '+', '\u001d', '\\'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    const typed = fc
      .array(character, { minLength: 1, maxLength: 20 })
      .map((parts) => parts.join('').replaceAll('\0', ''))
      .filter((text) => text !== '' && text.length <= 60 && !/\p{Surrogate}/u.test(text))
      // These are read back as what they stand for, as in test/codereadr/hidden-characters.test.ts.
      .filter((text) => !/[\u2401-\u2421]|\\x(?:0|1[^d]|7f)|⟨U\+/i.test(text));
    fc.assert(
      fc.property(typed, (text) => {
        const metadata = startingMetadata(databases.addvalue, {
          locked: { database_id: { raw: '7', label: 'Database', shown: '7' } },
        });
        const inputs = { 'v.value': { type: 'plain_text_input', value: text }, 'v.trim_value': chosen() };
        const read = inputOf(submitted(inputs, metadata), { now });
        expect(read).toMatchObject({ ok: true, input: { value: text.replace(/\\x1d/gi, '\u001d') } });
      }),
    );
  });

  test('a form for a new record shows any barcode so that submitting the form sends that barcode unchanged', () => {
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

  test('a form for a new record shows a list of values as lines, and reads the same list back', () => {
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

  test('a form for a new record names the wrong line of a list', () => {
    const values = text('a,b,1\nc,d,maybe');
    const read = send(databases.upsertmultivalue, { database_id: '7' }, undefined, { 'v.values': values });
    expect(read).toMatchObject({
      ok: false,
      problems: [{ path: 'values', message: expect.stringMatching(/^Line 2: /) }],
    });
  });

  test('a form for a new record accepts its text from a file or a field, and not from both', () => {
    const file = { 'f.description': files({ id: 'F1', name: 'page.html', mimetype: 'text/html' }) };
    const page = { validation_method: 'webview' };
    expect(send(services.create, page, undefined, file).ok).toBe(true);
    const texts = { description: '<html>' };
    expect(send(services.create, page, undefined, file, { now, texts })).toMatchObject({
      ok: true,
      input: { description: '<html>' },
    });
    const both = send(services.create, { ...page, description: 'x' }, undefined, file);
    expect(problemsIn(both)).toEqual([['description', undefined]]);
  });
});

describe('a form for a change', () => {
  const now = {
    service_name: 'Gate A',
    description: 'Main entrance.\nOne scan each.',
    database_id: '1021',
    duplicate_value: false,
  };
  const told = (operation: Operation, values: Readonly<Record<string, unknown>>) => {
    const names = Object.fromEntries(Object.keys(values).map((name) => [name, '']));
    const { params } = operationForm(operation, { told: names });
    const known = params.filter(({ name }) => name in values);
    return Object.fromEntries(known.map(({ name, kind }) => [name, textHash(textToHash(kind.fromRaw(values[name])))]));
  };
  const metadata = startingMetadata(services.update, {
    locked: { service_id: { raw: '1201', label: 'Service', shown: 'Gate A' } },
    told: told(services.update, now),
    fixed: { validation_method: 'database' },
  });

  test('a form for a change in which nothing was changed is not sent', () => {
    expect(send(services.update, now, metadata)).toMatchObject({
      ok: false,
      problems: [{ param: 'service_name', message: expect.stringContaining('Nothing has changed') }],
    });
  });

  test('a form for a change sends the changed fields and the record, and nothing else', () => {
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

  test('a form for a change ignores line breaks and outer spaces that Slack itself changed', () => {
    const entered = { ...now, description: 'Main entrance.\r\nOne scan each.\n' };
    expect(send(services.update, entered, metadata).ok).toBe(false);
  });

  test('a form for a change clears a field that had a value and was emptied', () => {
    const { description: _, ...rest } = now;
    expect(send(services.update, rest, metadata)).toEqual({ ok: true, input: { service_id: '1201', description: '' } });
  });

  test('a form for a change keeps, sets or empties a field that the account did not return', () => {
    const sent = (more: Inputs) => send(services.update, now, metadata, more, { now: 0 });
    expect(send(services.update, { ...now, auto_next_scan: '!keep' }, metadata).ok).toBe(false);
    expect(send(services.update, { ...now, enableGPS: false }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', enableGPS: false },
    });
    const clears = { 'c.Period': chosen('period_end_date') };
    expect(sent(clears)).toEqual({ ok: true, input: { service_id: '1201', period_end_date: '' } });
    const both = { ...clears, 'v.period_end_date': text('2032-01-01') };
    expect(problemsIn(sent(both))).toEqual([['period_end_date', undefined]]);
  });

  test('a form for a change can reset the symbologies to the default by leaving them out', () => {
    const clears = { 'c.Scanning': chosen('symbologies') };
    const sent = send(services.update, now, metadata, clears, { now: 0 });
    expect(sent).toEqual({ ok: true, input: { service_id: '1201' } });
    expect(send(services.update, { ...now, symbologies: ['6', '34'] }, metadata)).toEqual({
      ok: true,
      input: { service_id: '1201', symbologies: ['6', '34'] },
    });
  });

  test('a form for a change is checked together with the record’s current settings', () => {
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

  test('a form for a change refuses a number that was cleared, and sends a new one', () => {
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

describe('a form for a read', () => {
  test('a form for a read requests every record where none is chosen', () => {
    expect(send(scans.retrieve, {})).toEqual({ ok: true, input: {} });
    expect(send(services.retrieve, { service_id: 'all' })).toEqual({ ok: true, input: {} });
  });

  test('a form for a read sends yes, no or nothing for a switch', () => {
    expect(send(databases.showvalues, { database_id: '7', validity: false })).toMatchObject({
      input: { validity: false },
    });
    expect(send(databases.showvalues, { database_id: '7', validity: true })).toMatchObject({
      input: { validity: true },
    });
    expect(send(databases.showvalues, { database_id: '7' })).toEqual({ ok: true, input: { database_id: '7' } });
  });

  test('a form for a read asks for 500 records at most', () => {
    expect(problemsIn(send(scans.retrieve, { limit: 501 }))).toEqual([['limit', undefined]]);
    expect(send(scans.retrieve, { limit: 500 }).ok).toBe(true);
  });

  test('a form for a read accepts typed IDs of scans', () => {
    expect(send(scans.retrieve, { scan_id: '13001, 13002' })).toMatchObject({ input: { scan_id: ['13001', '13002'] } });
    expect(send(scans.retrieve, { scan_id: 'x' }).ok).toBe(false);
  });

  test('a form for a read keeps a time with seconds, which no picker can show', () => {
    expect(send(scans.retrieve, { start_date: '2031-01-01', start_time: '09:30:15' })).toMatchObject({
      input: { start_time: '09:30:15' },
    });
    const metadata = startingMetadata(scans.retrieve, {});
    const values = { start_date: '2031-01-01', start_time: '09:30:15' };
    const draft = operationForm(scans.retrieve, metadata).form.draft({ values });
    const view = JSON.stringify(formView({ operation: scans.retrieve, metadata, draft, menus: {} }));
    expect(view).toContain('"initial_value":"09:30:15"');
  });

  test('a form for a read sends properties and their names as typed', () => {
    expect(
      send(scans.retrieve, { with_property: { gate: 'A=B', shelf: ' 1 ' }, includeProperty: ['gate'] }),
    ).toMatchObject({
      input: { with_property: { gate: 'A=B', shelf: ' 1 ' }, includeProperty: ['gate'] },
    });
  });
});

describe('a submitted form', () => {
  test('a submitted form’s fields are read according to their kind of input', () => {
    const { draft, values } = submitted(
      {
        'v.validation_method': {
          type: 'static_select',
          selected_option: { text: { type: 'plain_text', text: 'Record scans' }, value: 'record' },
        },
        'v.enableGPS': chosen(),
        'v.period_end_date': { type: 'datepicker', selected_date: '2032-01-31' },
        'v.period_end_time': { type: 'timepicker', selected_time: '18:05' },
        'v.service_name': text(' Gate '),
        'c.Period': chosen(),
        'f.description': {
          type: 'file_input',
          files: [
            { id: 'F1', name: 'a.html', mimetype: 'text/html', size: 9, url_private: 'https://files.slack.com/a' },
          ],
        },
        'g.Basics': {},
      },
      startingMetadata(services.create, {}),
    );
    const read = {
      'v.service_name': ' Gate ',
      'v.period_end_date': '2032-01-31',
      'v.period_end_time': '18:05',
      'v.validation_method': 'record',
    };
    expect(draft).toMatchObject({ ...read, 'v.enableGPS': false });
    expect(values).toMatchObject(read);
    expect(draft['f.description']).toEqual({
      id: 'F1',
      name: 'a.html',
      type: 'text/html',
      size: 9,
      url: 'https://files.slack.com/a',
    });
  });

  test('a submitted form’s choice “Not available” is read as no choice', () => {
    const selected_option = { text: { type: 'plain_text' as const, text: 'Not available' }, value: '!unavailable' };
    const { draft, values } = submitted(
      { 'v.database_id': { type: 'external_select', selected_option } },
      startingMetadata(databases.addvalue, {}),
    );
    expect([draft['v.database_id'], values['v.database_id']]).toEqual([undefined, undefined]);
  });

  test('a submitted form has a password among the values to send, and not in the values to draw again', () => {
    const { draft, values } = submitted({ 'v.password': text('canary') }, startingMetadata(users.create, {}));
    expect(values['v.password']).toBe('canary');
    expect(JSON.stringify(draft)).not.toContain('canary');
  });
});

test('a barcode’s logo is checked by its name before its bytes are fetched', () => {
  const logo = { 'v.logo': files({ id: 'F1', name: 'logo.bmp', mimetype: 'image/bmp' }) };
  expect(problemsIn(send(barcode.generate, { value: '007' }, undefined, logo))).toEqual([['logo', undefined]]);
});

test('the form of a user does not offer to empty the password', () => {
  const form = operationForm(users.update, { told: {} });
  const clearable = form.params.filter((each) => each.clearable).map(({ name }) => name);
  expect(clearable).toContain('username');
  expect(clearable).not.toContain('password');
});
