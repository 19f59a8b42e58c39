/** Runs the account from Slack in a browser, as an admin does, and is refused everything as a member. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { askAccount, connect, databaseIds, inAccount, onRecord } from '../slack/connected.js';
import { startTestApp, type TestApp } from '../slack/test-app.js';

/** A valid ticket of the sample data. */
const ticket = 'HLF-000004';

const rows = 10_000;

/** A list of guests: quotes, commas, and leading zeros among them. */
const csv = Array.from(
  { length: rows },
  (_, n) => `${String(n).padStart(8, '0')},"Guest ${n}, ""table"" ${n % 40}",1`,
).join('\n');

interface Someone {
  readonly page: Page;
  at(name: string): Locator;
  say(text: string): Promise<void>;
  /** The window on top, once it has these words. */
  window(words: string | RegExp): Promise<Locator>;
  /** The control of a variable in the form on top. */
  field(variable: string): Locator;
  pick(variable: string, words: string): Promise<void>;
  submit(): Promise<void>;
  closeAll(): Promise<void>;
  /** In the list on top: chooses from the menu of the item. */
  menu(item: string, words: string): Promise<void>;
}

function someone(page: Page): Someone {
  const at = (name: string) => page.locator(`[data-test=${name}]`);
  const top = () => at('modal').last();
  const field = (variable: string) => top().locator(`[data-block-id="v.${variable}"] [data-action-id]`).first();
  return {
    page,
    at,
    field,
    async say(text) {
      await at('composer').fill(text);
      await at('send').click();
    },
    async window(words) {
      const found = at('modal').filter({ hasText: words }).last();
      await found.waitFor();
      return found;
    },
    async pick(variable, words) {
      await field(variable).click();
      await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
    },
    submit: () => top().locator('[data-test=modal-submit]').click(),
    async closeAll() {
      while (await at('modal').first().isVisible()) {
        await page.keyboard.press('Escape');
        await page.waitForTimeout(100);
      }
    },
    async menu(item, words) {
      const row = top().locator('[data-block-id^="list.row."]').filter({ hasText: item }).first();
      await row.locator('[data-action-id="list.menu"]').click();
      await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
    },
  };
}

