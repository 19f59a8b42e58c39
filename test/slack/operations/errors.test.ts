/**
 * Every error an operation can give: Scandesk finds some before a call, a test provokes those that the embedded account
 * gives by itself, and the embedded account plays the others. Each error is explained above its field.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { codes } from '../../../src/codereadr/errors.js';
import { parseInput } from '../../../src/codereadr/operations/check.js';
import { commonErrors } from '../../../src/codereadr/operations/common.js';
import { operationName, operations } from '../../../src/codereadr/operations/index.js';
import type { InputOf, Operation } from '../../../src/codereadr/operations/operation.js';
import { type AccountClient, AccountError, type Accounts } from '../../../src/codereadr/types.js';
import { sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { formView } from '../../../src/slack/operations/form/form-view.js';
import { problemsFor } from '../../../src/slack/operations/form-problems.js';
import { startingMetadata } from '../../../src/slack/operations/metadata.js';
import { openAccounts } from '../../codereadr/helper.js';
import { type Harness, startService } from '../../sandbox/codereadr/harness.js';
import { read } from '../block-kit/reading.js';

type Raw = Readonly<Record<string, unknown>>;

const csv = (content: string, name = 'values.csv') => ({ name, type: 'text/csv', content: Buffer.from(content) });

/** A valid input for each operation. It changes nothing in the account: every test makes its call fail. */
const fitting: Readonly<Record<string, Raw>> = {
  'services/retrieve': { service_id: ['1201'] },
  'services/create': { validation_method: 'record', service_name: 'Errors' },
  'services/update': { service_id: '1203', description: 'x' },
  'services/delete': { service_id: ['1203'] },
  'services/adduserpermission': { service_id: ['1203'], user_id: ['702'] },
  'services/revokeuserpermission': { service_id: ['1203'], user_id: ['702'] },
  'services/addquestion': { service_id: ['1203'], question_id: ['384'] },
  'services/removequestion': { service_id: ['1203'], question_id: ['384'] },
  'users/retrieve': { user_id: ['702'] },
  'users/create': { username: 'errors', password: 'x' },
  'users/update': { user_id: '702', limit: '4' },
  'users/delete': { user_id: ['702'] },
  'users/validate': { username: 'mara.gate', password: 'harbour-lights' },
  'devices/retrieve': {},
  'devices/update': { device_id: '571', device_name: 'x' },
  'questions/retrieve': { question_id: ['381'] },
  'questions/create': { question_text: 'x' },
  'questions/delete': { question_id: ['385'] },
  'questions/addanswer': { question_id: ['381'], answer_text: 'x' },
  'questions/deleteanswer': { answer_id: ['1'] },
  'databases/create': { database_name: 'Errors' },
  'databases/retrieve': { database_id: ['1021'] },
  'databases/update': { database_id: '1021', database_name: 'x' },
  'databases/delete': { database_id: '1021' },
  'databases/clear': { database_id: '1021' },
  'databases/showvalues': { database_id: '1021' },
  'databases/upload': { database_id: '1021', csvfile: csv('a,b,1\n') },
  'databases/upsertmultivalue': { database_id: '1021', values: [{ value: 'a' }] },
  'databases/upsertvalue': { database_id: '1021', value: 'a' },
  'databases/addvalue': { database_id: '1021', value: 'a' },
  'databases/editvalue': { database_id: '1021', value: 'HLF-000001', response: 'x' },
  'databases/deletevalue': { database_id: '1021', value: 'HLF-000001' },
  'scans/retrieve': { limit: '1', timezone: 'Europe/Berlin' },
  'scans/delete': { scan_id: ['13001'] },
  'scan_properties/create': { scan_id: ['13001'], name: 'a', value: 'b' },
  'scan_properties/update': { scan_id: ['13001'], name: 'a', value: 'b' },
  'scan_properties/retrieve': { scan_id: '13001', name: 'a' },
  'scan_properties/delete': { scan_id: '13001', name: 'a' },
  'uploads/retrieve': {},
  'limits/retrieve': {},
  'barcode/generate': { value: 'a' },
};

