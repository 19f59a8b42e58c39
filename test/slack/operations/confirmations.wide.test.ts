/**
 * The confirmations of deletes and of changes to all records, and their answers: with the longest names, they stay
 * within Slack's limits.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { parseInput } from '../../../src/codereadr/operations/check.js';
import { operationName, operations } from '../../../src/codereadr/operations/index.js';
import type { Operation, ReferenceKind } from '../../../src/codereadr/operations/operation.js';
import type { Account, Accounts } from '../../../src/codereadr/types.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import type { ModalView } from '../../../src/slack/block-kit/elements.js';
import { confirmTitle, confirmView } from '../../../src/slack/operations/delete/confirm.js';
import { limitProblems, needsConfirmation } from '../../../src/slack/operations/form/limits.js';
import { answerOf } from '../../../src/slack/operations/result/answer.js';
import type { OperationContext } from '../../../src/slack/operations/types.js';
import { openAccounts } from '../../codereadr/helper.js';
import { type Harness, startService } from '../../sandbox/codereadr/harness.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { type Person, startTestApp, type TestApp } from '../test-app.js';
import { closeAll, connectAccount, seesWords, submitForm } from './filling.js';

/** A text of letters that Slack counts as two, and that its escaping makes longer. */
const long = (param: { readonly max?: number } | undefined) =>
  '🎫&<é'.repeat(700).slice(0, Math.min(param?.max ?? 1_000, 1_000));

const named = (section: string, action: string, name: string) =>
  long(operations.find((each) => each.section === section && each.action === action)?.input[name] as { max?: number });

let embedded: Harness;
let accounts: Accounts;
let account: Account;
/** The ids of the records made in the account, by kind. */
let ids: Readonly<Record<Exclude<ReferenceKind, 'device' | 'upload'>, readonly string[]>>;
const value = '"é&<'.repeat(25);
const property = 'é'.repeat(100);

beforeAll(async () => {
  embedded = await startService();
  accounts = openAccounts(embedded.api, {
    generatorUrl: `${embedded.url}/barcode/api/`,
    callsPerMinute: 10_000,
    clock: { now: () => embedded.clock.now(), sleep: systemClock.sleep },
  });
  account = accounts.open(sampleKeys.demo);
  const make = async (operation: string, at: number, params: Record<string, string>) =>
    (await embedded.ok(operation, params)).get('id')!.text || String(at);
  const made = async (operation: string, params: (at: number) => Record<string, string>) => {
    const all: string[] = [];
    for (let at = 10; at < 30; at += 1) {
      all.push(await make(operation, at, params(at)));
    }
    return all;
  };
  const one = (name: string, at: number) => `${at}${name}`.slice(0, name.length);
  const database = await made('databases/create', (at) => ({
    database_name: one(named('databases', 'create', 'database_name'), at),
  }));
  await embedded.ok('databases/addvalue', { database_id: database[0]!, value, response: 'é<'.repeat(1_000) });
  const question = await made('questions/create', (at) => ({
    question_text: one(named('questions', 'create', 'question_text'), at),
    question_type: 'option',
  }));
  const answer = await made('questions/addanswer', (at) => ({
    question_id: question[0]!,
    answer_text: one(named('questions', 'addanswer', 'answer_text'), at),
  }));
  await embedded.ok('scan_properties/create', { scan_id: '13001', name: property, value: 'é'.repeat(100) });
  ids = {
    service: await made('services/create', (at) => ({
      validation_method: 'record',
      service_name: one(named('services', 'create', 'service_name'), at),
    })),
    user: await made('users/create', (at) => ({
      username: `${at}${'u'.repeat(98)}`,
      password: 'canary-pass-1',
    })),
    scan: Array.from({ length: 20 }, (_, at) => String(13_001 + at)),
    database,
    question,
    answer,
  };
});

afterAll(async () => {
  await accounts?.close();
  await embedded?.close();
});

const owner = { installation: 'T1', team: 'T1' };
/** The parts of a listener's context that a confirmation and an answer need. */
const context = {
  actor: { owner, userId: 'U0ADA', channelId: 'C0GENERAL' },
  deps: { relays: { secretProperties: async () => [] }, clock: systemClock },
} as unknown as OperationContext;

function expectTaken(view: ModalView): void {
  const checked = checkView(view, systemRandom);
  expect(checked.ok ? [] : checked.faults).toEqual([]);
}

const kinds = (operation: Operation, type: 'id' | 'ids') =>
  Object.entries(operation.input).flatMap(([name, param]) =>
    param.type === type ? [[name, param.of as keyof typeof ids] as const] : [],
  );

