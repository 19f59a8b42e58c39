import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  barcode,
  databases,
  devices,
  limits,
  questions,
  scanProperties,
  scans,
  services,
  uploads,
  users,
} from '../../src/codereadr/operations/index.js';
import type { Operation } from '../../src/codereadr/operations/operation.js';
import { readAnswer } from '../../src/codereadr/response.js';
import { AccountError, type BrokenReason } from '../../src/codereadr/types.js';
import { openAccounts, startServer } from '../codereadr/helper.js';
import { wideIt } from '../helpers/tier/wide-it.js';

function document(name: string): Buffer {
  return readFileSync(new URL(`./documents/${name}`, import.meta.url));
}

function read(operation: Operation, body: Buffer): Promise<unknown> {
  return readAnswer(operation, { contentType: 'text/xml', body });
}

describe('an answer written as the contract says', () => {
  test.each<[string, Operation, unknown]>([
    [
      'services-one.xml',
      services.retrieve,
      {
        services: [
          {
            id: '3',
            name: 'Main entrance',
            validationMethod: 'database',
            databaseId: '7',
            duplicateScanValue: '0',
            description: 'Scan & smile',
            userIds: ['12'],
            questionIds: ['5'],
          },
        ],
      },
    ],
    [
      'services-many.xml',
      services.retrieve,
      {
        services: [
          {
            id: '3',
            name: 'Main entrance',
            validationMethod: 'postback',
            postbackUrl: 'https://desk.example.com/relay/a/b?x=1&y=2',
            userIds: ['12', '13'],
            questionIds: [],
          },
          {
            id: '4',
            name: 'Stock',
            validationMethod: 'record',
            databaseId: '9',
            userIds: [],
            questionIds: ['1', '2'],
          },
          { id: '5', name: '', validationMethod: 'telepathy', userIds: [], questionIds: [] },
        ],
      },
    ],
    ['none.xml', services.retrieve, { services: [] }],
    ['none.xml', users.retrieve, { users: [] }],
    ['none.xml', devices.retrieve, { devices: [] }],
    ['none.xml', databases.retrieve, { databases: [] }],
    ['none.xml', databases.showvalues, { values: [] }],
    ['none-counted.xml', databases.showvalues, { count: 0, values: [] }],
    ['none-counted.xml', scans.retrieve, { count: 0, scans: [] }],
    ['none.xml', uploads.retrieve, { uploads: [] }],
    ['none.xml', databases.clear, {}],
    [
      'users-many.xml',
      users.retrieve,
      {
        users: [
          {
            id: '12',
            username: 'bob@example.com',
            serviceIds: ['3', '4'],
            limit: '5',
            created: '2024-02-29 10:00:00',
          },
          { id: '13', username: '00123', serviceIds: [] },
        ],
      },
    ],
    [
      'devices-one.xml',
      devices.retrieve,
      { devices: [{ id: '8', udid: '0A1B2C', name: ' Gate 1 ', created: '2024-01-01 00:00:00' }] },
    ],
    [
      'questions-many.xml',
      questions.retrieve,
      {
        count: 2,
        questions: [
          {
            id: '1',
            text: 'Size?',
            type: 'option',
            answers: [
              { id: '10', text: 'S' },
              { id: '11', text: 'M' },
            ],
          },
          { id: '2', text: 'Why?', type: 'manual', answers: [] },
        ],
      },
    ],
    [
      'databases-many.xml',
      databases.retrieve,
      {
        count: 2,
        databases: [
          { id: '7', name: 'Tickets', count: 2000, serviceIds: ['3'], caseSensitive: true },
          { id: '8', name: 'Tools', serviceIds: [] },
        ],
      },
    ],
    [
      'showvalues-one.xml',
      databases.showvalues,
      { count: 1, values: [{ value: '00123', valid: true, response: 'Welcome' }] },
    ],
    [
      'showvalues-many.xml',
      databases.showvalues,
      {
        count: 9,
        values: [
          { value: '00123', valid: true, response: 'Welcome' },
          { value: '1e5', valid: false, response: '' },
          { value: '0x1F', valid: true, response: '' },
          { value: ' spaces ', valid: true, response: ' kept ' },
          { value: 'true', valid: false, response: '1' },
          { value: 'A&B <c> "d" \'e\'\r\n', valid: true, response: '☺ ☺' },
          { value: '<b>&amp;</b>', valid: true, response: 'a & b' },
          { value: '\u001D01095060001343528\u001D', valid: true, response: 'GS1' },
          { value: 'naïve 😀', valid: false, response: 'ok' },
        ],
      },
    ],
    [
      'scans-many.xml',
      scans.retrieve,
      {
        count: 3,
        scans: [
          {
            id: '901',
            value: '00123',
            status: 'valid',
            result: 'Welcome',
            timestamp: '2024-03-10 02:30:00',
            timestampReceived: '2024-03-10 02:30:04',
            device: { id: '8', name: 'Gate 1' },
            service: { id: '3', name: 'Main entrance' },
            user: { id: '12', name: 'bob@example.com' },
            answers: [
              { questionId: '5', question: 'Colour & size?', answer: 'red|^|XL' },
              { questionId: '6', question: '', answer: '  ' },
            ],
            properties: [
              { name: 'gps_location', value: '48.1,11.5' },
              { name: 'capture_type', value: 'camera' },
              { name: 'constructor', value: 'Bosch' },
            ],
          },
          {
            id: '902',
            value: ' x ',
            status: 'not_validated',
            result: '',
            timestamp: '2024-03-10 02:31:00',
            device: { id: '8', name: '' },
            service: { id: '3', name: 'Main entrance' },
            user: { id: '12', name: '' },
            answers: [],
            properties: [],
          },
          {
            id: '903',
            value: '',
            status: 'other',
            statusSent: '7',
            result: '',
            timestamp: '',
            device: { id: '', name: '' },
            service: { id: '', name: '' },
            user: { id: '', name: '' },
            answers: [],
            properties: [],
          },
        ],
      },
    ],
    ...(['uploads-unclosed.xml', 'uploads-closed.xml'] as const).map((file): [string, Operation, unknown] => [
      file,
      uploads.retrieve,
      {
        count: 2,
        uploads: [
          {
            id: '41',
            deviceId: '8',
            serviceId: '3',
            userId: '12',
            status: '1',
            count: 17,
            timestamp: '2024-01-01 10:00:00',
          },
          {
            id: '42',
            deviceId: '9',
            serviceId: '4',
            userId: '13',
            status: '0',
            count: 0,
            timestamp: '2024-01-02 10:00:00',
          },
        ],
      },
    ]),
    ['uploads-one-unclosed.xml', uploads.retrieve, { uploads: [expect.objectContaining({ id: '41', count: 17 })] }],
    [
      'limits.xml',
      limits.retrieve,
      {
        minute: { left: 29, limit: 30 },
        day: { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY },
      },
    ],
    [
      'none.xml',
      limits.retrieve,
      { minute: { left: undefined, limit: undefined }, day: { left: undefined, limit: undefined } },
    ],
    ['created.xml', services.create, { id: '4711' }],
    ['created.xml', questions.addanswer, { id: '4711' }],
    ['property.xml', scanProperties.retrieve, { value: ' 00 ' }],
    ['unknown.xml', databases.showvalues, { count: 1, values: [{ value: 'A', valid: true, response: 'ok' }] }],
  ])('the contract’s document %s is read completely and exactly', async (file, operation, expected) => {
    expect(await read(operation, document(file))).toEqual(expected);
  });
});

