/** Files from a form into the account: what is asked before values are sent, and files that cannot be used. */
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { wideIt } from '../../helpers/tier/wide-it.js';
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
  return ada.seesWindow('Upload a spreadsheet');
}

/** Gives a file in the form, and waits for the question about it. */
async function askedAbout(form: ShownView, name: string, content: string | Uint8Array): Promise<ShownView> {
  await submitForm(ada, form, { csvfile: await giveFile(testApp, ada, name, content) });
  return ada.seesWindow('Upload these values?');
}

const valueIn = (database: string, value: string) =>
  askAccount(testApp, 'databases', 'showvalues', { database_id: database, value });
const countIn = async (database: string) =>
  // The first count is that of the databases in the answer.
  [...(await askAccount(testApp, 'databases', 'retrieve', { database_id: database })).matchAll(/<count>(\d+)/g)].at(
    -1,
  )?.[1];
const uploadsSince = async (since: number) =>
  (await auditOf(testApp)).slice(since).filter(({ what }) => what === 'databases/upload').length;

wideIt('an upload of 10,000 values asks before it sends, and shows its progress in the window', async () => {
  const database = await newDatabase('Ten thousand');
  const rows = Array.from({ length: 10_000 }, (_, n) => `"00${n}","Seat ${n}, row ""${n % 7}""",${n % 2}`);
  const form = await openUpload(database);
  const since = (await testApp.calls()).at(-1)!.n;
  const question = await askedAbout(form, 'seats.csv', `${rows.join('\n')}\n`);
  const text = read(question.view.blocks);
  expect(text).toContain('10,000 values from seats.csv to Ten thousand');
  expect(text).toContain('10,000 new');
  expect(text).toContain('Nothing has been sent to the account yet.');
  expect(text).toContain('000 · Seat 0, row "0" · not valid');
  expect(await countIn(database)).toBe('0');
  // An account elsewhere takes a while for a file this large.
  await testApp.accountFaults({ next: [{ operation: 'databases/upload', times: 1, as: 'slow', delay_ms: 1_500 }] });
  expect(await ada.submit(question, {})).toMatchObject({ ok: true });
  const done = await seesWords(ada, 'Ten thousand now has 10,000 values.');
  expect(read(done.view.blocks)).toContain('Spreadsheet: seats.csv');
  const shown = (await testApp.calls(since))
    .filter((call) => call.method === 'views.update')
    .map((call) => read((call.body.view as { blocks: unknown }).blocks));
  expect(shown[0]).toContain('Checking seats.csv…');
  expect(shown.at(-2)).toContain('Counting the values');
  expect(await valueIn(database, '0042')).toContain('Seat 42, row &quot;0&quot;');
  expect((await auditOf(testApp)).at(-1)).toMatchObject({
    what: 'databases/upload',
    detail: { database_id: database, csvfile: 'seats.csv' },
    outcome: 'ok',
  });
});

test('an upload in the background is reported as not finished yet', async () => {
  const database = await newDatabase('Later');
  const form = await openUpload(database);
  await ada.click(form, 'form.more');
  const more = await eventually(async () => {
    const view = await ada.window();
    return view && inputsOf(view).some((block) => block.block_id === 'v.is_deferred') ? view : undefined;
  }, 'the switch');
  await submitForm(ada, more, { csvfile: await giveFile(testApp, ada, 'later.csv', 'a\nb\n'), is_deferred: true });
  await ada.submit(await ada.seesWindow('Upload these values?'), {});
  await seesWords(ada, 'importing the file in the background');
});

test('an upload reads columns from the header line, and reports errors by line and column before it asks', async () => {
  const database = await newDatabase('Headed');
  const form = await openUpload(database);
  const before = (await auditOf(testApp)).length;
  const wrong = await giveFile(testApp, ada, 'wrong.csv', 'Valid;Barcode;Response\n1;0012;A\nx;13;B\n');
  await submitForm(ada, form, { csvfile: wrong });
  const again = await seesWords(ada, 'Line 3, column 1 (validity): “x” is neither Yes or 1 (valid)');
  expect(await uploadsSince(before)).toBe(0);
  const question = await askedAbout(again, 'right.csv', 'Valid;Barcode;Response\n1;0012;"A; B"\n0;13;\n');
  await ada.submit(question, {});
  await seesWords(ada, 'Headed now has 2 values.');
  expect(await valueIn(database, '0012')).toContain('A; B');
});

test('barcodes that a spreadsheet shortened stop an upload with their lines', async () => {
  const database = await newDatabase('Shortened');
  const form = await openUpload(database);
  const file = await giveFile(testApp, ada, 'milk.csv', '4.00638E+12,Milk\n0012,Bread\n4.00638E+12,Butter\n');
  await submitForm(ada, form, { csvfile: file });
  await seesWords(ada, 'A spreadsheet changed 2 barcodes into numbers or dates');
  expect(read((await ada.window())?.view.blocks)).toContain('line 1: 4.00638E+12, line 3: 4.00638E+12');
  expect(await countIn(database)).toBe('0');
});