const nowhere = '99999999';
const service = { validation_method: 'record' };

/** The inputs for errors that no rule below provokes. `undefined`: no input does; the account plays the error. */
const special: Readonly<Record<string, Readonly<Record<string, Raw | undefined>>>> = {
  'services/retrieve': { '131': undefined },
  'services/create': {
    '204': { validation_method: 'database', database_id: nowhere },
    '210': { validation_method: 'webview' },
    '211': { validation_method: 'database' },
    '213': { ...service, period_start_date: '2040-01-02', period_end_date: '2040-01-01' },
    '214': { ...service, period_end_date: '2001-01-01' },
    '215': { ...service, service_name: 'stock COUNT' },
    '217': { ...service, period_start_time: '10:00' },
    '218': { ...service, period_end_time: '10:00' },
    '219': { ...service, service_name: '   ' },
    '221': { ...service, postback_url: 'ftp://a.example' },
    '222': undefined,
    '223': { ...service, enable_direct_scan: '1' },
    '224': { ...service, regex_scan_pattern: 'a' },
    '225': { validation_method: 'postback', postback_url: 'https://a.example/', postback_receiver_only: '1' },
    '226': { ...service, postback_receiver_only: '1' },
    '330': { ...service, upload_email: 'nobody' },
  },
  'services/update': {
    '204': { service_id: '1201', database_id: nowhere },
    '210': undefined,
    '211': undefined,
    '213': { service_id: '1203', period_start_date: '2040-01-02', period_end_date: '2040-01-01' },
    '214': { service_id: '1203', period_end_date: '2001-01-01' },
    '215': { service_id: '1203', service_name: 'stock LOOKUP' },
    '217': { service_id: '1203', period_start_time: '10:00' },
    '218': { service_id: '1203', period_end_time: '10:00' },
    '219': { service_id: '1203', service_name: '   ' },
    '221': { service_id: '1203', postback_url: 'ftp://a.example' },
    '222': undefined,
    '224': { service_id: '1203', regex_response_replacement: 'a' },
    '225': { service_id: '1206', postback_receiver_only: '1' },
    '226': { service_id: '1203', postback_receiver_only: '1' },
    '330': { service_id: '1203', upload_email: 'nobody' },
  },
  'services/addquestion': { '206': { service_id: ['1203'], question_id: ['386'] }, '269': undefined },
  'services/removequestion': { '269': undefined },
  'users/create': {
    '310': undefined,
    '320': { username: 'MARA.gate', password: 'x' },
    '330': { username: 'mara@nowhere', password: 'x' },
    '340': { username: 'two words', password: 'x' },
    '341': { username: 'errors' },
  },
  'users/update': {
    '310': { user_id: '702' },
    '320': { user_id: '702', username: 'jonas.gate' },
    '330': { user_id: '702', username: 'mara@nowhere' },
    '340': { user_id: '702', username: 'two words' },
    '343': { user_id: '701', limit: '1' },
  },
  'users/delete': { '343': { user_id: ['701'] } },
  'users/validate': {
    '201': { username: 'mara.gate', password: 'wrong' },
    '310': undefined,
    '340': undefined,
  },
  'questions/retrieve': { '133': undefined },
  'questions/delete': { '261': { question_id: ['384'] } },
  'questions/addanswer': {
    '265': { question_id: ['384'], answer_text: 'x' },
    '1036': { question_id: ['381'], answer_text: 'YES' },
  },
  'questions/deleteanswer': { '206': { answer_id: ['1', '2'] }, '266': undefined },
  'databases/create': { '216': { database_name: 'stock ROOM' } },
  'databases/update': { '216': { database_id: '1021', database_name: 'stock ROOM' } },
  'databases/delete': { '205': { database_id: '1021' } },
  'databases/showvalues': { '1017': undefined },
  'databases/upload': {
    '104': undefined,
    '105': { database_id: '1021', csvfile: { ...csv(''), content: Buffer.alloc(10_000_001) } },
    '1019': { database_id: '1021', csvfile: csv('a,b,1\nc,d,perhaps\n') },
    '1026': { database_id: '1021', csvfile: csv('a', 'values.txt') },
  },
  'databases/addvalue': { '1027': { database_id: '1021', value: 'hlf-000001' } },
  'databases/editvalue': { '1017': { database_id: '1021', value: 'nothing like it', response: 'x' } },
  'databases/deletevalue': { '1017': { database_id: '1021', value: 'nothing like it' } },
  'scans/retrieve': {
    '131': undefined,
    '132': undefined,
    '135': undefined,
    '213': { start_date: '2031-01-02', end_date: '2031-01-01' },
    '217': { start_time: '10:00' },
    '218': { end_time: '10:00' },
    '300': { user_id: 'x' },
  },
  'scans/delete': { '804': { scan_id: [nowhere] } },
  'uploads/retrieve': { '131': undefined, '132': undefined },
  'barcode/generate': {
    '104': undefined,
    '105': {
      value: 'a',
      logo: { name: 'a.png', type: 'image/png', content: Buffer.alloc(2_000_001) },
    },
  },
};

