/**
 * Every operation of the catalogue once through Slack: its form is opened, filled in and sent, a delete is confirmed,
 * the answer is read, and the change is in the audit log. An operation that is not in the table fails the test.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { currentReaderOf } from '../../../src/codereadr/current-values.js';
import { findOperation, operationName, operations } from '../../../src/codereadr/operations/index.js';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { confirmTitle } from '../../../src/slack/operations/delete/confirm.js';
import { labelIn } from '../../../src/slack/operations/form/resources.js';
import { read } from '../block-kit/reading.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, giveFile, seesWords, submitForm, type Values } from './filling.js';

interface Step {
  /** The values to fill in; `$db` stands for the id that an earlier step kept as `db`. */
  readonly fill: Values;
  /** The text of the answer. */
  readonly says: string | RegExp;
  /** The text of the confirmation before a delete. */
  readonly goes?: string;
  /** The name under which the id of the new record is kept. */
  readonly keep?: string;
}

/** The steps, in an order in which each one finds the records that it needs. */
const steps: readonly (readonly [operation: string, step: Step])[] = [
  [
    'databases/create',
    { fill: { database_name: 'Guests & <crew>', case_sensitivity: true }, says: /\(ID \d+\)\./, keep: 'db' },
  ],
  ['databases/update', { fill: { database_id: '$db', database_name: 'Guests' }, says: 'Name: Guests' }],
  ['databases/addvalue', { fill: { database_id: '$db', value: ' 007 ', response: 'Bond, *James*' }, says: ' 007 ' }],
  ['databases/upsertvalue', { fill: { database_id: '$db', value: '008\\x1d10', validity: false }, says: '008␝10' }],
  [
    'databases/upsertmultivalue',
    { fill: { database_id: '$db', values: '009,Nine,1\n"0,10","says ""hi""",0' }, says: '2 in total' },
  ],
  ['databases/editvalue', { fill: { database_id: '$db', value: '009', response: 'Nine lives' }, says: 'Nine lives' }],
  ['databases/showvalues', { fill: { database_id: '$db' }, says: / 007 .*00810.*009.*0,10/s }],
  [
    'databases/upload',
    { fill: { database_id: '$db', csvfile: '%values' }, goes: '2 new', says: 'Guests now has 6 values' },
  ],
  ['databases/retrieve', { fill: { database_id: ['$db'] }, says: /Guests.*count: 6/s }],
  [
    'databases/deletevalue',
    {
      fill: { database_id: '$db', value: '009' },
      goes: 'Nine lives',
      says: 'Deleted 009 from the database ',
    },
  ],
  ['databases/clear', { fill: { database_id: '$db' }, goes: 'All 5 values', says: 'Emptied the database ' }],
  [
    'questions/create',
    { fill: { question_text: 'Which gate?', question_type: 'option' }, says: /\(ID \d+\)\./, keep: 'q' },
  ],
  ['questions/addanswer', { fill: { question_id: ['$q'], answer_text: 'North' }, says: /\(ID \d+\)\./, keep: 'north' }],
  ['questions/addanswer', { fill: { question_id: ['$q'], answer_text: 'South' }, says: /\(ID \d+\)\./ }],
  ['questions/addanswer', { fill: { question_id: ['$q'], answer_text: 'West' }, says: /\(ID \d+\)\./ }],
  ['questions/retrieve', { fill: { question_id: ['$q'] }, says: /Which gate\?.*North.*South.*West/s }],
  [
    'questions/deleteanswer',
    { fill: { answer_id: ['$north'] }, goes: 'to “Which gate?”', says: 'Deleted the answer ' },
  ],
  [
    'users/create',
    { fill: { username: 'walker', password: 'canary-pass-1', limit: '2' }, says: /\(ID \d+\)\./, keep: 'user' },
  ],
  ['users/update', { fill: { user_id: '$user', limit: '3' }, says: 'Device limit: 3' }],
  ['users/validate', { fill: { username: 'walker', password: 'canary-pass-1' }, says: 'limit: 3' }],
  ['users/retrieve', { fill: { user_id: ['$user'] }, says: 'walker' }],
  [
    'services/create',
    {
      fill: { validation_method: 'database', service_name: 'Walk', database_id: '$db', period_end_date: '2040-12-31' },
      says: /\(ID \d+\)\./,
      keep: 'service',
    },
  ],
  [
    'services/update',
    { fill: { service_id: '$service', description: 'Mind the step', symbologies: ['6', '34'] }, says: 'Mind the step' },
  ],
  ['services/adduserpermission', { fill: { service_id: ['$service'], user_id: ['$user'] }, says: 'walker' }],
  [
    'services/addquestion',
    { fill: { service_id: ['$service'], question_id: ['$q'], condition: 'valid_scan' }, says: 'Which gate?' },
  ],
  ['services/retrieve', { fill: { service_id: ['$service'] }, says: /Walk.*Mind the step/s }],
  [
    'services/removequestion',
    { fill: { service_id: ['$service'], question_id: ['$q'] }, says: 'Removed the question ' },
  ],
  [
    'services/revokeuserpermission',
    {
      fill: { service_id: ['$service'], user_id: ['$user'] },
      says: /Removed access to the service .* from the user walker/,
    },
  ],
  ['services/delete', { fill: { service_id: ['$service'] }, goes: 'This also deletes 0 scans', says: 'Walk' }],
  ['users/delete', { fill: { user_id: ['$user'] }, goes: 'has access to 0 services', says: 'walker' }],
  ['questions/delete', { fill: { question_id: ['$q'] }, goes: '2 answers', says: 'Which gate?' }],
  ['databases/delete', { fill: { database_id: '$db' }, goes: '0 values, used by 0 services', says: 'Guests' }],
  ['devices/update', { fill: { device_id: '571', device_name: 'Gate A phone <2>' }, says: 'Gate A phone <2>' }],
  ['devices/retrieve', { fill: { device_id: ['571'] }, says: 'Gate A phone <2>' }],
  [
    'scan_properties/create',
    {
      fill: { scan_id: '13001', name: 'shelf', value: ' A ' },
      says: 'Added the property shelf to the scan with the ID 13001.',
    },
  ],
  ['scan_properties/retrieve', { fill: { scan_id: '13001', name: 'SHELF' }, says: ' A ' }],
  ['scan_properties/update', { fill: { scan_id: '13001', name: 'shelf', value: 'B' }, says: 'Value: B' }],
  [
    'scans/retrieve',
    { fill: { limit: '20', only_recent: '1', service_id: ['1201'] }, says: 'Times are in Europe/Berlin' },
  ],
  [
    'scan_properties/delete',
    {
      fill: { scan_id: '13001', name: 'shelf' },
      goes: 'Value: B',
      says: 'Deleted the property shelf from the scan with the ID 13001.',
    },
  ],
  ['scans/delete', { fill: { scan_id: '13001, 13002' }, goes: '2 scans', says: '2 scans' }],
  ['uploads/retrieve', { fill: { device_id: ['571'] }, says: 'uploads' }],
  ['limits/retrieve', { fill: {}, says: /minute: left [\d,]+, limit 1,000/ }],
  ['barcode/generate', { fill: { value: '00123' }, says: '00123' }],
];