test('a file with sep=, a heading, a repeated and an invisible barcode is asked about, and read as answered', async () => {
  const database = await newDatabase('Asked');
  const lines = ['sep=;', 'Ticket code;Name', '\u200b0012;Ann', '0013;Ben', '0013;Cy', '0014;Dee;1;left'];
  const question = await askedAbout(await openUpload(database), 'tickets.csv', lines.join('\r\n'));
  const text = read(question.view.blocks);
  expect(text).toContain('3 values from tickets.csv');
  expect(text).toContain('The first line is “Ticket code, Name”');
  expect(text).toContain('1 barcode has characters that nobody sees, which stay part of it (line 3: ⟨U+200B⟩0012)');
  expect(text).toContain('1 barcode is there twice. The last line counts (line 5: 0013)');
  expect(text).toContain('What is beyond barcode, response and valid isn’t uploaded (line 6: left)');
  expect(await countIn(database)).toBe('0');
  await ada.submit(question, {});
  await seesWords(ada, 'Asked now has 3 values.');
  expect(await valueIn(database, '0013')).toContain('Cy');
});

test('a first line that the person says is a value is uploaded', async () => {
  const database = await newDatabase('First');
  const question = await askedAbout(await openUpload(database), 'first.csv', 'Ticket code,Name\n0012,Ann\n');
  await submitForm(ada, question, { 'upload.header': 'upload' });
  await seesWords(ada, 'First now has 2 values.');
  expect(await valueIn(database, 'Ticket code')).toContain('Name');
});

test('an .xlsx file that was exported and edited is compared with the database, and changes only what was edited', async () => {
  const database = await newDatabase('Edited');
  for (const [value, response] of [
    ['0012345', '=1+1'],
    ['0013', 'A'],
  ] as const) {
    await askAccount(testApp, 'databases', 'addvalue', { database_id: database, value, response, validity: '1' });
  }
  const rows = [
    ['Barcode', 'Valid', 'Response', 'Exact'],
    ['0012345', 'Yes', '=1+1', 'Yes'],
    ['0013', 'No', 'VIP', 'Yes'],
    ['0014', 'Yes', '', 'Not known'],
  ];
  const file = await writeXlsx({ sheets: [{ name: 'Values', rows }] });
  const question = await askedAbout(await openUpload(database), 'Edited.xlsx', file);
  expect(read(question.view.blocks)).toContain('1 new · 1 changed · 1 unchanged');
  await ada.submit(question, {});
  await seesWords(ada, 'Edited now has 3 values.');
  expect(await valueIn(database, '0012345')).toContain('<response>=1+1</response>');
  expect(await valueIn(database, '0013')).toContain('<value validity="0"><id>0013</id><response>VIP</response>');
});

test('an upload that is not confirmed sends nothing', async () => {
  const database = await newDatabase('Canceled');
  const before = (await auditOf(testApp)).length;
  const question = await askedAbout(await openUpload(database), 'canceled.csv', '0012,A\n');
  await ada.close(question);
  expect([await countIn(database), await uploadsSince(before)]).toEqual(['0', 0]);
});

test('a window that is closed while its file is checked sends nothing, and the person is told so', async () => {
  const database = await newDatabase('Closed');
  const form = await openUpload(database);
  await testApp.accountFaults({ next: [{ operation: 'databases/retrieve', times: 1, as: 'slow', delay_ms: 1_000 }] });
  await submitForm(ada, form, { csvfile: await giveFile(testApp, ada, 'closed.csv', '0012,A\n') });
  await ada.close((await ada.window())!);
  const told = 'closed.csv wasn’t uploaded: the window was closed while Scandesk checked it.';
  const isTold = async () =>
    [...(await ada.directMessages()), ...(await ada.messages())].some(({ blocks }) => read(blocks).includes(told));
  await eventually(async () => (await isTold()) || undefined, 'the message about the closed window');
  expect(await countIn(database)).toBe('0');
});

wideIt('an upload’s error at the account is shown with its line, and the file need not be chosen again', async () => {
  const database = await newDatabase('Broken');
  const form = await openUpload(database);
  // The second barcode is blank once the account has trimmed it.
  const question = await askedAbout(form, 'broken.csv', 'a,b,1\n" ",d,0\n');
  await ada.submit(question, {});
  const again = await seesWords(ada, 'The upload failed');
  const text = read(again.view.blocks);
  expect(text).toContain('Line 2');
  expect(text).toContain('broken.csv is already attached');
  expect(await countIn(database)).toBe('0');
  await submitForm(ada, again, {});
  const second = await ada.seesWindow('Upload these values?');
  await ada.submit(second, {});
  await seesWords(ada, 'Line 2');
  const fixed = (await ada.window())!;
  await ada.submit(await askedAbout(fixed, 'fixed.csv', 'a,b,1\nc,d,0\n'), {});
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

wideIt('a logo is sent with the barcode, and the barcode returns as a picture', async () => {
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
