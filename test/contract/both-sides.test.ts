/** The client and the embedded service, each written from the contract: what one says the other must understand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import {
  barcode,
  databases,
  devices,
  limits,
  operationName,
  operations,
  questions,
  scanProperties,
  scans,
  services,
  uploads,
  users,
} from '../../src/codereadr/operations/index.js';
import type { InputOf, Operation, OutputOf } from '../../src/codereadr/operations/operation.js';
import type { AccountClient, Accounts } from '../../src/codereadr/types.js';
import { sampleKeys } from '../../src/sandbox/codereadr/index.js';
import { openAccounts } from '../codereadr/helper.js';
import { type Harness, startService } from '../sandbox/codereadr/harness.js';

let service: Harness;
let accounts: Accounts;
let client: AccountClient;
const called = new Set<string>();

/** The embedded service's time with real waits: its own clock sleeps for a moment only, so timeouts would strike. */
function withRealWaits(clock: Clock): Clock {
  return { now: () => clock.now(), sleep: systemClock.sleep };
}

beforeAll(async () => {
  service = await startService();
  accounts = openAccounts(service.api, {
    generatorUrl: `${service.url}/barcode/api/`,
    clock: withRealWaits(service.clock),
  });
  client = accounts.open(sampleKeys.demo).client;
});

afterAll(async () => {
  await accounts.close();
  await service.close();
});

async function call<Op extends Operation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const output = await client.call(operation, input);
  called.add(operationName(operation));
  return output;
}

/** Values that a careless reader, writer or escaper would change. */
const awkward = [
  '00123',
  '1e5',
  '0x1F',
  'true',
  ' spaces  within ',
  'A&B <c> "d" \'e\' `f` ]]> &amp; &#39;',
  '<!channel> *bold* :100:',
  'naïve 漢字 😀',
  'tab\there',
  'line\r\nbreak\rand\nmore',
  'a+b%20c=d&e[0]',
  'x'.repeat(100),
];

