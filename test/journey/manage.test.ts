/** Runs the account from Slack in a browser, as an admin does, and is refused everything as a member. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../helpers/browser.js';
import { askAccount, connect, databaseIds, inAccount, onRecord } from '../slack/connected.js';
import { type Room, startRoom } from '../slack/room.js';

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
  /** The window on top, once it says this. */
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
  let room: Room;
  let browser: TestBrowser;
  let ada: Someone;
  let mia: Someone;

  beforeAll(async () => {
    [room, browser] = await Promise.all([startRoom(), launchBrowser()]);
    await connect(room.person('U0ADA'));
    const open = async (id: string) => {
      const { page } = await browser.open(`${room.slackUrl}/?as=${id}`, { width: 1280, height: 1000 });
      page.setDefaultTimeout(15_000);
      await page.waitForSelector('body[data-ready]');
      return someone(page);
    };
    [ada, mia] = await Promise.all([open('U0ADA'), open('U0MIA')]);
  });
  afterAll(async () => {
    await browser?.close();
    await room?.stop();
  });

  const refused = 'This needs a workspace admin, or somebody an admin has named.';

  /** What a member types to do the same, and is told. */
  async function memberIsRefused(typed: string): Promise<void> {
    const before = await mia.at('message').filter({ hasText: refused }).count();
    await mia.say(typed);
    await expect
      .poll(() => mia.at('message').filter({ hasText: refused }).count(), { timeout: 15_000 })
      .toBe(before + 1);
    expect(await mia.at('modal').last().isVisible()).toBe(false);
  }

  const newest = async () => (await onRecord(room))[0];

  it('creates a database', async () => {
    await memberIsRefused('/scandesk call databases create database_name=Mine');
    await ada.say('/scandesk databases');
    await ada.window('3 databases.');
    await ada.page.locator('[data-action-id="list.beside"]').click();
    await ada.window('Create a database');
    await ada.field('database_name').fill('Guest list');
    await ada.submit();
    await ada.window('Done: create a database.');
    await ada.page.keyboard.press('Escape');
    await ada.window(/4 databases\..*Guest list/s);
    await ada.closeAll();
    expect(await newest()).toMatchObject({ what: 'databases/create', who: 'U0ADA', outcome: 'ok' });
  });

  it('uploads 10,000 rows into it, and says how far it is', async () => {
    const id = (await databaseIds(room))['Guest list']!;
    await memberIsRefused(`/scandesk call databases upload database_id=${id}`);
    const said: string[] = [];
    await ada.page.exposeFunction('modalSays', (text: string) => said.push(text));
    // As text: this file knows nothing of the browser's own names.
    await ada.page.evaluate(`new MutationObserver(() =>
      modalSays(document.querySelector('[data-test=modal]')?.textContent ?? ''),
    ).observe(document.body, { childList: true, subtree: true, characterData: true })`);
    await ada.say('/scandesk databases guest');
    await ada.window('Guest list');
    await ada.menu('Guest list', 'Upload a CSV file');
    const form = await ada.window('Upload values');
    expect(await form.textContent()).toContain('Guest list');
    const input = form.locator('[data-block-id="v.csvfile"] input[type=file]');
    await input.setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await form.locator('[data-test=file]').waitFor();
    await ada.submit();
    await ada.window('Guest list holds 10,000 values now.');
    expect(said.some((text) => /guests\.csv/.test(text) && /Uploading|is with the account/.test(text))).toBe(true);
    await ada.page.keyboard.press('Escape');
    await ada.window(/Guest list.*10,000 values/s);
    await ada.closeAll();
    expect(await inAccount(room, id, '00000042')).toEqual({ valid: true, response: 'Guest 42, "table" 2' });
  });

  it('creates a service that checks against it', async () => {
    await memberIsRefused('/scandesk call services create validation_method=record');
    await ada.say('/scandesk services');
    await ada.window('7 services.');
    await ada.page.locator('[data-action-id="list.beside"]').click();
    await ada.window('Create a service');
    await ada.pick('validation_method', 'Check against a database');
    await ada.field('service_name').fill('Dinner door');
    await ada.pick('database_id', 'Guest list');
    await ada.submit();
    await ada.window('Done: create a service.');
    await ada.page.keyboard.press('Escape');
    await ada.window(/8 services\..*Dinner door/s);
    await ada.closeAll();
    expect(await askAccount(room, 'services', 'retrieve')).toMatch(/<name>Dinner door<\/name>/);
  });

  it('attaches a question to it', async () => {
    await memberIsRefused('/scandesk call services addquestion service_id=1201 question_id=381');
    await ada.say('/scandesk services dinner');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'Ask questions');
    const form = await ada.window('Ask at a service');
    expect(await form.textContent()).toContain('Dinner door');
    await ada.pick('question_id', 'Wristband handed out?');
    await ada.page.keyboard.press('Tab');
    await ada.submit();
    await ada.window('Done: ask at a service.');
    await ada.page.keyboard.press('Escape');
    await ada.window(/Dinner door.*0 users.*1 question/s);
    await ada.closeAll();
  });

  it('lets a user use it', async () => {
    await memberIsRefused('/scandesk call services adduserpermission service_id=1201 user_id=701');
    await ada.say('/scandesk services dinner');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'Authorise users');
    await ada.window('Let users use a service');
    await ada.pick('user_id', 'mara.gate');
    await ada.page.keyboard.press('Tab');
    await ada.submit();
    await ada.window('Done: let users use a service.');
    await ada.page.keyboard.press('Escape');
    await ada.window(/Dinner door.*1 user.*1 question/s);
    await ada.closeAll();
  });

  it('fixes a response from the card of a barcode, and takes it back', async () => {
    const id = (await databaseIds(room))['Guest list']!;
    await mia.say('/barcode 00000042');
    const member = mia.at('message').filter({ hasText: 'Guest 42' }).last();
    await member.waitFor();
    expect(await member.locator('[data-action-id="lookup.change"]').count()).toBe(0);
    await memberIsRefused(`/scandesk call databases editvalue database_id=${id} value=00000042 response=x`);

    await ada.say('/barcode 00000042');
    const card = ada.at('message').filter({ hasText: 'Barcode 00000042' }).last();
    await card.locator('[data-action-id="lookup.change"]').click();
    await ada.page.locator('[data-test=option]').filter({ hasText: 'Edit response' }).click();
    const form = await ada.window('Edit response');
    const response = form.locator('[data-action-id="lookup.edit.response"]');
    expect(await response.inputValue()).toBe('Guest 42, "table" 2');
    await response.fill('Guest 42, <window> table');
    await ada.submit();
    await ada.window('Saved in Guest list.');
    await ada.closeAll();
    await card.filter({ hasText: 'changed the response in Guest list' }).waitFor();
    expect(await card.textContent()).toContain('Guest 42, <window> table');
    await card.locator('[data-action-id="lookup.undo"]').click();
    await card.filter({ hasText: 'undid a change in Guest list' }).waitFor();
    expect(await inAccount(room, id, '00000042')).toEqual({ valid: true, response: 'Guest 42, "table" 2' });
  });

  it('deletes it, once it is asked again and told what goes', async () => {
    await memberIsRefused('/scandesk call services delete service_id=1201');
    await ada.say('/scandesk services dinner');
    await ada.window('Dinner door');
    await ada.menu('Dinner door', 'More…');
    const more = await ada.window('Delete it');
    await more.locator('button', { hasText: 'Delete it' }).click();
    const question = await ada.window('Delete services?');
    expect(await question.textContent()).toMatch(/Dinner door.*0 scans.*1 user.*1 question/s);
    await ada.at('modal').last().locator('[data-test=modal-cancel]').click();
    expect(await askAccount(room, 'services', 'retrieve')).toContain('Dinner door');
    await more.locator('button', { hasText: 'Delete it' }).click();
    await ada.window('Delete services?');
    await ada.submit();
    await ada.window('Done: delete services.');
    await ada.closeAll();
    expect(await askAccount(room, 'services', 'retrieve')).not.toContain('Dinner door');
    expect(await newest()).toMatchObject({ what: 'services/delete', who: 'U0ADA', where: 'C0GENERAL', outcome: 'ok' });
  });

  it('finds all of it on record, and a member none of it', async () => {
    await memberIsRefused('/scandesk audit');
    await ada.say('/scandesk audit');
    const record = await ada.window('Who changed what');
    await record.filter({ hasText: 'Delete services' }).waitFor();
    const text = (await record.textContent()) ?? '';
    for (const done of [
      'Let users use a service',
      'Ask at a service',
      'Create a service',
      'Upload values',
      'Create a database',
    ]) {
      expect(text).toContain(done);
    }
    expect((await onRecord(room)).every(({ who }) => who === 'U0ADA')).toBe(true);
  });
});
