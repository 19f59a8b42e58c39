/** Forms of operations in Slack: errors at once, errors of the account, the values that stay, and secrets. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { closeAll, connectAccount, giveFile, inputsOf, seesWords, submitForm } from './filling.js';

let testApp: TestApp;
let ada: Person;
const lines: string[] = [];

beforeAll(async () => {
  testApp = await startTestApp({ lines });
  ada = testApp.person('U0ADA');
  await connectAccount(testApp);
});
afterAll(() => testApp.stop());
afterEach(async () => {
  await testApp.accountFaults({ next: [] });
  await Promise.all(['U0ADA', 'U0MIA', 'U0GUS', 'U0EVE'].map((id) => closeAll(testApp.person(id))));
});

async function openForm(typed: string, title: string, person = ada): Promise<ShownView> {
  await person.say(`/scandesk call ${typed}`);
  return person.seesWindow(title);
}

const initial = (view: ShownView, name: string) => {
  const element = inputsOf(view).find((block) => block.block_id === `v.${name}`)?.element as
    | Record<string, unknown>
    | undefined;
  return (
    element &&
    (element.initial_value ??
      element.initial_option ??
      element.initial_options ??
      element.initial_date ??
      element.initial_time)
  );
};

describe('an error of the account', () => {
  test.each([
    ['html', 'can’t be read. Your change may or may not have been saved'],
    ['reset', 'can’t be reached right now. Your change may or may not have been saved'],
    ['500', 'is having trouble right now. Your change may or may not have been saved'],
  ] as const)(
    'a form keeps its values if the account fails with “%s”, and shows the error with a reference',
    async (as, words) => {
      const form = await openForm('questions create', 'Create a question');
      await testApp.accountFaults({ next: [{ operation: 'questions/create', times: 3, as }] });
      await submitForm(ada, form, { question_text: 'Still there?' });
      const again = await seesWords(ada, words);
      expect(read(again.view.blocks)).toMatch(/Reference [A-Z2-9]{8}/);
      expect(initial(again, 'question_text')).toBe('Still there?');
      await testApp.accountFaults({ next: [] });
      await submitForm(ada, again, {});
      await ada.seesWindow('Done');
    },
  );
});

describe('while the account is asked', () => {
  test('a person who closes a form while the account is queried gets a refusal as a direct message', async () => {
    const form = await openForm('databases create', 'Create a database');
    await testApp.accountFaults({
      next: [{ operation: 'databases/create', times: 1, as: 'refused', code: '216', delay_ms: 800 }],
    });
    await submitForm(ada, form, { database_name: 'Gone' });
    await closeAll(ada);
    await eventually(
      async () =>
        (await ada.directMessages()).find((message) =>
          read(message.blocks).includes('Another database already has this name'),
        ),
      'the refusal as a message',
    );
  });
});

describe('a long form', () => {
  test('a long form accepts a page from a file when the page is too long for an input', async () => {
    await ada.say('/scandesk call services create validation_method=webview service_name=Page ?');
    let form = await ada.seesWindow('Create a service');
    await ada.click(form, 'form.more', undefined, 'g.Basics');
    form = await eventually(async () => {
      const view = await ada.window();
      return view && inputsOf(view).some((block) => block.block_id === 'f.description') ? view : undefined;
    }, 'the input for a file');
    const page = `<html>${'é & "x" '.repeat(1_000)}</html>`;
    const file = await giveFile(testApp, ada, 'page.html', page);
    await submitForm(ada, form, { 'f.description': file });
    const id = /\(ID (\d+)\)\./.exec(read((await ada.seesWindow('Done')).view.blocks))![1]!;
    expect(
      (await askAccount(testApp, 'services', 'retrieve', { service_id: id })).includes(
        'x&quot; </html>'.replace('</html>', '&lt;/html&gt;'),
      ),
    ).toBe(true);
  });

  test('a long form shows a file’s error above the field, and keeps the file', async () => {
    await ada.say('/scandesk call services create validation_method=record ?');
    let form = await ada.seesWindow('Create a service');
    await ada.click(form, 'form.more', undefined, 'g.Scanning');
    form = await eventually(async () => {
      const view = await ada.window();
      return view && inputsOf(view).some((block) => block.block_id === 'f.decoder_config') ? view : undefined;
    }, 'the input for a file');
    await submitForm(ada, form, { 'f.decoder_config': await giveFile(testApp, ada, 'decoder.json', '{"a": ') });
    const again = await seesWords(ada, 'This isn’t valid JSON');
    expect(read(again.view.blocks)).toContain('decoder.json is already attached');
    await submitForm(ada, again, { 'f.decoder_config': await giveFile(testApp, ada, 'decoder.json', '{"a": 1}') });
    await ada.seesWindow('Done');
  });
});

describe('a change', () => {
  test('a form for a change of a record that does not exist reports the error at the record’s picker', async () => {
    const form = await openForm('users update', 'Edit a user');
    const [picker] = inputsOf(form);
    expect(picker).toMatchObject({ block_id: 'v.user_id', element: { type: 'static_select' } });
    await askAccount(testApp, 'users', 'create', { username: 'shortlived', password: 'x' });
    const id = /<user id="(\d+)"><username>shortlived/.exec(await askAccount(testApp, 'users', 'retrieve'))![1]!;
    await askAccount(testApp, 'users', 'delete', { user_id: id });
    await testApp.accountFaults({ next: [{ operation: 'users/retrieve', times: 1, as: 'refused', code: '201' }] });
    await submitForm(ada, form, { user_id: '702' });
    const again = await seesWords(ada, 'This user doesn’t exist');
    expect(initial(again, 'user_id')).toMatchObject({ value: '702' });
    await submitForm(ada, again, {});
    await seesWords(ada, 'mara.gate (ID 702)');
    await closeAll(ada);
    await ada.say(`/scandesk call users update user_id=${id}`);
    await eventually(async () => {
      const said = [...(await ada.messages()).map(({ blocks }) => blocks), (await ada.window())?.view.blocks];
      return said.some((blocks) => read(blocks).includes('This user doesn’t exist'));
    }, 'word that there is no such user');
  });
});