describe('a refusal with HTTP status 200', () => {
  test.each<[string, object]>([
    ['refused.xml', { code: 'account.refused', apiCode: '120', apiText: 'Invalid section <b>&' }],
    [
      'refused-unknown-code.xml',
      { code: 'account.refused', apiCode: '9999', apiText: 'The moon is in the wrong house' },
    ],
    ['refused-no-code.xml', { code: 'account.refused', apiText: '' }],
  ])(
    'the refusal in the contract’s document %s is reported with the document’s error code and words',
    async (file, expected) => {
      const error = await read(databases.showvalues, document(file)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AccountError);
      expect(error).toMatchObject(expected);
    },
  );

  test.each<[string, string, string | undefined, Operation]>([
    ['10', 'account.key_refused', undefined, scans.retrieve],
    ['100', 'account.key_refused', undefined, scans.retrieve],
    ['101', 'account.key_refused', undefined, scans.retrieve],
    ['2', 'account.refused', undefined, scans.retrieve],
    ['215', 'account.refused', 'service_name', services.create],
    ['216', 'account.refused', 'database_name', databases.update],
    ['221', 'account.refused', 'postback_url', services.update],
    ['320', 'account.refused', 'username', users.create],
    ['330', 'account.refused', 'upload_email', services.update],
    ['330', 'account.refused', 'username', users.create],
    ['213', 'account.refused', 'end_date', scans.retrieve],
    ['213', 'account.refused', 'period_end_date', services.update],
    ['224', 'account.refused', 'regex_scan_pattern', services.update],
    ['1027', 'account.refused', 'value', databases.addvalue],
    ['1028', 'account.refused', 'values', databases.upsertmultivalue],
    ['1026', 'account.refused', 'csvfile', databases.upload],
    ['205', 'account.refused', 'database_id', databases.delete],
  ])(
    'the account’s error code %s is reported as %s, for the parameter %s (undefined: no parameter)',
    async (apiCode, code, param, operation) => {
      const body = Buffer.from(`<xml><status>0</status><error code="${apiCode}">no</error></xml>`);
      const error = (await read(operation, body).catch((thrown: unknown) => thrown)) as AccountError;
      expect({ code: error.code, apiCode: error.apiCode, param: error.param }).toEqual({ code, apiCode, param });
    },
  );
});

