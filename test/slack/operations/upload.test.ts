/** Files from a form into the account: 10,000 values with their progress, and files that cannot be used. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';
import { auditOf, closeAll, connectAccount, entriesFor, giveFile, inputsOf, seesWords, submitForm } from './filling.js';

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
  await closeAll(ada);
});

async function newDatabase(name: string): Promise<string> {
  return /<id>(\d+)/.exec(await askAccount(testApp, 'databases', 'create', { database_name: name }))![1]!;
}

async function openUpload(database: string) {
  await ada.say(`/scandesk call databases upload database_id=${database}`);
  return ada.seesWindow('Upload a CSV file');
}

test('an import of 10,000 values shows its progress in the window', async () => {
  const database = await newDatabase('Ten thousand');
  const rows = Array.from({ length: 10_000 }, (_, n) => `"00${n}","Seat ${n}, row ""${n % 7}""",${n % 2}`);
  const file = await giveFile(testApp, ada, 'seats.csv', `${rows.join('\n')}\n`);
  const form = await openUpload(database);
  const since = (await testApp.calls()).at(-1)!.n;
  // An account elsewhere takes a while for a file this large.
  await testApp.accountFaults({ next: [{ operation: 'databases/upload', times: 1, as: 'slow', delay_ms: 1_500 }] });
  await submitForm(ada, form, { csvfile: file });
  const done = await seesWords(ada, 'Ten thousand now has 10,000 values.');
  expect(read(done.view.blocks)).toContain('CSV file: seats.csv');
  const shown = (await testApp.calls(since))
    .filter((call) => call.method === 'views.update')
    .map((call) => read((call.body.view as { blocks: unknown }).blocks));
  expect(shown[0]).toContain('Checking seats.csv…');
  expect(shown[1]).toContain('Uploading seats.csv (0.3 MB): 10,000 values, starting with 000, 001, 002…');
  expect(shown.some((text) => text.includes('seats.csv uploaded. The account is importing it'))).toBe(true);
  expect(shown.at(-2)).toContain('Counting the values');
  expect(await askAccount(testApp, 'databases', 'showvalues', { database_id: database, value: '0042' })).toContain(
    'Seat 42, row &quot;0&quot;',
  );
  expect((await auditOf(testApp)).at(-1)).toMatchObject({
    what: 'databases/upload',
    detail: { database_id: database, csvfile: 'seats.csv' },
    outcome: 'ok',
  });
});

test('an import in the background is reported as not finished yet', async () => {
  const database = await newDatabase('Later');
  const form = await openUpload(database);
  await ada.click(form, 'form.more');
  const more = await eventually(async () => {
    const view = await ada.window();
    return view && inputsOf(view).some((block) => block.block_id === 'v.is_deferred') ? view : undefined;
  }, 'the switch');
  await submitForm(ada, more, { csvfile: await giveFile(testApp, ada, 'later.csv', 'a\nb\n'), is_deferred: true });
  await seesWords(ada, 'importing the file in the background');
});

test('an import reads columns from the header line, and reports errors by line and column before it sends', async () => {
  const database = await newDatabase('Headed');
  const form = await openUpload(database);
  const before = (await auditOf(testApp)).length;
  const wrong = await giveFile(testApp, ada, 'wrong.csv', 'Valid;Barcode;Response\n1;0012;A\nx;13;B\n');
  await submitForm(ada, form, { csvfile: wrong });
  const again = await seesWords(ada, 'Line 3, column 1 (validity): “x” is neither 1 (valid) nor 0 (not valid).');
  expect((await auditOf(testApp)).length).toBe(before);
  const right = await giveFile(testApp, ada, 'right.csv', 'Valid;Barcode;Response\n1;0012;"A; B"\n0;13;\n');
  await submitForm(ada, again, { csvfile: right });
  const done = await seesWords(ada, 'Headed now has 2 values.');
  expect(read(done.view.blocks)).toContain('The first line was read as the names of the columns.');
  expect(await askAccount(testApp, 'databases', 'showvalues', { database_id: database, value: '0012' })).toContain(
    'A; B',
  );
});

test('an import’s error at the account is shown with its line, and the file need not be chosen again', async () => {
  const database = await newDatabase('Broken');
  const form = await openUpload(database);
  // The second barcode is blank once the account has trimmed it.
  await submitForm(ada, form, { csvfile: await giveFile(testApp, ada, 'broken.csv', 'a,b,1\n" ",d,0\n') });
  const again = await seesWords(ada, 'The upload failed');
  const text = read(again.view.blocks);
  expect(text).toContain('Line 2');
  expect(text).toContain('broken.csv is already attached');
  expect(await askAccount(testApp, 'databases', 'retrieve', { database_id: database })).toContain('<count>0</count>');
  await submitForm(ada, again, {});
  await seesWords(ada, 'Line 2');
  const fixed = (await ada.window())!;
  await submitForm(ada, fixed, { csvfile: await giveFile(testApp, ada, 'fixed.csv', 'a,b,1\nc,d,0\n') });
  await seesWords(ada, 'Broken now has 2 values.');
});

test('the form of an import takes no picture, and is not sent without a file', async () => {
  const form = await openUpload('1021');
  const picture = await giveFile(testApp, ada, 'values.png', 'x');
  const refused = await ada.submit(form, await entriesFor(ada, form, { csvfile: picture }));
  expect(refused).toMatchObject({ ok: false, error: 'not_offered' });
  expect(await submitForm(ada, form, {})).toMatchObject({ ok: false, error: 'invalid_input' });
});

test('a file above its size limit is refused under its field at once', async () => {
  await ada.say('/scandesk call barcode generate value=007 ?');
  let form = await ada.seesWindow('Create a barcode');
  await ada.click(form, 'form.more', undefined, 'g.');
  form = await eventually(async () => {
    const view = await ada.window();
    return view && inputsOf(view).some((block) => block.block_id === 'v.logo') ? view : undefined;
  }, 'the input for a logo');
  const large = await giveFile(testApp, ada, 'logo.png', new Uint8Array(2_000_001));
  const answer = await submitForm(ada, form, { logo: large });
  expect(answer.errors!['v.logo']).toBe('The file is too large: 2.0 MB. The limit is 2 MB.');
});

test('a logo is sent with the barcode, and the barcode returns as a picture', async () => {
  await ada.say('/scandesk call barcode generate value=007 barcodetype=qr filetype=PNG logoposition=top ?');
  let form = await ada.seesWindow('Create a barcode');
  await ada.click(form, 'form.more', undefined, 'g.');
  form = await eventually(async () => {
    const view = await ada.window();
    return view && inputsOf(view).some((block) => block.block_id === 'v.logo') ? view : undefined;
  }, 'the input for a logo');
  // The smallest picture there is: one transparent dot.
  const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  await submitForm(ada, form, { logo: await giveFile(testApp, ada, 'logo.gif', dot) });
  const drawn = await seesWords(ada, '007');
  const picture = (drawn.view.blocks as { type: string; slack_file?: { id: string } }[]).find(
    ({ type }) => type === 'image',
  );
  const bytes = await (
    await fetch(`${testApp.slackUrl}/sandbox/file/${picture!.slack_file!.id}?as=U0ADA`)
  ).arrayBuffer();
  expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG');
});

/** Submits the form as Slack would if the file had this URL. */
async function submitWithFileAt(form: ShownView, url: string): Promise<void> {
  const file = { id: 'F1', name: 'a.csv', mimetype: 'text/csv', size: 3, url_private: url };
  const values = { ...form.state, 'v.csvfile': { 'form.field': { type: 'file_input', files: [file] } } };
  const forged = {
    type: 'view_submission',
    team: { id: 'T0SANDBOX1', domain: 'x' },
    user: { id: 'U0ADA', team_id: 'T0SANDBOX1' },
    trigger_id: '1.2.3',
    view: { ...form.view, id: form.id, callback_id: 'form.change', state: { values } },
  };
  const answer = await testApp.signed(new URLSearchParams({ payload: JSON.stringify(forged) }).toString());
  expect(await answer.json()).toMatchObject({ response_action: 'update' });
}

test('an import’s file outside Slack is refused as not stored in Slack', async () => {
  const form = await openUpload('1021');
  await submitWithFileAt(form, `${testApp.accountUrl}/steal`);
  await seesWords(ada, 'isn’t stored in Slack');
});

test('an import’s file that Slack does not return is reported above its field', async () => {
  const form = await openUpload('1021');
  await submitWithFileAt(form, `${testApp.slackUrl}/files-pri/T0SANDBOX1-F1/a.csv`);
  const again = await seesWords(ada, 'couldn’t download the file from Slack');
  expect(again.callback_id).toBe('form.change');
});