/** Texts other than the code table's: for users/validate, an unknown name and a wrong password are one error. */
const ownWords: Readonly<Record<string, string>> = { 'users/validate 201': 'The username or password is wrong.' };

const unknownThings = new Set(['200', '201', '202', '203', '204']);
const noIds = new Set(['262', '270', '300']);
const left = Symbol('left to the service');

/** The input that provokes an error; undefined: none is known. */
function situation(operation: Operation, code: string): Raw | typeof left | undefined {
  const name = operationName(operation);
  const own = special[name] ?? {};
  if (Object.hasOwn(own, code)) {
    return own[code] ?? left;
  }
  const fits = fitting[name];
  const blamed = Object.entries(operation.input).filter(([, { errors }]) => errors?.includes(code));
  const thing = blamed.find(([, { type }]) => type === 'id' || type === 'ids')?.[0];
  if (!fits) {
    return undefined;
  }
  if (thing !== undefined && unknownThings.has(code)) {
    return { ...fits, [thing]: nowhere };
  }
  if (thing !== undefined && noIds.has(code)) {
    return { ...fits, [thing]: 'x' };
  }
  const missing = blamed.find(([, { required }]) => required)?.[0];
  return missing === undefined ? undefined : without(fits, missing);
}

function without(raw: Raw, name: string): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([each]) => each !== name));
}

let embedded: Harness;
let accounts: Accounts;
let client: AccountClient;

beforeAll(async () => {
  embedded = await startService();
  accounts = openAccounts(embedded.api, {
    generatorUrl: `${embedded.url}/barcode/api/`,
    callsPerMinute: 10_000,
    clock: { now: () => embedded.clock.now(), sleep: systemClock.sleep },
  });
  client = accounts.open(sampleKeys.demo).client;
  // This question gets the id 386: a choice without answers.
  await embedded.ok('questions/create', { question_text: 'Nothing to choose', question_type: 'option' });
  await embedded.ok('services/removequestion', { service_id: '1205', question_id: '385' });
});

afterAll(async () => {
  await accounts.close();
  await embedded.close();
});

/** Expects the explanation above its field, or on top where it belongs to none, in a view that Slack accepts. */
function expectTold(operation: Operation, told: ReturnType<typeof problemsFor>, words: string): void {
  expect(told).toBeDefined();
  const { problems, formProblem } = told!;
  const view = formView({
    operation,
    metadata: startingMetadata(operation, {}),
    menus: {},
    problems,
    formProblem,
  });
  const checked = checkView(view, systemRandom);
  expect(checked.ok ? [] : checked.faults).toEqual([]);
  expect(read(view.blocks)).toContain(words);
  const [problem] = problems;
  if (problem) {
    expect(Object.keys(operation.input)).toContain(problem.param);
    const at = view.blocks.findIndex((block) => read([block]).includes(words));
    const field = view.blocks[at + 1];
    // The problem of a folded field stands on top, with the field's name.
    expect(field?.block_id === `v.${problem.param}` || at === 0).toBe(true);
  }
}