const takesAll = ({ input }: Operation, name: string) => {
  const param = input[name];
  return param?.type === 'ids' && param.all === true;
};

/** Every way in which an operation names its records: one, many, all. */
function inputsOf(operation: Operation): readonly Readonly<Record<string, unknown>>[] {
  const single = Object.fromEntries(kinds(operation, 'id').map(([name, kind]) => [name, ids[kind][0]!]));
  const texts = Object.entries(operation.input).flatMap(([name, param]) =>
    param.type === 'text' && param.required ? [[name, long(param)] as const] : [],
  );
  const rest = {
    ...single,
    ...Object.fromEntries(texts),
    ...(operation.input.value?.type === 'barcode' ? { value } : {}),
    ...(operation.section === 'scan_properties' ? { scan_id: '13001', name: property } : {}),
  };
  const several = kinds(operation, 'ids').filter(
    ([name]) => operation.effect === 'delete' || takesAll(operation, name),
  );
  const every = (pick: (kind: keyof typeof ids) => unknown) => ({
    ...rest,
    ...Object.fromEntries(several.map(([name, kind]) => [name, pick(kind)])),
  });
  if (several.length === 0 || operation.section === 'scan_properties') {
    return [rest];
  }
  const named = [every((kind) => ids[kind].slice(0, 1)), every((kind) => ids[kind])];
  return operation.effect === 'write'
    ? [...named.map((input) => ({ ...input, [several[0]![0]]: 'all' })), every(() => 'all')]
    : named;
}

const asked = operations.filter(
  (operation) =>
    operation.effect === 'delete' ||
    (operation.effect === 'write' && kinds(operation, 'ids').some(([name]) => takesAll(operation, name))),
);

test('the operations tested for confirmations include deletions and changes of all records', () => {
  expect(asked.map(operationName)).toEqual(
    expect.arrayContaining([
      'services/revokeuserpermission',
      'services/adduserpermission',
      'services/addquestion',
      'services/removequestion',
      'services/delete',
      'databases/clear',
      'scan_properties/delete',
    ]),
  );
});

describe.each(asked.map((operation) => [operationName(operation), operation] as const))('%s', (_, operation) => {
  test('Slack accepts an operation’s confirmation and result, for one, 20 or all records with long names', async () => {
    let confirmations = 0;
    for (const raw of inputsOf(operation)) {
      const parsed = parseInput(operation, raw);
      expect(parsed.ok ? [] : parsed.problems).toEqual([]);
      const input = (parsed as { input: Readonly<Record<string, unknown>> }).input;
      if (limitProblems(operation, input).length > 0 || !needsConfirmation(operation, input)) {
        continue;
      }
      confirmations += 1;
      const after = { name: 'list.changed', value: 'x'.repeat(900) };
      const view = await confirmView(context, account, { operation, input, after, since: 1 });
      expectTaken(view);
      expect(view.title.text).toBe(confirmTitle(operation, input));
      const brief = JSON.parse(view.private_metadata ?? '{}').what as string;
      const done = await answerOf(context, { operation, input, output: {}, also: [`Details: ${brief}.`] });
      expectTaken(done.view);
    }
    expect(confirmations).toBeGreaterThan(0);
  });
});

test.each(operations.map((operation) => [operationName(operation), operation.title] as const))(
  'the title of %s fits a window: %s',
  (_, title) => {
    expect(title.length).toBeLessThanOrEqual(24);
  },
);

describe('a change to all records, in Slack', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    await connectAccount(testApp);
  });
  afterAll(() => testApp?.stop());

  const services = () => askAccount(testApp, 'services', 'retrieve');

  test.each([
    ['services revokeuserpermission', 'Remove user access', { service_id: ['1203'], user_id: ['all'] }, 'all 6 users'],
    ['services adduserpermission', 'Give users access', { service_id: ['all'], user_id: ['702'] }, 'all 7 services'],
    ['services removequestion', 'Remove questions', { service_id: ['1203'], question_id: ['all'] }, 'questions'],
  ] as const)('a confirmed change to all records is made at the account: %s', async (typed, title, fill, says) => {
    await ada.say(`/scandesk call ${typed}`);
    await submitForm(ada, await ada.seesWindow(title), fill);
    const question = await ada.seesWindow('Apply to all?');
    expect(read(question.view.blocks)).toContain(says);
    const before = await services();
    await ada.submit(question);
    await seesWords(ada, 'Details: ');
    expect(await services()).not.toBe(before);
    await closeAll(ada);
  });
});
