import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelOf, parseInput } from '../../../src/codereadr/operations/check.js';
import { meaningOf } from '../../../src/codereadr/operations/codes.js';
import { encodeInput } from '../../../src/codereadr/operations/encode.js';
import {
  barcode,
  databases,
  operations,
  scanProperties,
  scans,
  services,
  users,
} from '../../../src/codereadr/operations/index.js';
import type { FileInput, Operation } from '../../../src/codereadr/operations/operation.js';
import { anyText } from '../../helpers/any-text.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
import { noon } from '../helper.js';

function codesOf(operation: Operation, raw: Record<string, unknown>): Record<string, string | undefined> {
  const parsed = parseInput(operation, raw, { now: noon });
  return parsed.ok ? {} : Object.fromEntries(parsed.problems.map((problem) => [problem.path, problem.apiCode]));
}

function read(operation: Operation, raw: Record<string, unknown>): unknown {
  const parsed = parseInput(operation, raw);
  return parsed.ok ? parsed.input : parsed.problems;
}

const csv: FileInput = { name: 'values.csv', type: 'text/csv', content: Buffer.from('a\n') };

describe('typed input', () => {
  test('typed texts of parameters are read as flags, numbers, IDs and lists', () => {
    expect(
      read(scans.retrieve, {
        service_id: 'all',
        device_id: '3, 17',
        scan_id: '00123',
        status: '1,-1',
        limit: '25',
        offset: '50',
        showProperties: 'yes',
        only_recent: '0',
        includeProperty: 'gate, shift',
        'with_property[mode]': 'auto',
        'with_property[a.b]': ' x ',
        order_by: 'timestamp_desc,scan_id',
        timezone: 'Asia/Calcutta',
        start_date: '2030-01-31',
        start_time: '09:30',
      }),
    ).toEqual({
      service_id: 'all',
      device_id: ['3', '17'],
      scan_id: ['00123'],
      status: ['1', '-1'],
      limit: 25,
      offset: 50,
      showProperties: true,
      only_recent: false,
      includeProperty: ['gate', 'shift'],
      with_property: { mode: 'auto', 'a.b': ' x ' },
      order_by: ['timestamp_desc', 'scan_id'],
      timezone: 'Asia/Kolkata',
      start_date: '2030-01-31',
      start_time: '09:30:00',
    });
  });

  test('each line of a typed list is read as a pair of name and value, or as a record of a CSV file', () => {
    expect(read(scans.retrieve, { with_property: 'mode=auto\nnote=a=b ' })).toEqual({
      with_property: { mode: 'auto', note: 'a=b ' },
    });
    expect(
      read(databases.upsertmultivalue, { database_id: '7', values: '00123,Welcome,1\n"a,b"," hi ",0\n x ' }),
    ).toEqual({
      database_id: '7',
      values: [
        { value: '00123', response: 'Welcome', validity: true },
        { value: 'a,b', response: ' hi ', validity: false },
        { value: ' x ' },
      ],
    });
  });

  test('a typed list’s header line names the columns of its records, as in an uploaded CSV file', () => {
    const values = (typed: string) =>
      (read(databases.upsertmultivalue, { database_id: '7', values: typed }) as { values: unknown }).values;
    expect(values('Valid,Barcode\n1,00123\n0,B')).toEqual([
      { value: '00123', validity: true },
      { value: 'B', validity: false },
    ]);
    // A barcode may be spelled like a column.
    expect(values('code')).toEqual([{ value: 'code' }]);
    expect(values('code,Hello\nB')).toEqual([{ value: 'code', response: 'Hello' }, { value: 'B' }]);
    const problem = (typed: string) => {
      const parsed = parseInput(databases.upsertmultivalue, { database_id: '7', values: typed }, { now: 0 });
      return parsed.ok ? undefined : parsed.problems.map(({ message }) => message);
    };
    expect(problem('barcode,response,gate\nA,x,1')?.[0]).toMatch(/^Line 1, column 3: “gate” isn’t a column/);
    expect(problem('barcode,validity\nA,1\n\nB,perhaps')?.[0]).toMatch(/^Line 4: /);
    expect(problem('barcode,validity\nA,1,x')?.[0]).toBe(
      'Line 2, column 3: a line has at most 2 columns, as the header line.',
    );
  });

  test('records typed in PHP’s array syntax are kept apart by their index', () => {
    expect(
      read(databases.upsertmultivalue, {
        'values[0][value]': ' A ',
        'values[0][database_id]': '1',
        'values[1][value]': '1e5',
        'values[1][database_id]': '2',
        'values[1][validity]': '0',
      }),
    ).toEqual({
      values: [
        { value: ' A ', database_id: '1' },
        { value: '1e5', database_id: '2', validity: false },
      ],
    });
  });

  test('a typed property may have a number as its name, and a list in PHP’s array syntax is ordered by index', () => {
    expect(read(scans.retrieve, { 'with_property[12]': 'A', 'with_property[007]': 'B' })).toEqual({
      with_property: { 12: 'A', '007': 'B' },
    });
    expect(read(scans.retrieve, { 'service_id[1]': '7', 'service_id[0]': '9', 'device_id[]': '3' })).toEqual({
      service_id: ['9', '7'],
      device_id: ['3'],
    });
    expect(
      read(databases.upsertmultivalue, { database_id: '1', 'values[10][value]': 'B', 'values[2][value]': 'A' }),
    ).toEqual({ database_id: '1', values: [{ value: 'A' }, { value: 'B' }] });
  });

  test.each<[string, Operation, Record<string, unknown>]>([
    ['a property that no object can hold', scans.retrieve, { 'with_property[__proto__]': 'A' }],
    ['a field that no object can hold', databases.upsertmultivalue, { 'values[0][__proto__]': 'A' }],
    ['a bracket that is not closed', scans.retrieve, { 'with_property[a': 'A' }],
    ['a bracket too many', scans.retrieve, { 'with_property[a][b][c]': 'A' }],
    ['text behind the brackets', scans.retrieve, { 'with_property[a]b': 'A' }],
    ['a name within a name', scans.retrieve, { 'with_property[a][b]': 'A' }],
    ['both a parameter and a part of it', scans.retrieve, { with_property: 'a=1', 'with_property[b]': '2' }],
    [
      'a record that is a value as well',
      databases.upsertmultivalue,
      { database_id: '1', 'values[0][value]': 'A', 'values[0]': 'B' },
    ],
    ['a part of a parameter that has no parts', scans.retrieve, { 'value[a]': 'A' }],
    ['nothing but brackets', scans.retrieve, { '[a]': 'A' }],
  ])('typed input is never dropped silently: %s is refused', (_, operation, given) => {
    expect(parseInput(operation, given).ok).toBe(false);
  });

  test('a typed property is sent unchanged, or refused', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 10 }), fc.string({ maxLength: 10 }), (name, value) => {
        const parsed = parseInput(scans.retrieve, { [`with_property[${name}]`]: value });
        if (parsed.ok) {
          expect(Object.entries(parsed.input.with_property ?? {})).toEqual([[name, value]]);
        }
      }),
    );
  });

  test('an empty text clears the account’s value, and an empty choice or number is not sent', () => {
    expect(
      read(services.update, { service_id: '4', description: '', auto_next_scan: '', auto_next_scan_delay: '' }),
    ).toEqual({
      service_id: '4',
      description: '',
    });
  });

  test('any barcode without NUL passes the check of an input unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (value) => {
        fc.pre(!value.includes('\0'));
        expect(read(databases.deletevalue, { database_id: '1', value })).toEqual({ database_id: '1', value });
      }),
    );
  });
});

