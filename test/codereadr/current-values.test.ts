/** The current values of an item that is to be changed, read from the embedded account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { currentReaderOf } from '../../src/codereadr/current-values.js';
import { operationName, operations } from '../../src/codereadr/operations/index.js';
import type { AccountClient, Accounts } from '../../src/codereadr/types.js';
import { sampleKeys } from '../../src/sandbox/codereadr/index.js';
import { type Harness, startService } from '../sandbox/codereadr/harness.js';
import { openAccounts } from './helper.js';

let embedded: Harness;
let accounts: Accounts;
let client: AccountClient;

beforeAll(async () => {
  embedded = await startService();
  accounts = openAccounts(embedded.api, {
    callsPerMinute: 1_000,
    clock: { now: () => embedded.clock.now(), sleep: systemClock.sleep },
  });
  client = accounts.open(sampleKeys.demo).client;
});
afterAll(async () => {
  await accounts.close();
  await embedded.close();
});

const named = (name: string) => operations.find((operation) => operationName(operation) === name)!;
const ask = (name: string, keys: Readonly<Record<string, unknown>>) => currentReaderOf(named(name))!.read(client, keys);

test('exactly the operations update and editvalue have a reader of current values', () => {
  const changing = operations.filter(({ action }) => action === 'update' || action === 'editvalue').map(operationName);
  expect(operations.filter((operation) => currentReaderOf(operation)).map(operationName)).toEqual(changing);
});

test.each(
  operations
    .filter((operation) => currentReaderOf(operation))
    .map((operation) => [operationName(operation), operation] as const),
)('the current values for %s are read by parameters that the operation requires', (_, operation) => {
  for (const key of currentReaderOf(operation)!.keys) {
    expect(operation.input[key]?.required).toBe(true);
  }
});

describe('current values', () => {
  test('the current values of a service are its name, description, database, duplicates and URL', async () => {
    expect(await ask('services/update', { service_id: '1201' })).toEqual({
      name: 'Gate A: tickets',
      values: {
        service_name: 'Gate A: tickets',
        description: 'Main entrance. A ticket is good once.',
        database_id: '1021',
        duplicate_value: false,
      },
      fixed: { validation_method: 'database' },
    });
    const postback = await ask('services/update', { service_id: '1206' });
    expect(Object.keys(postback.values).sort()).toEqual(['description', 'postback_url', 'service_name']);
  });

  test('the current values of a user are the name, and the limit where there is one', async () => {
    expect(await ask('users/update', { user_id: '702' })).toEqual({
      name: 'mara.gate',
      values: { username: 'mara.gate', limit: 2 },
      fixed: {},
    });
    expect((await ask('users/update', { user_id: '704' })).values).toEqual({ username: 'li.stockroom' });
  });

  test('the current value of a device and of a database is the name', async () => {
    expect((await ask('devices/update', { device_id: '573' })).values).toEqual({
      device_name: 'Mara’s tablet <VIP & press>',
    });
    expect((await ask('databases/update', { database_id: '1022' })).values).toEqual({ database_name: 'Stock room' });
  });

  test('the current values of a database’s value are response and validity, of the exact spelling first', async () => {
    await embedded.ok('databases/create', { database_name: 'Cases', case_sensitivity: '1' });
    const found = (await embedded.ok('databases/retrieve'))
      .all('database')
      .find((each) => each.get('name')?.text === 'Cases')!;
    const id = found.attributes.id!;
    await embedded.ok('databases/addvalue', { database_id: id, value: 'a', response: 'small' });
    await embedded.ok('databases/addvalue', { database_id: id, value: 'A', response: 'large', validity: '0' });
    expect(await ask('databases/editvalue', { database_id: id, value: 'A' })).toMatchObject({
      name: 'A',
      values: { response: 'large', validity: false },
    });
    expect((await ask('databases/editvalue', { database_id: '1021', value: 'hlf-000002' })).values).toEqual({
      response: 'Refunded',
      validity: false,
    });
  });

  test('a property of one scan has its value as current value, and a property of several scans has none', async () => {
    await embedded.ok('scan_properties/create', { scan_id: '13001', name: 'shelf', value: ' A ' });
    expect((await ask('scan_properties/update', { scan_id: ['13001'], name: 'shelf' })).values).toEqual({
      value: ' A ',
    });
    expect((await ask('scan_properties/update', { scan_id: ['13001', '13002'], name: 'shelf' })).values).toEqual({});
  });

  test.each([
    ['services/update', { service_id: '99999' }, '200'],
    ['users/update', { user_id: '99999' }, '201'],
    ['devices/update', { device_id: '99999' }, '410'],
    ['databases/update', { database_id: '99999' }, '204'],
    ['databases/editvalue', { database_id: '1021', value: 'nothing' }, '1017'],
  ])('reading current values reports a missing record: %s', async (name, keys, apiCode) => {
    await expect(ask(name, keys)).rejects.toMatchObject({ code: 'account.refused', apiCode });
  });
});