describe('the account, managed from Slack in a browser', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const refused = 'Only workspace admins and people with access can do this.';

  /** A story has a workspace and pages of its own: told once more, it begins at the beginning. */
  async function stage(onTestFinished: (end: () => Promise<void>) => void) {
    const testApp: TestApp = await startTestApp();
    onTestFinished(() => testApp.stop());
    await connect(testApp.person('U0ADA'));
    const open = async (id: string) => {
      const opened = await browser.open(`${testApp.slackUrl}/?as=${id}`, { width: 1280, height: 1000 });
      onTestFinished(() => opened.close());
      opened.page.setDefaultTimeout(30_000);
      await opened.page.waitForSelector('body[data-ready]');
      return someone(opened.page);
    };
    const [ada, mia] = await Promise.all([open('U0ADA'), open('U0MIA')]);
    return {
      testApp,
      ada,
      mia,
      newest: async () => (await onRecord(testApp))[0],
      /** What a member types to do the same, and is told. */
      async memberIsRefused(typed: string): Promise<void> {
        const before = await mia.at('message').filter({ hasText: refused }).count();
        await mia.say(typed);
        await expect.poll(() => mia.at('message').filter({ hasText: refused }).count()).toBe(before + 1);
        expect(await mia.at('modal').last().isVisible()).toBe(false);
      },
    };
  }

  it('an admin manages the account from Slack in a browser, and a member is refused each time', async ({
    onTestFinished,
  }) => {
    const { testApp, ada, newest, memberIsRefused } = await stage(onTestFinished);

    // Creates a database.
    await memberIsRefused('/scandesk call databases create database_name=Mine');
    await ada.say('/scandesk databases');
    await ada.window('3 databases.');
    await ada.page.locator('[data-action-id="list.beside"]').click();
    await ada.window('Create a database');
    await ada.field('database_name').fill('Guest list');
    await ada.submit();
    await ada.window(/Created the database Guest list \(ID \d+\)\..*4 databases\..*Guest list/s);
    await ada.closeAll();
    expect(await newest()).toMatchObject({ what: 'databases/create', who: 'U0ADA', outcome: 'ok' });

    // Uploads 10,000 rows into the database, and sees how far the upload is.
    const id = (await databaseIds(testApp))['Guest list']!;
    await memberIsRefused(`/scandesk call databases upload database_id=${id}`);
    // The account takes its time over the file: what the window says meanwhile can be read.
    await testApp.accountFaults({ next: [{ operation: 'databases/upload', times: 1, as: 'slow', delay_ms: 4_000 }] });
    await ada.say('/scandesk databases guest');
    await ada.window('Guest list');
    await ada.menu('Guest list', 'Upload a spreadsheet');
    const form = await ada.window('Upload a spreadsheet');
    await expectAccessible(ada.page);
    expect(await form.textContent()).toContain('Guest list');
    const input = form.locator('[data-block-id="v.csvfile"] input[type=file]');
    await input.setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await form.locator('[data-test=file]').waitFor();
    await ada.submit();
    const summary = await ada.window('Upload these values?');
    await expectAccessible(ada.page);
    expect(await summary.textContent()).toContain('10,000 new');
    await ada.submit();
    await ada.window('Uploading guests.csv. The account is importing it…');
    await ada.window(/Guest list now has 10,000 values\..*Guest list\s*10,000 values/s);
    await ada.closeAll();
    expect(await inAccount(testApp, id, '00000042')).toEqual({ valid: true, response: 'Guest 42, "table" 2' });

    // Creates a service that checks against the database.
    await memberIsRefused('/scandesk call services create validation_method=record');
    await ada.say('/scandesk services');
    await ada.window('7 services.');
    await expectAccessible(ada.page);
    await ada.page.locator('[data-action-id="list.beside"]').click();
    await ada.window('Create a service');
    await ada.pick('validation_method', 'Validate against a database');
    await ada.field('service_name').fill('Dinner door');
    await ada.pick('database_id', 'Guest list');
    await ada.submit();
    await ada.window(/Created the service .* \(ID \d+\)\..*8 services\..*Dinner door/s);
    await ada.closeAll();
    expect(await askAccount(testApp, 'services', 'retrieve')).toMatch(/<name>Dinner door<\/name>/);

    // Attaches a question to the service.
    await memberIsRefused('/scandesk call services addquestion service_id=1201 question_id=381');
    await ada.say('/scandesk services dinner');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'Add questions');
    const asking = await ada.window('Add questions');
    expect(await asking.textContent()).toContain('Dinner door');
    await ada.pick('question_id', 'Wristband handed out?');
    await ada.page.keyboard.press('Tab');
    await ada.submit();
    await ada.window(/Added the question .* to the service .*Dinner door.*0 users.*1 question/s);
    await ada.closeAll();

    // Lets a user use the service.
    await memberIsRefused('/scandesk call services adduserpermission service_id=1201 user_id=701');
    await ada.say('/scandesk services dinner');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'Give users access');
    await ada.window('Give users access');
    await ada.pick('user_id', 'mara.gate');
    await ada.page.keyboard.press('Tab');
    await ada.submit();
    await ada.window(/Gave .* access to .*Dinner door.*1 user.*1 question/s);
    await ada.closeAll();

    // Deletes the service, after a confirmation that says what goes with it.
    await memberIsRefused('/scandesk call services delete service_id=1201');
    await ada.say('/scandesk services dinner');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'More actions…');
    const more = await ada.window('More actions');
    await more.locator('button', { hasText: 'Delete' }).click();
    const question = await ada.window('Delete this service?');
    await expectAccessible(ada.page);
    expect(await question.textContent()).toMatch(/Dinner door.*0 scans.*1 user.*1 question/s);
    await ada.at('modal').last().locator('[data-test=modal-cancel]').click();
    expect(await askAccount(testApp, 'services', 'retrieve')).toContain('Dinner door');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'More actions…');
    await ada.window('More actions');
    await more.locator('button', { hasText: 'Delete' }).click();
    await ada.window('Delete this service?');
    await ada.submit();
    await ada.window(/Deleted the service .*No service matches “dinner”/s);
    await ada.closeAll();
    expect(await askAccount(testApp, 'services', 'retrieve')).not.toContain('Dinner door');
    expect(await newest()).toMatchObject({ what: 'services/delete', who: 'U0ADA', where: 'C0GENERAL', outcome: 'ok' });

    // Finds all changes in the audit log, and a member finds none.
    await memberIsRefused('/scandesk audit');
    await ada.say('/scandesk audit');
    const record = await ada.window('Audit log');
    await record.filter({ hasText: 'Delete services' }).waitFor();
    await expectAccessible(ada.page);
    const text = (await record.textContent()) ?? '';
    for (const done of [
      'Give users access',
      'Add questions',
      'Create a service',
      'Upload a spreadsheet',
      'Create a database',
    ]) {
      expect(text).toContain(done);
    }
    expect((await onRecord(testApp)).every(({ who }) => who === 'U0ADA')).toBe(true);
  }, 240_000);

  it('an admin edits a response from a card in a browser, and undoes the change', async ({ onTestFinished }) => {
    const { testApp, ada, mia, memberIsRefused } = await stage(onTestFinished);
    const database = 'Harbour Lights Festival tickets';
    const id = (await databaseIds(testApp))[database]!;
    const { response: before } = (await inAccount(testApp, id, ticket))!;
    await mia.say(`/barcode ${ticket}`);
    const member = mia.at('message').filter({ hasText: before }).last();
    await member.waitFor();
    expect(await member.locator('[data-action-id="lookup.change"]').count()).toBe(0);
    await memberIsRefused(`/scandesk call databases editvalue database_id=${id} value=${ticket} response=x`);

    await ada.say(`/barcode ${ticket}`);
    const card = ada.at('message').filter({ hasText: ticket }).last();
    await card.locator('[data-action-id="lookup.change"]').click();
    await ada.page.locator('[data-test=option]').filter({ hasText: 'Edit response' }).click();
    const form = await ada.window('Edit response');
    const response = form.locator('[data-action-id="lookup.edit.response"]');
    expect(await response.inputValue()).toBe(before);
    await response.fill('Guest 42, <window> table');
    await ada.submit();
    await ada.window(`Saved in ${database}.`);
    await ada.closeAll();
    await card.filter({ hasText: `changed the response in ${database}` }).waitFor();
    expect(await card.textContent()).toContain('Guest 42, <window> table');
    await card.locator('[data-action-id="lookup.undo"]').click();
    await card.filter({ hasText: `undid a change in ${database}` }).waitFor();
    expect(await inAccount(testApp, id, ticket)).toEqual({ valid: true, response: before });
  }, 120_000);
});