describe('the check of an input', () => {
  test.each<[string, Operation, Record<string, unknown>, Record<string, string | undefined>]>([
    ['a missing barcode', databases.addvalue, { database_id: '1' }, { value: '1028' }],
    ['an empty barcode', databases.addvalue, { database_id: '1', value: '' }, { value: '1028' }],
    ['an empty barcode to search for', scans.retrieve, { value: '' }, { value: undefined }],
    ['a logo that is a CSV file', barcode.generate, { value: 'a', logo: csv }, { logo: undefined }],
    ['no parameter at all', scanProperties.create, {}, { scan_id: '135', name: '50', value: '50' }],
    ['an id that is no number', databases.clear, { database_id: 'seven' }, { database_id: '270' }],
    ['the word all where it is not accepted', scans.delete, { scan_id: 'all' }, { scan_id: undefined }],
    [
      'a barcode of 101 characters',
      databases.addvalue,
      { database_id: '1', value: 'x'.repeat(101) },
      { value: undefined },
    ],
    ['NUL in a barcode', databases.addvalue, { database_id: '1', value: 'a\0b' }, { value: undefined }],
    ['half a character in a barcode', databases.addvalue, { database_id: '1', value: 'a\uD83D' }, { value: undefined }],
    ['an offset without a limit', scans.retrieve, { offset: '5' }, { offset: undefined }],
    ['a parameter that does not exist', scans.delete, { scan_id: '1', api_key: 'k' }, { api_key: undefined }],
    ['a service without its database', services.create, { validation_method: 'database' }, { database_id: '211' }],
    ['a postback service without URL', services.create, { validation_method: 'postback' }, { postback_url: '210' }],
    ['a web view without description', services.create, { validation_method: 'webview' }, { description: '210' }],
    ...['<html lang="en">Hi</html>', '<!DOCTYPE html>\n<html>', "<HTML class='>'>"].map(
      (description): [string, Operation, Record<string, unknown>, Record<string, string>] => [
        `a page that devices would show as text: ${description}`,
        services.create,
        { validation_method: 'webview', description },
        { description: '210' },
      ],
    ),
    ['a logo by an FTP URL', barcode.generate, { value: 'a', logo: 'ftp://x/a.png' }, { logo: undefined }],
    ['a modified_diff in weeks', scans.retrieve, { modified_diff: '< 2 week' }, { modified_diff: undefined }],
    [
      'direct scan at a service that records',
      services.create,
      { validation_method: 'record', enable_direct_scan: '1' },
      { enable_direct_scan: '223' },
    ],
    [
      'a pattern without its replacement',
      services.update,
      { service_id: '1', regex_scan_pattern: '^x' },
      { regex_scan_pattern: '224' },
    ],
    [
      'a replacement without its pattern',
      services.update,
      { service_id: '1', regex_response_replacement: 'y' },
      { regex_response_replacement: '224' },
    ],
    [
      'the receiver-only setting at a postback service',
      services.create,
      { validation_method: 'postback', postback_url: 'https://x.example/', postback_receiver_only: '1' },
      { postback_receiver_only: '225' },
    ],
    [
      'postback settings without a URL',
      services.create,
      { validation_method: 'record', postback_real_time_scans: '1' },
      { postback_real_time_scans: '226' },
    ],
    ['a postback URL by FTP', services.update, { service_id: '1', postback_url: 'ftp://x' }, { postback_url: '221' }],
    [
      'a service’s end before its start',
      services.update,
      { service_id: '1', period_start_date: '2031-05-02', period_end_date: '05/01/2031' },
      { period_end_date: '213' },
    ],
    [
      'a service’s end some minutes before its start',
      services.update,
      {
        service_id: '1',
        period_start_date: '2031-05-02',
        period_start_time: '02:30pm',
        period_end_date: '2031-05-02',
        period_end_time: '14:29:00',
      },
      { period_end_date: '213' },
    ],
    [
      'a service’s end in the past',
      services.update,
      { service_id: '1', period_end_date: '2030-05-13' },
      { period_end_date: '214' },
    ],
    [
      'a service’s start time without its date',
      services.create,
      { validation_method: 'record', period_start_time: '10:00' },
      { period_start_time: '217' },
    ],
    [
      'a search that ends before it starts',
      scans.retrieve,
      { start_date: '2030-02-01', end_date: '2030-01-01' },
      { end_date: '213' },
    ],
    ['a day that does not exist', scans.retrieve, { start_date: '2030-02-30' }, { start_date: undefined }],
    ['a time zone that does not exist', scans.retrieve, { timezone: 'Mars/Olympus' }, { timezone: undefined }],
    ['a user without password', users.create, { username: 'bob' }, { password: '341' }],
    [
      'an upload_email without an address',
      services.update,
      { service_id: '1', upload_email: 'bob' },
      { upload_email: '330' },
    ],
    [
      'a decoder configuration that is malformed JSON',
      services.update,
      { service_id: '1', decoder_config: '{' },
      { decoder_config: undefined },
    ],
    [
      'scan properties that are a list',
      services.update,
      { service_id: '1', scan_properties: '[1]' },
      { scan_properties: undefined },
    ],
    ['an upload without a file', databases.upload, { database_id: '1' }, { csvfile: '1029' }],
    [
      'a file that is no CSV file',
      databases.upload,
      { database_id: '1', csvfile: { ...csv, name: 'a.xls' } },
      { csvfile: '1026' },
    ],
    [
      'a CSV file that is too large',
      databases.upload,
      { database_id: '1', csvfile: { ...csv, content: Buffer.alloc(10_000_001) } },
      { csvfile: '105' },
    ],
    [
      'a record without its barcode',
      databases.upsertmultivalue,
      { database_id: '1', values: [{ value: 'a' }, { response: 'x' }] },
      { 'values[1][value]': '1028' },
    ],
    [
      'a record without any database',
      databases.upsertmultivalue,
      { values: [{ value: 'a', database_id: '1' }, { value: 'b' }] },
      { 'values[1][database_id]': '50' },
    ],
    [
      'a list of 101 records',
      databases.upsertmultivalue,
      { database_id: '1', values: Array.from({ length: 101 }, (_, i) => ({ value: String(i) })) },
      { values: undefined },
    ],
    [
      'a barcode picture in a size that does not exist',
      barcode.generate,
      { value: 'a', size: '11' },
      { size: undefined },
    ],
    [
      'a property name PHP would cut',
      scans.retrieve,
      { with_property: { 'a]b': 'x' } },
      { 'with_property[a]b]': undefined },
    ],
  ])('an input that cannot be sent is refused with an error at its parameter: %s', (_, operation, raw, expected) => {
    expect(codesOf(operation, raw)).toEqual(expected);
  });

  test.each<[string, Operation, Record<string, unknown>]>([
    ['a service’s end that is today', services.update, { service_id: '1', period_end_date: '2030-05-15' }],
    [
      'a flag that is off where it could not be on',
      services.create,
      { validation_method: 'record', enable_direct_scan: '0' },
    ],
    ['a user invited by e-mail', users.create, { username: 'bob@example.com' }],
    [
      'a pattern replaced by nothing',
      services.update,
      { service_id: '1', regex_scan_pattern: 'x', regex_scan_replacement: '' },
    ],
    ['100 characters of two UTF-16 units each', databases.addvalue, { database_id: '1', value: '😀'.repeat(100) }],
    ['the account’s own time zone', scans.retrieve, { timezone: 'account' }],
    ['a barcode of spaces', databases.addvalue, { database_id: '1', value: '  ' }],
    ['a modified_diff in minutes', scans.retrieve, { modified_diff: '< 2 minute' }],
    ['a modified_diff with decimals', scans.retrieve, { modified_diff: '> 1.5 year' }],
    ['the offset of the account’s own zone', scans.retrieve, { timezone_offset: 'account' }],
    ['a time zone offset of +08:00', scans.retrieve, { timezone_offset: '+08:00' }],
    ['a service name of 500 characters', services.update, { service_id: '1', service_name: 'Gate '.repeat(100) }],
    ['a limit of 250,000', scans.retrieve, { limit: '250000' }],
    ['a logo by its URL', barcode.generate, { value: 'a', logo: 'https://x.example/logo.png' }],
    ['a page as devices take it', services.create, { validation_method: 'webview', description: '<html>a</html>' }],
    ['a page by its URL', services.create, { validation_method: 'webview', description: '<curl>http://x</curl>' }],
    [
      'a description that is not shown as a page',
      services.create,
      { validation_method: 'record', description: '<html lang="en">' },
    ],
  ])('an input is accepted: %s', (_, operation, raw) => {
    expect(codesOf(operation, raw)).toEqual({});
  });

  test('every refusal of an input has an explanation as a sentence', () => {
    for (const operation of operations) {
      const every = (value: unknown) => Object.fromEntries(Object.keys(operation.input).map((name) => [name, value]));
      for (const raw of [{}, { nonsense: 1 }, every('a\0b'), every(-1.5), every({ a: 1 }), every([{}])]) {
        const parsed = parseInput(operation, raw);
        for (const problem of parsed.ok ? [] : parsed.problems) {
          expect(problem.message).toMatch(/^[A-Z].*[.…]$/);
          expect(problem.message).not.toMatch(/Invalid |expected |regex/);
        }
      }
    }
  });

  wideIt('the check of an input returns a result for any value, and never throws an error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        fc.dictionary(fc.string(), fc.anything({ maxDepth: 3 })),
        fc.anything({ maxDepth: 3, withNullPrototype: true, withBigInt: true, withDate: true }),
        (operation, extra, value) => {
          const all = Object.fromEntries(Object.keys(operation.input).map((name) => [name, value]));
          const parsed = parseInput(operation, { ...extra, ...all });
          if (parsed.ok) {
            encodeInput(operation, parsed.input as Record<string, unknown>);
          } else {
            expect(parsed.problems.length).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('an input that was checked is unchanged by a second check', () => {
  const once = read(scans.retrieve, {
    timezone: 'UTC',
    start_date: '2030-01-01',
    start_time: '10:00',
    'with_property[a]': '1',
  });
  expect(read(scans.retrieve, once as Record<string, unknown>)).toEqual(once);
  expect(parseInput(scans.retrieve, { value: 'x', limit: 5 }).ok).toBe(true);
});

test('a parameter without a label is labelled by its name as words', () => {
  expect(labelOf(services.create, 'direct_history_url')).toBe('Direct history URL');
  expect(labelOf(services.create, 'service_name')).toBe('Name');
  expect(labelOf(scans.retrieve, 'showProperties')).toBe('Show properties');
  expect(labelOf(scans.retrieve, 'service_id')).toBe('Service ID');
});

test('an input is sent in PHP’s array syntax', () => {
  expect(
    encodeInput(databases.upsertmultivalue, {
      values: [
        { value: '00 1', database_id: '7', validity: false, trim_value: false },
        { value: 'b', response: '' },
      ],
      database_id: '8',
    }).fields,
  ).toEqual([
    ['values[0][value]', '00 1'],
    ['values[0][database_id]', '7'],
    ['values[0][trim_value]', '0'],
    ['values[0][validity]', '0'],
    ['values[1][value]', 'b'],
    ['values[1][response]', ''],
    ['database_id', '8'],
  ]);
  expect(
    encodeInput(scans.retrieve, {
      service_id: 'all',
      device_id: ['1', '2'],
      limit: 5,
      with_property: { mode: 'auto' },
      showProperties: true,
      order_by: ['timestamp_desc', 'scan_id'],
    }).fields,
  ).toEqual([
    ['service_id', 'all'],
    ['device_id', '1,2'],
    ['showProperties', '1'],
    ['with_property[mode]', 'auto'],
    ['order_by', 'timestamp_desc,scan_id'],
    ['limit', '5'],
  ]);
});

describe('special rules of the account', () => {
  const update = (raw: Record<string, unknown>) => read(services.update, { service_id: '1', ...raw });

  test('a decoder configuration that was cleared is sent as an empty object', () => {
    const input = update({ decoder_config: '' }) as Record<string, unknown>;
    expect(encodeInput(services.update, input).fields).toContainEqual(['decoder_config', '{}']);
  });

  test('the time of a service’s period can be changed without its date, but a new service needs both', () => {
    expect(update({ period_end_time: '18:00' })).toEqual({ service_id: '1', period_end_time: '18:00:00' });
    expect(codesOf(services.create, { validation_method: 'record', period_end_time: '18:00' })).toEqual({
      period_end_time: '218',
    });
  });

  test('a password cannot be set to an empty text', () => {
    expect(codesOf(users.update, { user_id: '1', password: '' })).toHaveProperty('password');
    expect(codesOf(users.update, { user_id: '1', limit: '2' })).toEqual({});
  });

  test('the account’s refusal for lack of permission is explained by the plan', () => {
    expect(meaningOf('10')).toMatchObject({
      title: expect.stringMatching(/plan/),
      todo: expect.stringMatching(/plan/),
    });
  });

  test.each([
    ['auto_sync', /by themselves.*50,000/],
    ['auto_sync_up_url', /instead of the account.*no record/],
    ['decoder_config', /every device.*stop cameras/],
    ['upload_email', /CSV file.*outside Slack/],
  ] as const)('the hint of the field %s names the consequence of the setting', (name, said) => {
    const { description } = services.update.input[name];
    expect(description).toMatch(said);
    expect(description.length).toBeLessThanOrEqual(120);
  });

  test('the removal of a question from a service accepts the condition under which the question is asked', () => {
    expect(read(services.removequestion, { service_id: '1', question_id: '2', condition: 'valid_scan' })).toEqual({
      ...{ service_id: ['1'], question_id: ['2'], condition: 'valid_scan' },
    });
  });
});