test('the table of operations in this test has every operation of the catalogue', () => {
  expect([...new Set(steps.map(([name]) => name))].sort()).toEqual(operations.map(operationName).sort());
});

describe('an admin', () => {
  let testApp: TestApp;
  let ada: Person;
  const lines: string[] = [];
  const kept = new Map<string, string>();
  beforeAll(async () => {
    testApp = await startTestApp({ lines });
    ada = testApp.person('U0ADA');
    await connectAccount(testApp);
    kept.set('%values', await giveFile(testApp, ada, 'values.csv', '"1,1",One,1\n2,Two,0\n'));
  });
  afterAll(() => testApp.stop());
  afterEach(() => closeAll(ada));

  const resolve = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(resolve)
      : typeof value === 'string' && /^[$%]/.test(value)
        ? kept.get(value.replace('$', ''))
        : value;

  async function open(section: string, action: string, title: string): Promise<ShownView> {
    await ada.say(`/scandesk call ${section} ${action} ?`);
    return ada.seesWindow(title);
  }

  test.each(steps.map(([name, step], at) => [`${at + 1}. ${name}`, name, step] as const))(
    'an admin carries out an operation through its form: %s',
    async (_, name, step) => {
      const [section = '', action = ''] = name.split('/');
      const operation = findOperation(section, action)!;
      const fill = Object.fromEntries(Object.entries(step.fill).map(([key, value]) => [key, resolve(value)]));
      const keys = currentReaderOf(operation)?.keys ?? [];
      let form = await open(section, action, operation.title);
      if (keys.length > 0) {
        const named = Object.fromEntries(Object.entries(fill).filter(([key]) => keys.includes(key)));
        expect(await submitForm(ada, form, named)).toMatchObject({ ok: true, response_action: 'update' });
        form = await eventually(async () => {
          const view = await ada.window();
          return view?.callback_id === 'form.change' ? view : undefined;
        }, 'the form filled in');
      }
      const rest = Object.fromEntries(Object.entries(fill).filter(([key]) => !keys.includes(key)));
      expect(await submitForm(ada, form, rest)).toMatchObject({ ok: true, response_action: 'update' });
      if (step.goes !== undefined) {
        const title = name === 'databases/upload' ? 'Upload these values?' : confirmTitle(operation, fill);
        const question = await ada.seesWindow(title);
        expect(read(question.view.blocks)).toContain(step.goes);
        await ada.submit(question);
      }
      const answer = await seesWords(ada, step.says);
      expect(answer.callback_id).toBe('form.result');
      if (step.keep) {
        kept.set(step.keep, /\(ID (\d+)\)\./.exec(read(answer.view.blocks))![1]!);
      }
      if (operation.effect !== 'read') {
        expect(read(answer.view.blocks)).toContain(operation.success!.split(' {')[0]);
        for (const given of Object.keys(fill)) {
          expect(read(answer.view.blocks), given).toContain(labelIn(operation, given));
        }
      } else if (!Object.keys(fill).some((given) => operation.input[given]?.secret)) {
        const pairs = Object.entries(fill).map(([given, value]) => `${given}="${[value].flat().join(',')}"`);
        const typed = await ada.command(['/scandesk call', section, action, ...pairs].join(' '));
        expect(read(typed.blocks)).toMatch(step.says);
      }
    },
  );

  test('every operation that changes something is in the audit log with its person, and no read is', async () => {
    const rows = await auditOf(testApp);
    const changes = steps.filter(
      ([name]) => findOperation(...(name.split('/') as [string, string]))!.effect !== 'read',
    );
    const expected = changes.map(([name]) => name);
    expect(
      rows.filter((row) => row.what.includes('/') && !row.what.startsWith('workspace/')).map((row) => row.what),
    ).toEqual(expected);
    expect(new Set(rows.map((row) => row.outcome))).toEqual(new Set(['ok']));
    expect(new Set(rows.map((row) => row.who))).toEqual(new Set(['U0ADA']));
    const made = rows.find((row) => row.what === 'databases/create')!;
    expect(made.detail).toEqual({ database_name: 'Guests & <crew>', case_sensitivity: true, id: kept.get('db') });
    expect(made.where).toBe('C0GENERAL');
    expect(rows.find((row) => row.what === 'users/create')!.detail.password).toBe('(hidden)');
    expect(rows.find((row) => row.what === 'databases/upload')!.detail.csvfile).toBe('values.csv');
  });

  test('no password that was entered is in a window, the log, or the store', async () => {
    const sent = JSON.stringify(await testApp.calls());
    const bytes = await readFile(testApp.databaseFile, 'latin1');
    const wal = await readFile(`${testApp.databaseFile}-wal`, 'latin1').catch(() => '');
    const places = { sent, log: lines.join(''), bytes, wal };
    const found = Object.entries(places).filter(([, text]) => text.includes('canary-pass-1'));
    expect(found.map(([place]) => place)).toEqual([]);
    expect(sent.includes('walker')).toBe(true);
  });

  test('no operation that the admin carried out logged a warning or an error', () => {
    expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });
});
