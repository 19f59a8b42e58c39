/** The account's answers as they are shown: exact, within Slack's limits, and without possible secrets. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import {
  databases,
  limits,
  operations,
  questions,
  scans,
  services,
  uploads,
  users,
} from '../../../src/codereadr/operations/index.js';
import type { Operation } from '../../../src/codereadr/operations/operation.js';
import { silentLog } from '../../../src/log.js';
import { checkMessageBlocks, checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { inputOnRecord } from '../../../src/slack/operations/redact.js';
import { resultRecords } from '../../../src/slack/operations/result/pages.js';
import { resultOf } from '../../../src/slack/operations/result/result.js';
import { inputLines, resultMessage, resultView } from '../../../src/slack/operations/result/result-blocks.js';
import { openStore } from '../../../src/workspaces/store.js';
import type { Store } from '../../../src/workspaces/types.js';
import { anyText } from '../../helpers/any-text.js';
import { sqliteDatabases } from '../../helpers/databases.js';
import { read, shownTexts } from '../block-kit/reading.js';

const shown = (operation: Operation, output: unknown, input = {}) =>
  read(resultView({ result: resultOf(operation, input, output), page: 0 }).blocks);

describe('a result', () => {
  test('a result is shown item by item, with its fields named in words', () => {
    const text = shown(services.retrieve, {
      services: [
        {
          id: '3',
          name: 'Gate *A*',
          validationMethod: 'ondevicedatabase',
          databaseId: '7',
          duplicateScanValue: '0',
          postbackUrl: 'https://desk.example/relay/secret',
          userIds: ['1', '2'],
          questionIds: [],
        },
      ],
    });
    expect(text).toContain('1 service');
    expect(text).toContain('Gate *A*');
    expect(text).toMatch(/ {2}· {2}ID 3$/m);
    expect(text).toContain('validation method: Validate against a database on the device');
    expect(text).toContain('database: 7');
    expect(text).toContain('duplicate scan value: not valid');
    expect(text).toContain('users: 1, 2');
    expect(text).toContain('postback URL: https://desk.example/…');
    expect(text).not.toContain('secret');
    expect(text).not.toContain('questions');
  });

  test('a result of scans shows status, device, service, answers and properties, and leaves out an empty user', () => {
    const scan = {
      id: '9',
      value: ' 00\u001d7 ',
      status: 'not_validated',
      result: '',
      timestamp: '2031-01-02 03:04:05',
      device: { id: '1', name: 'Phone' },
      service: { id: '2', name: '' },
      user: { id: '', name: '' },
      answers: [
        { questionId: '1', question: 'Which?', answer: 'This' },
        { questionId: '2', question: 'Parts', answer: 'Case|^|Manual' },
      ],
      properties: [{ name: 'gate', value: 'A' }],
    };
    const view = resultView({
      result: resultOf(scans.retrieve, { timezone: 'Europe/Berlin' }, { count: 1, scans: [scan] }),
      page: 0,
    });
    expect(shownTexts(view.blocks)).toContainEqual({ how: 'exact', text: ' 00␝7 ', code: true });
    const text = read(view.blocks);
    expect(text).toContain('status: not validated');
    expect(text).toContain('device: Phone (ID 1)');
    expect(text).toContain('service: ID 2');
    expect(text).not.toContain('user:');
    expect(text).toContain('answers: Which? This, Parts: Case, Manual');
    expect(text).toContain('properties: gate: A');
    expect(text).toContain('Times are in Europe/Berlin');
  });

  test('a result that is not a list is shown as its fields', () => {
    const text = shown(limits.retrieve, {
      minute: { left: 29, limit: 30 },
      day: { left: Number.POSITIVE_INFINITY, limit: undefined },
    });
    expect(text).toContain('minute: left 29, limit 30');
    expect(text).toContain('day: left unlimited');
  });

  test('a result that its limit cut off says that only the first records are shown', () => {
    const values = [{ value: 'a', valid: true, response: '' }];
    expect(shown(databases.showvalues, { values }, { limit: 1 })).toContain('Only the first 1');
    expect(shown(databases.showvalues, { values }, { limit: 2 })).not.toContain('Only the first');
  });

  test('a result stays within Slack’s limits, in a window and in a message, whatever it contains', () => {
    const text = fc.oneof(
      anyText(),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constant('x'.repeat(20_000)),
      fc.constant(''),
    );
    const value = fc.record({ value: text, valid: fc.boolean(), response: text });
    const user = fc.record({
      id: text,
      username: text,
      serviceIds: fc.array(text, { maxLength: 50 }),
      limit: text,
      created: text,
    });
    const question = fc.record({
      id: text,
      text,
      type: text,
      answers: fc.array(fc.record({ id: text, text }), { maxLength: 30 }),
    });
    const cases = fc.oneof(
      fc.array(value, { maxLength: 30 }).map((values) => [databases.showvalues as Operation, { values }] as const),
      fc.array(user, { maxLength: 30 }).map((found) => [users.retrieve as Operation, { users: found }] as const),
      fc
        .array(question, { maxLength: 30 })
        .map((found) => [questions.retrieve as Operation, { questions: found }] as const),
      fc
        .array(fc.record({ id: text, timestamp: text }), { maxLength: 30 })
        .map((found) => [uploads.retrieve as Operation, { uploads: found }] as const),
    );
    fc.assert(
      fc.property(cases, fc.nat(5), ([operation, output], page) => {
        const result = resultOf(operation, { limit: 3 }, output);
        const paged = { result, page, pageValue: (other: number) => `{"kept":"x","page":${other}}` };
        const view = checkView(resultView(paged), systemRandom);
        expect(view.ok ? [] : view.faults).toEqual([]);
        const message = checkMessageBlocks(resultMessage(paged).blocks, systemRandom);
        expect(message.ok ? [] : message.faults).toEqual([]);
        expect(JSON.stringify(resultView(paged)).length).toBeLessThan(200_000);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the message of a change', () => {
  test('a change’s message shows what was sent, without secrets, for every operation', () => {
    const input = {
      service_id: ['1', '2'],
      postback_url: 'https://desk.example/relay/canary-one?x',
      scan_properties: '{"token":"canary-two"}',
      symbologies: ['6', '34'],
      enableGPS: false,
      description: '',
      password: 'canary-three',
      value: ' 0\u001d7 ',
      database_id: '7',
      csvfile: { name: 'a.csv', type: 'text/csv', content: new Uint8Array() },
      values: [{ value: 'a' }, { value: 'b' }],
      username: 'x',
    };
    for (const operation of operations) {
      const own = Object.fromEntries(Object.entries(input).filter(([name]) => operation.input[name]));
      const told = inputOnRecord(operation, own);
      const lines = inputLines(operation, told, { service_id: 'Gate A (id 1)' });
      const text = `${JSON.stringify(told)}${read([richText(...lines, [])])}`;
      expect(text).not.toContain('canary');
    }
    const lines = inputLines(services.create, inputOnRecord(services.create, input), {});
    const text = read([richText(...lines)]);
    expect(text).toContain('Postback URL: https://desk.example/…');
    expect(text).toContain('Scan properties: token');
    expect(text).toContain('Symbologies: Code 128, QR Code');
    expect(text).toContain('Record location: no');
    expect(text).toContain('Description: (cleared)');
  });
});

describe('a stored result', () => {
  const files = sqliteDatabases();
  let store: Store;
  beforeAll(async () => {
    store = await openStore({
      url: await files.fresh(),
      secretKeys: [Buffer.alloc(32, 7)],
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
    });
  });
  afterAll(() => store.close());

  test('a stored result reads back unchanged, in its own workspace only', async () => {
    const deps = { store, random: systemRandom };
    const result = resultOf(users.retrieve, {}, { users: [{ id: '1', username: 'a', serviceIds: ['2'] }] });
    const owner = { installation: 'T1', team: 'T1' };
    const id = await resultRecords.save(deps, owner, result);
    expect(await resultRecords.find(deps, owner, id)).toEqual(result);
    expect(await resultRecords.find(deps, { installation: 'T2', team: 'T2' }, id)).toBeUndefined();
    expect(await resultRecords.find(deps, { installation: 'E1', team: 'T1' }, id)).toBeUndefined();
    expect(await resultRecords.find(deps, owner, `${id}x`)).toBeUndefined();
    await store.eraseInstallation('T1');
    expect(await resultRecords.find(deps, owner, id)).toBeUndefined();
  });
});