async function refusedWith(operation: Operation, input: Raw): Promise<AccountError> {
  const failed = await client.call(operation, input as InputOf<Operation>).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(AccountError);
  return failed as AccountError;
}

async function playedBy(operation: Operation, code: string): Promise<AccountError> {
  const name = operationName(operation);
  await embedded.json('POST', '/scanner/faults', { next: [{ operation: name, times: 3, as: 'refused', code }] });
  try {
    const parsed = parseInput(operation, fitting[name]!);
    expect(parsed.ok).toBe(true);
    return await refusedWith(operation, (parsed as { input: Raw }).input);
  } finally {
    await embedded.json('POST', '/scanner/faults', { next: [] });
  }
}

test('every operation is in the test’s table of errors, with a valid input', () => {
  expect(Object.keys(fitting).sort()).toEqual(operations.map(operationName).sort());
  for (const operation of operations) {
    expect(parseInput(operation, fitting[operationName(operation)]!).ok, operationName(operation)).toBe(true);
  }
});

test('the test’s table of errors names only errors that the operations declare', () => {
  for (const [name, own] of Object.entries(special)) {
    const declared = operations.find((operation) => operationName(operation) === name)?.errors ?? [];
    expect(
      Object.keys(own).filter((code) => !declared.includes(code)),
      name,
    ).toEqual([]);
  }
});

/** The errors 111 and 113 say that calls are used up: the tests of the quota cover them. */
const played = commonErrors.filter((code) => code !== '111' && code !== '113');

const before: string[] = [];
const answered: string[] = [];

describe.each(operations.map((operation) => [operationName(operation), operation] as const))(
  '%s',
  (name, operation) => {
    test.each(operation.errors.map((code) => [code]))('an operation explains its declared error %s', async (code) => {
      const found = situation(operation, code);
      expect(found, `how ${name} comes to answer ${code}`).toBeDefined();
      const title = ownWords[`${name} ${code}`] ?? codes.get(code)?.title;
      expect(title).toBeDefined();
      if (found === left) {
        const error = await playedBy(operation, code);
        expect(error).toMatchObject({ code: 'account.refused', apiCode: code });
        expectTold(operation, problemsFor(operation, error, 'REF'), title!);
        return;
      }
      const parsed = parseInput(operation, found as Raw, { now: embedded.clock.now() });
      if (!parsed.ok) {
        expect(parsed.problems.map(({ apiCode }) => apiCode)).toContain(code);
        const [problem] = parsed.problems;
        expectTold(operation, { problems: parsed.problems }, problem!.message);
        before.push(`${name} ${code}`);
        return;
      }
      const error = await refusedWith(operation, parsed.input as Raw);
      expect(error).toMatchObject({ code: 'account.refused', apiCode: code });
      expectTold(operation, problemsFor(operation, error, 'REF'), title!);
      answered.push(`${name} ${code}`);
    });

    test.each(played.filter((code) => !operation.errors.includes(code)).map((code) => [code]))(
      'an operation explains the general error %s',
      async (code) => {
        const error = await playedBy(operation, code);
        const told = problemsFor(operation, error, 'REF');
        expect(told, code).toBeDefined();
        const said = [...told!.problems.map(({ message }) => message), told!.formProblem ?? ''].join(' ');
        expect(said.length).toBeGreaterThan(20);
        expectTold(operation, told, said.trim().slice(0, 30));
      },
    );
  },
);

test('Scandesk finds more than 50 errors before a call, and the account itself returns more than 60', () => {
  expect(before.length).toBeGreaterThan(50);
  expect(answered.length).toBeGreaterThan(60);
});

test('the errors of operations left the number of databases, services and users unchanged', async () => {
  expect((await embedded.ok('databases/retrieve')).all('database')).toHaveLength(3);
  expect((await embedded.ok('services/retrieve')).all('service')).toHaveLength(7);
  expect((await embedded.ok('users/retrieve')).all('user')).toHaveLength(6);
});
