/** Deletes name their records and ask for a confirmation; a cancelled delete deletes nothing. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, seesWords, submitForm } from './filling.js';

let testApp: TestApp;
let ada: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  ada = testApp.person('U0ADA');
  await connectAccount(testApp);
});
afterAll(() => testApp.stop());
afterEach(async () => {
  await testApp.accountFaults({ next: [] });
  await closeAll(ada);
});

const asks = async (typed: string, title: string) => {
  await ada.say(`/scandesk call ${typed}`);
  return ada.seesWindow(title);
};

test('a delete command that names its records opens a confirmation, and Cancel deletes nothing', async () => {
  const question = await asks('services delete service_id=1203,1204', 'Delete services?');
  const text = read(question.view.blocks);
  expect(text).toMatch(/Stock count {2}\d+ scans, 2 users, 2 questions · ID 1203/);
  expect(text).toMatch(/Stock lookup {2}\d+ scans?, 3 users, 0 questions · ID 1204/);
  expect(text).toMatch(/This also deletes \d+ scans from the account\./);
  expect(text).toContain('This can’t be undone.');
  expect(question.view).toMatchObject({ submit: { text: 'Delete' }, close: { text: 'Cancel' } });
  await ada.close(question);
  expect(await askAccount(testApp, 'services', 'retrieve')).toContain('Stock count');
  expect((await auditOf(testApp)).some((row) => row.what === 'services/delete')).toBe(false);
});

test('a confirmed deletion deletes the record, names it, and is in the audit log', async () => {
  const { id } = /<id>(?<id>\d+)/.exec(
    await askAccount(testApp, 'services', 'create', { validation_method: 'record', service_name: 'Short <b>' }),
  )!.groups as { id: string };
  const question = await asks(`services delete service_id=${id}`, 'Delete this service?');
  await ada.submit(question);
  const done = read((await ada.seesWindow('Done')).view.blocks);
  expect(done).toContain('Details: Short <b>.');
  expect(await askAccount(testApp, 'services', 'retrieve')).not.toContain('Short');
  expect((await auditOf(testApp)).at(-1)).toMatchObject({
    what: 'services/delete',
    detail: { service_id: [id] },
    outcome: 'ok',
  });
});

test('the confirmation of a deletion of services says how many scans are deleted, or “at least 500”', async () => {
  await askAccount(testApp, 'services', 'create', { validation_method: 'record', service_name: 'Busy' });
  const everyone = [...(await askAccount(testApp, 'services', 'retrieve')).matchAll(/<service id="(\d+)"/g)].map(
    (found) => found[1],
  );
  const question = await asks(`services delete service_id=${everyone.join(',')}`, 'Delete services?');
  expect(read(question.view.blocks)).toMatch(/This also deletes (at least 500|4\d\d) scans/);
});

test('the confirmation to empty or delete a database counts its values and mentions services that use it', async () => {
  const empty = await asks('databases clear database_id=1021', 'Empty a database?');
  expect(read(empty.view.blocks)).toContain('All 1,200 values of Harbour Lights Festival tickets');
  expect(read(empty.view.blocks)).toContain('2 services use it');
  expect(empty.view).toMatchObject({ submit: { text: 'Empty' } });
  await ada.close(empty);
  const gone = await asks('databases delete database_id=1021', 'Delete a database?');
  expect(read(gone.view.blocks)).toContain('1,200 values, used by Gate A: tickets, ');
  expect(read(gone.view.blocks)).toContain('A database that a service uses can’t be deleted');
});

test('a deletion that the account refuses is explained, and recorded in the audit log', async () => {
  const question = await asks('databases delete database_id=1021', 'Delete a database?');
  await ada.submit(question);
  const problem = await ada.seesWindow('Something went wrong');
  expect(read(problem.view.blocks)).toContain('A service still uses this database');
  expect((await auditOf(testApp)).at(-1)).toMatchObject({ what: 'databases/delete', outcome: 'account.refused 205' });
});

test('the confirmation of a value’s deletion shows the value with its response', async () => {
  await askAccount(testApp, 'databases', 'addvalue', {
    database_id: '1023',
    value: '*<!channel> `7`',
    response: 'Odd & even',
  });
  const question = await asks('databases deletevalue database_id=1023 value="*<!channel> `7`"', 'Delete a value?');
  const text = read(question.view.blocks);
  expect(text).toContain('Barcode *<!channel> `7` of Tool crib');
  expect(text).toContain('Valid, with the response: Odd & even');
  await ada.submit(question);
  await ada.seesWindow('Done');
  expect(
    await askAccount(testApp, 'databases', 'showvalues', { database_id: '1023', value: '*<!channel> `7`' }),
  ).not.toContain('Odd');
});

test('a deletion of a record that does not exist is answered with the reason, and deletes no service', async () => {
  for (const typed of [
    'services delete service_id=1203,99999',
    'users delete user_id=99999',
    'scans delete scan_id=13001,999999',
    'questions deleteanswer answer_id=99999',
    'databases deletevalue database_id=1021 value=nothing',
  ]) {
    await ada.say(`/scandesk call ${typed}`);
    await eventually(async () => {
      const said = [...(await ada.messages()).map(({ blocks }) => blocks), (await ada.window())?.view.blocks];
      return said.some((blocks) => /doesn’t exist|wasn’t deleted|isn’t in the database/.test(read(blocks)));
    }, `word that it is not there: ${typed}`);
    await closeAll(ada);
  }
  expect(await askAccount(testApp, 'services', 'retrieve')).toContain('Stock count');
});

test('a deletion is not offered for confirmation where the account cannot say what it deletes', async () => {
  await testApp.accountFaults({ next: [{ operation: 'users/retrieve', times: 5, as: 'html' }] });
  const said = await ada.command('/scandesk call users delete user_id=706');
  expect(read(said.blocks)).toContain('can’t be read');
  expect(await ada.window()).toBeUndefined();
});

test('a deletion from a form shows the account’s error in the form, and asks for a confirmation', async () => {
  const form = await asks('users delete', 'Delete users');
  expect(JSON.stringify(form.view.blocks)).not.toContain('"all"');
  await testApp.accountFaults({ next: [{ operation: 'users/retrieve', times: 1, as: 'refused', code: '201' }] });
  await submitForm(ada, form, { user_id: ['706'] });
  const again = await seesWords(ada, 'This user doesn’t exist');
  await submitForm(ada, again, {});
  const question = await ada.seesWindow('Delete this user?');
  expect(read(question.view.blocks)).toContain('ana@harbour-lights.example  has access to 2 services · ID 706');
});

test('the word “all” as the ID in a deletion is refused, however it is spelled', async () => {
  for (const typed of [
    'services delete service_id=all',
    'users delete user_id=ALL',
    'questions delete question_id="1,all"',
    'services delete service_id[]=all',
    'services delete service_id[0]=1203 service_id[1]=all',
  ]) {
    const said = await ada.command(`/scandesk call ${typed}`);
    expect(read(said.blocks), typed).toContain('Scandesk never deletes everything at once');
    expect(await ada.window()).toBeUndefined();
  }
});

test('a deletion of more than a hundred records at a time is refused', async () => {
  const ids = Array.from({ length: 101 }, (_, at) => 13_001 + at).join(',');
  const said = await ada.command(`/scandesk call scans delete scan_id=${ids}`);
  expect(read(said.blocks)).toContain('Scandesk deletes at most 100 at a time');
});

test('a change of all records asks for a confirmation, as a deletion does', async () => {
  const question = await asks('services adduserpermission service_id=all user_id=706', 'Apply to all?');
  expect(read(question.view.blocks)).toMatch(/this affects all \d+ services and 1 user/);
  await ada.submit(question);
  await ada.seesWindow('Done');
  const told = await askAccount(testApp, 'users', 'retrieve', { user_id: '706' });
  expect([...told.matchAll(/<service id=/g)].length).toBeGreaterThan(6);
});

test('a confirmation of an operation that does not exist is refused as out of date', async () => {
  const question = await asks('questions delete question_id=382', 'Delete this question?');
  const forged = {
    type: 'view_submission',
    team: { id: 'T0SANDBOX1', domain: 'x' },
    user: { id: 'U0ADA', team_id: 'T0SANDBOX1' },
    trigger_id: '1.2.3',
    view: {
      id: question.id,
      callback_id: 'form.confirm',
      private_metadata: JSON.stringify({ op: 'questions/obliterate', input: {}, what: 'x' }),
      blocks: [],
      state: { values: {} },
    },
  };
  const answer = await testApp.signed(new URLSearchParams({ payload: JSON.stringify(forged) }).toString());
  expect(await answer.text()).toContain('This form is out of date');
});
