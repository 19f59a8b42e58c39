/** The account's demands beyond a single field: a form meets them, or says why the account would refuse. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, giveFile, inputsOf, seesWords, submitForm } from './filling.js';

let testApp: TestApp;
let ada: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  ada = testApp.person('U0ADA');
  await connectAccount(testApp);
});
afterAll(() => testApp.stop());
afterEach(() => closeAll(ada));

const idIn = (answer: string) => /<id>(\d+)<\/id>/.exec(answer)?.[1] ?? '';

async function openForm(typed: string, title: string): Promise<ShownView> {
  await ada.say(`/scandesk call ${typed} ?`);
  return ada.seesWindow(title);
}

/** The form once *More settings* has unfolded one of its groups. */
async function unfolded(form: ShownView, group: string, block: string): Promise<ShownView> {
  await ada.click(form, 'form.more', undefined, `g.${group}`);
  return eventually(async () => {
    const view = await ada.window();
    return view && inputsOf(view).some(({ block_id }) => block_id === block) ? view : undefined;
  }, block);
}

describe('the answer of a web page question', () => {
  const pages: readonly [string, string][] = [
    ['a page’s address', '<curl>https://desk.example/ask?a=1&b=2</curl>'],
    ['a page’s source, on several lines', '<html>\n<body onload="x()">ZIP &amp; code</body>\n</html>'],
  ];
  const made = async () =>
    idIn(await askAccount(testApp, 'questions', 'create', { question_text: 'ZIP code?', question_type: 'webcollect' }));

  test.each(pages)('a web page question’s answer can be typed into the form: %s', async (_, answer) => {
    const question = await made();
    const form = await openForm(`questions addanswer question_id=${question}`, 'Add an answer');
    expect(inputsOf(form).find(({ block_id }) => block_id === 'v.answer_text')?.element).toMatchObject({
      type: 'plain_text_input',
      multiline: true,
    });
    await submitForm(ada, form, { answer_text: answer });
    await ada.seesWindow('Done');
    expect(await askAccount(testApp, 'questions', 'retrieve', { question_id: question })).toContain(
      answer.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    );
  });

  test('a web page question’s answer that is too long for an input can be sent as a file', async () => {
    const question = await made();
    const source = `<html>${'<p>0123456789</p>\n'.repeat(11_000)}</html>`;
    const form = await openForm(`questions addanswer question_id=${question}`, 'Add an answer');
    expect(await submitForm(ada, form, {})).toMatchObject({ response_action: 'errors' });
    await submitForm(ada, form, { 'f.answer_text': await giveFile(testApp, ada, 'ask.html', source) });
    await ada.seesWindow('Done');
    const kept = await askAccount(testApp, 'questions', 'retrieve', { question_id: question });
    expect(kept.split('&lt;p&gt;0123456789&lt;/p&gt;\n').length).toBe(11_001);
    expect(read((await ada.command(`/scandesk call questions retrieve question_id=${question}`)).blocks)).toContain(
      '…',
    );
  });
});

describe('a change of a postback flag', () => {
  const url = 'https://desk.example/relay/canary-flag-secret';

  test.each([
    ['on', '1', true],
    ['off', '0', false],
  ])(
    'a change of a postback flag to %s keeps the service’s postback URL, which the answer does not show',
    async (_, picked, on) => {
      const made = { validation_method: 'record', postback_url: url, service_name: `Posts, ${picked}` };
      const service = idIn(await askAccount(testApp, 'services', 'create', made));
      const form = await openForm(`services update service_id=${service}`, 'Edit a service');
      const more = await unfolded(form, 'Postback', 'v.postback_real_time_scans');
      await submitForm(ada, more, { postback_real_time_scans: picked });
      const done = await ada.seesWindow('Done');
      expect(JSON.stringify(done.view)).not.toContain('canary');
      expect((await auditOf(testApp)).at(-1)).toMatchObject({
        what: 'services/update',
        detail: { service_id: service, postback_real_time_scans: on },
        outcome: 'ok',
      });
      expect(await askAccount(testApp, 'services', 'retrieve', { service_id: service })).toContain(
        `<postback>${url}</postback>`,
      );
    },
  );

  test('a change of a postback flag is refused while the service has no postback URL', async () => {
    const form = await openForm('services update service_id=1203', 'Edit a service');
    const more = await unfolded(form, 'Postback', 'v.postback_real_time_scans');
    await submitForm(ada, more, { postback_real_time_scans: '0' });
    await seesWords(ada, 'This requires Postback URL, which isn’t set yet.');
  });
});

test('a web view’s page that devices would show as text is refused with the reason, at its field', async () => {
  const page = { validation_method: 'webview', description: '<html>Hi</html>', service_name: 'Rules' };
  const service = idIn(await askAccount(testApp, 'services', 'create', page));
  const form = await openForm(`services update service_id=${service}`, 'Edit a service');
  const answer = await submitForm(ada, form, { description: '<html lang="en">Hello</html>' });
  expect(answer).toMatchObject({
    response_action: 'errors',
    errors: { 'v.description': expect.stringContaining('Start the page with exactly <html>') },
  });
  await submitForm(ada, form, { description: '<html>Hello</html>' });
  await ada.seesWindow('Done');
});

describe('a logo', () => {
  let asked = 0;
  const server = createServer({ keepAliveTimeout: 65_000 }, (_, response) => {
    asked += 1;
    response.writeHead(404).end();
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
  const opened = async () => unfolded(await openForm('barcode generate value=007', 'Create a barcode'), '', 'u.logo');

  test('a logo can be given by its URL, which the account fetches and the form keeps', async () => {
    await submitForm(ada, await opened(), { 'u.logo': address() });
    const again = await seesWords(ada, 'The file is missing');
    expect(asked).toBe(1);
    expect(inputsOf(again).find(({ block_id }) => block_id === 'u.logo')?.element).toMatchObject({
      initial_value: address(),
    });
  });

  test('a logo can be given as a file or as a URL, but not as both', async () => {
    const logo = await giveFile(testApp, ada, 'logo.png', 'x');
    const answer = await submitForm(ada, await opened(), { logo, 'u.logo': address() });
    expect(answer).toMatchObject({ errors: { 'v.logo': 'Choose a file or enter its URL, not both.' } });
  });
});