describe('a broken answer', () => {
  test.each<[string, BrokenReason]>([
    ['page.html.txt', 'html'],
    ['page-bare.html.txt', 'html'],
    ['truncated.xml', 'cut_off'],
    ['empty.xml', 'empty'],
    ['blank.xml', 'empty'],
    ['no-status.xml', 'no_status'],
    ['other-root.xml', 'no_status'],
    ['doctype.xml', 'xml'],
    ['latin1.xml', 'encoding'],
  ])('the document %s is reported as a broken answer, for the reason %s', async (file, reason) => {
    const error = await read(databases.showvalues, document(file)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'account.broken', reason });
  });

  test('a response to services/create without an ID is reported as a broken answer', async () => {
    await expect(read(services.create, document('none.xml'))).rejects.toMatchObject({ code: 'account.broken' });
  });

  test('a picture in place of XML, or XML in place of a picture, is reported as a broken answer', async () => {
    await expect(read(scans.retrieve, Buffer.from('GIF89a'))).rejects.toMatchObject({ code: 'account.broken' });
    await expect(read(barcode.generate, document('none.xml'))).rejects.toMatchObject({ code: 'account.broken' });
  });
});

test.each([
  ['gif', 'image/gif', Buffer.from('GIF89a\x01\x00')],
  ['jpg', 'image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
  ['png', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
])(
  'the barcode generator’s %s picture is recognized by its content, even if its stated type is XML',
  async (format, contentType, content) => {
    expect(await read(barcode.generate, content)).toEqual({ format, contentType, content });
  },
);

test('the barcode generator’s refusal is reported with the account’s error code', async () => {
  const error = await read(barcode.generate, document('refused.xml')).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'account.refused', apiCode: '120' });
});

wideIt('a response of more than 5 MB is read with all of its 20,000 values', async () => {
  const value = (i: number) =>
    `<value validity="1"><id>00${i}&#29;</id><response>${'é'.repeat(100)}</response></value>`;
  const values = Array.from({ length: 20_000 }, (_, i) => value(i)).join('\n');
  const whole = Buffer.from(`<?xml version="1.0"?><xml><status>1</status><count>20000</count>${values}</xml>`);
  expect(whole.byteLength).toBeGreaterThan(5_000_000);
  const server = await startServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end(whole),
  );
  const accounts = openAccounts(server.url);
  try {
    const shown = await accounts.open('key').client.call(databases.showvalues, { database_id: '1' });
    expect(shown.values).toHaveLength(20_000);
    expect(shown.values[19_999]).toEqual({ value: '0019999\u001D', valid: true, response: 'é'.repeat(100) });
  } finally {
    await accounts.close();
    await server.close();
  }
});