describe('every operation, called by the client and answered by the embedded account', () => {
  test('client and embedded account agree on how databases and their values are sent and read', async () => {
    const { id } = await call(databases.create, { database_name: 'Both sides', case_sensitivity: true });
    await call(databases.update, { database_id: id, database_name: 'Both <sides> & "more"' });
    for (const [index, value] of awkward.entries()) {
      const response = `r${index} ${value}`;
      await call(databases.addvalue, {
        database_id: id,
        value,
        response,
        validity: index % 2 === 0,
        trim_value: false,
      });
      expect(await call(databases.showvalues, { database_id: id, value })).toMatchObject({
        values: [{ value, response, valid: index % 2 === 0 }],
      });
    }
    const value = awkward[4] as string;
    await call(databases.editvalue, { database_id: id, value, response: ' changed ', validity: false });
    await call(databases.upsertvalue, { database_id: id, value: ' new ', response: 'n', trim_value: false });
    await call(databases.upsertmultivalue, {
      database_id: id,
      trim_value: false,
      values: [{ value, response: 'again', validity: true }, { value: '0000 ' }],
    });
    await call(databases.upload, {
      database_id: id,
      csvfile: { name: 'new.csv', type: 'text/csv', content: Buffer.from('"00,7",Seven,1\n008,"E""ight",0\n') },
      trim_value: false,
    });
    await call(databases.deletevalue, { database_id: id, value: '0000 ' });
    const { values } = await call(databases.showvalues, { database_id: id });
    expect(values).toHaveLength(awkward.length + 3);
    expect(values).toContainEqual({ value, response: 'again', valid: true });
    expect(values).toContainEqual({ value: ' new ', response: 'n', valid: true });
    expect(values).toContainEqual({ value: '00,7', response: 'Seven', valid: true });
    expect(values).toContainEqual({ value: '008', response: 'E"ight', valid: false });
    const { databases: listed } = await call(databases.retrieve, { database_id: [id] });
    expect(listed).toMatchObject([
      { id, name: 'Both <sides> & "more"', caseSensitive: true, count: awkward.length + 3 },
    ]);
    await expect(call(databases.addvalue, { database_id: id, value, trim_value: false })).rejects.toMatchObject({
      code: 'account.refused',
      apiCode: '1027',
      param: 'value',
    });
    await call(databases.clear, { database_id: id });
    expect((await call(databases.showvalues, { database_id: id })).values).toEqual([]);
    await call(databases.delete, { database_id: id });
  });

  test('client and embedded account agree on how services, users, questions and devices are sent and read', async () => {
    const { id: question } = await call(questions.create, { question_text: 'Which gate?', question_type: 'option' });
    for (const answer of ['North & South', 'East', 'West']) {
      await call(questions.addanswer, { question_id: [question], answer_text: answer });
    }
    const asked = (await call(questions.retrieve, { question_id: [question] })).questions[0];
    expect(asked).toMatchObject({ text: 'Which gate?', answers: [{ text: 'North & South' }, {}, {}] });
    await call(questions.deleteanswer, { answer_id: [asked?.answers[2]?.id as string] });

    const { id: user } = await call(users.create, { username: 'both-sides', password: 'pässword & more', limit: 2 });
    await call(users.validate, { username: 'both-sides', password: 'pässword & more' });
    await call(users.update, { user_id: user, limit: 3 });
    expect((await call(users.retrieve, { user_id: [user] })).users).toMatchObject([
      { username: 'both-sides', limit: '3' },
    ]);

    const { id: own } = await call(services.create, {
      validation_method: 'postback',
      postback_url: 'https://desk.example.com/a?b=1&c=2',
      service_name: 'Both sides',
      enable_direct_scan: true,
      scan_properties: '{"gate":"A&B"}',
      symbologies: ['6', '34'],
    });
    await call(services.adduserpermission, { service_id: [own], user_id: [user] });
    await call(services.addquestion, { service_id: [own], question_id: [question], condition: 'valid_scan' });
    await call(services.update, { service_id: own, service_name: 'Both <sides>' });
    expect((await call(services.retrieve, { service_id: [own] })).services).toMatchObject([
      {
        id: own,
        name: 'Both <sides>',
        validationMethod: 'postback',
        postbackUrl: 'https://desk.example.com/a?b=1&c=2',
        userIds: [user],
        questionIds: [question],
      },
    ]);
    await call(services.removequestion, { service_id: [own], question_id: [question] });
    await call(services.revokeuserpermission, { service_id: [own], user_id: [user] });
    await call(services.delete, { service_id: [own] });
    await call(questions.delete, { question_id: [question] });
    await call(users.delete, { user_id: [user] });

    const device = (await call(devices.retrieve, {})).devices[0];
    await call(devices.update, { device_id: device?.id as string, device_name: ' Döor & "1" ' });
    expect((await call(devices.retrieve, { device_id: [device?.id as string] })).devices[0]?.name).toBe(' Döor & "1" ');
  });

  test('client and embedded account agree on how scans, properties, uploads and limits are sent and read', async () => {
    const page = await call(scans.retrieve, {
      limit: 3,
      order_by: ['timestamp_desc'],
      showProperties: true,
      timezone: 'UTC',
    });
    expect(page.scans).toHaveLength(3);
    expect(page.scans[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const scan = page.scans[0]?.id as string;
    await call(scanProperties.create, { scan_id: [scan], name: 'shelf', value: ' 00 & <1> ' });
    expect(await call(scanProperties.retrieve, { scan_id: scan, name: 'SHELF' })).toEqual({ value: ' 00 & <1> ' });
    await call(scanProperties.update, { scan_id: [scan], name: 'shelf', value: 'B' });
    const found = await call(scans.retrieve, { with_property: { shelf: 'B' }, showProperties: true, timezone: 'UTC' });
    expect(found.scans.map((each) => each.id)).toEqual([scan]);
    expect(found.scans[0]?.properties).toContainEqual({ name: 'shelf', value: 'B' });
    await call(scanProperties.delete, { scan_id: scan, name: 'shelf' });
    await call(scans.delete, { scan_id: [scan] });
    expect((await call(scans.retrieve, { scan_id: [scan] })).scans).toEqual([]);
    expect((await call(uploads.retrieve, {})).uploads.length).toBeGreaterThan(0);
    expect(await call(limits.retrieve, {})).toEqual({
      minute: { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY },
      day: { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY },
    });
  });

  test.each([
    ['Europe/Kyiv', 'Europe/Kiev'],
    ['America/Nuuk', 'America/Godthab'],
    ['Pacific/Kanton', 'Pacific/Enderbury'],
    ['UTC', 'Africa/Abidjan'],
    ['America/Ciudad_Juarez', 'America/Ciudad_Juarez'],
    ['Asia/Qostanay', 'Asia/Qostanay'],
  ])('client and embedded account agree on the days and times of scans in the time zone %s', async (timezone, zone) => {
    const order_by = ['timestamp_desc', 'scan_id_desc'] as const;
    const inUtc = (await call(scans.retrieve, { limit: 500, order_by, timezone: 'Africa/Abidjan' })).scans;
    const there = inUtc.map(({ id, timestamp }) => ({
      id,
      timestamp: new Date(`${timestamp.replace(' ', 'T')}Z`).toLocaleString('sv-SE', { timeZone: zone }),
    }));
    const day = there[0]?.timestamp.slice(0, 10) ?? '';
    const found = await call(scans.retrieve, { order_by, timezone, start_date: day, end_date: day });
    expect(found.scans.map(({ id, timestamp }) => ({ id, timestamp }))).toEqual(
      there.filter(({ timestamp }) => timestamp.startsWith(day)),
    );
  });

  test('the client reads the embedded account’s picture of a barcode as a PNG', async () => {
    expect((await call(barcode.generate, { value: '00123', barcodetype: 'qr', filetype: 'PNG', size: 4 })).format).toBe(
      'png',
    );
  });

  test('the tests that compare client and embedded account call every declared operation', () => {
    expect([...called].sort()).toEqual(operations.map(operationName).sort());
  });
});

test.each([
  ['an unknown key', 'no-such-key', '100'],
  ['the key of a free plan', sampleKeys.free, '10'],
])('the embedded account refuses %s, and the client reports the key as refused', async (_, key, apiCode) => {
  const call = accounts.open(key).client.call(limits.retrieve, {});
  await expect(call).rejects.toMatchObject({ code: 'account.key_refused', apiCode });
});

test('the client takes its quotas from the embedded account’s limits, and refuses calls beyond a quota', async () => {
  const strict = await startService({ limits: { minute: 3, day: 5 } });
  const opened = openAccounts(strict.api, { clock: withRealWaits(strict.clock), callsPerMinute: 30 });
  try {
    const own = opened.open(sampleKeys.demo).client;
    await own.call(limits.retrieve, {});
    const { minute, day } = own.callsLeft();
    expect(minute.limit).toBe(3);
    expect(day.limit).toBe(5);
    for (let i = 0; i < 4; i += 1) {
      await own.call(databases.retrieve, { info_level: 'names' }).catch(() => {});
      await own.call(devices.retrieve, {}).catch(() => {});
    }
    await expect(own.call(users.retrieve, {})).rejects.toMatchObject({
      code: 'account.quota',
      quota: { period: 'minute', left: 0 },
    });
  } finally {
    await opened.close();
    await strict.close();
  }
});
