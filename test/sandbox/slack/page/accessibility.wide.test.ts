import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../helpers/axe.js';
import type { TestPage } from '../../../helpers/browser.js';
import { type Json, modal, plain, textInput } from '../helpers.js';
import { type PageStage, setPageStage } from './page-stage.js';

const gate = 'C0FRONTGATE';
const text = (words: string): Json => ({ type: 'mrkdwn', text: words });
const options = ['One', 'Two'].map((words) => ({ text: plain(words), value: words }));

/** A message of every kind of text and control: links, mentions, code, quotes, tables, menus, buttons of each style. */
const everything: Json[] = [
  { type: 'header', text: plain('Gate A') },
  {
    type: 'section',
    text: text('<https://example.com|A link>, <@U0ADA>, <#C0STOCKROOM>, <!here>, `code`, *bold*\n> said'),
    accessory: { type: 'overflow', action_id: 'more', options },
  },
  { type: 'context', elements: [text('Scanned <https://example.com/1|here> at 9')] },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'plain', text: plain('Look up') },
      { type: 'button', action_id: 'primary', text: plain('Share'), style: 'primary' },
      { type: 'button', action_id: 'danger', text: plain('Delete'), style: 'danger' },
      { type: 'static_select', action_id: 'pick', placeholder: plain('Pick one'), options },
    ],
  },
  {
    type: 'table',
    rows: [
      ['Barcode', 'Result'],
      ['0012345', 'Valid'],
    ].map((row) => row.map((cell) => ({ type: 'raw_text', text: cell }))),
  },
];

const input = (blockId: string, element: Json): Json => ({
  type: 'input',
  block_id: blockId,
  label: plain(`The ${blockId}`),
  hint: plain('A hint'),
  element: { action_id: 'a', ...element },
});
const form = modal([
  { type: 'section', text: text('*Settings* of <https://example.com|this relay>') },
  textInput('name', { hint: plain('As people say it') }, { placeholder: plain('Gate A') }),
  input('select', { type: 'static_select', options }),
  input('many', { type: 'multi_static_select', options, initial_options: options }),
  input('radio', { type: 'radio_buttons', options, initial_option: options[0] }),
  input('boxes', { type: 'checkboxes', options }),
  input('date', { type: 'datepicker' }),
  input('file', { type: 'file_input' }),
]);

let pages: PageStage;
let opened: TestPage;
beforeAll(async () => {
  pages = await setPageStage();
  await pages.stage.person('invite', { as: 'U0ADA', channel: gate, user: 'U0SCANDESK1' });
  await pages.stage.api('chat.postMessage', { channel: gate, text: 'x', blocks: everything });
  const asked = await pages.stage.api('chat.postMessage', { channel: gate, text: 'A thread <https://example.com>' });
  await pages.stage.person('say', { as: 'U0MIA', channel: gate, text: 'A reply', thread_ts: asked.ts });
  await pages.stage.api('chat.update', { channel: gate, ts: asked.ts, text: 'A thread, edited' });
  await pages.stage.api('reactions.add', { channel: gate, timestamp: asked.ts, name: 'eyes' });
  await pages.stage.api('chat.postEphemeral', { channel: gate, user: 'U0ADA', text: 'For your eyes' });
});
afterAll(() => pages?.close());
beforeEach(async () => {
  opened = await pages.openPage('U0ADA', { channel: gate });
});
afterEach(async () => {
  const { faults } = opened;
  await opened.close();
  const { stack } = await pages.stage.look('views', { as: 'U0ADA' });
  const top = (stack as Json[]).at(-1);
  if (top) await pages.stage.person('close', { as: 'U0ADA', view_id: top.id, all: true });
  expect(faults).toEqual([]);
});

async function openForm(): Promise<void> {
  await opened.page.fill('[data-test="composer"]', '/barcode open');
  await opened.page.press('[data-test="composer"]', 'Enter');
  await expect.poll(() => pages.stage.app.heard.at(-1)?.form.trigger_id).toBeDefined();
  const { trigger_id } = pages.stage.app.heard.at(-1)!.form;
  expect(await pages.stage.api('views.open', { trigger_id: trigger_id!, view: form })).toMatchObject({ ok: true });
  await opened.page.waitForSelector('[data-test="modal"]');
}

describe('the page, in light and dark, breaks no rule of axe', () => {
  it('the demo page breaks no rule of axe in a channel and with an open thread, light and dark', async () => {
    const { page } = opened;
    await expectAccessible(page);
    await page.click('[data-test="replies"]');
    await page.waitForSelector('[data-test="thread"]');
    await page.locator('[data-test="message"]').last().hover();
    await expectAccessible(page);
  });

  it('the demo page breaks no rule of axe in a form with errors and an open list, light and dark', async () => {
    await openForm();
    await expectAccessible(opened.page);
    await opened.page.click('[data-test="modal-submit"]');
    await opened.page.waitForSelector('[data-test="field-error"]:not(:empty)');
    await expectAccessible(opened.page);
    await opened.page.click('[data-block-id="select"] [data-action-id="a"]');
    await opened.page.waitForSelector('[data-test="option"]');
    await expectAccessible(opened.page);
  });

  it('the demo page breaks no rule of axe with its menus, confirmations and errors open, light and dark', async () => {
    const { page } = opened;
    await page.fill('[data-test="composer"]', '/');
    await page.waitForSelector('[data-test="suggestion"]');
    await expectAccessible(page);
    await page.fill('[data-test="composer"]', '/nonsense');
    await page.press('[data-test="composer"]', 'Enter');
    await page.waitForSelector('[data-test="notice"] >> text=there is no such command');
    await page.click('[data-test="person-menu"]');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.click('[data-test="new-channel"]');
    await page.waitForSelector('[data-test="confirm"]');
    await expectAccessible(page);
  });

  it('the demo page breaks no rule of axe at the scanner and in the app’s Home and Messages, light and dark', async () => {
    const { page } = opened;
    await page.click('[data-test="scanner-sample"]');
    await page.click('[data-test="scanner-scan"]');
    await page.waitForSelector('[data-test="scanner-result"]');
    await expectAccessible(page);
    await pages.stage.api('views.publish', {
      user_id: 'U0ADA',
      view: { type: 'home', blocks: everything.slice(0, 4) },
    });
    await page.click('[data-test="app-home"]');
    await page.waitForSelector('[data-test="home"] >> text=Gate A');
    await expectAccessible(page);
    await page.click('[data-test="app-tab"][data-tab="messages"]:enabled');
    await page.waitForSelector('[data-test="app-tab"][data-tab="messages"][aria-current]');
    await expectAccessible(page);
  });

  it.each(['chat', 'channels', 'scanner'])(
    'the demo page on a phone breaks no rule of axe in its tab %s (but for the main landmark outside chat)',
    async (tab) => {
      const phone = await pages.openPage('U0ADA', { channel: gate, width: 390, height: 844 });
      await phone.page.click(`[data-test="tab"][data-tab="${tab}"]`);
      // The other two tabs hide the conversation, which is the page's main landmark.
      await expectAccessible(phone.page, tab === 'chat' ? [] : ['landmark-one-main']);
      await phone.close();
    },
  );
});

describe('the page', () => {
  it('the demo page is dark where the person’s system is dark, and light elsewhere', async () => {
    const { page } = opened;
    const brightness = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      const [color, ground] = (await page.evaluate(
        '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor].map((one) => /\\d+/.exec(one)[0])',
      )) as string[];
      return Number(ground) - Number(color);
    };
    expect(await brightness('light')).toBeGreaterThan(128);
    expect(await brightness('dark')).toBeLessThan(-128);
  });

  it('the demo page marks links by an underline, not by color alone', async () => {
    const lines = (await opened.page.evaluate(
      `[...document.querySelectorAll('[data-test="message"] a')].map((one) => getComputedStyle(one).textDecorationLine)`,
    )) as string[];
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines)).toEqual(new Set(['underline']));
  });

  it('the demo page starts with focus in the message box, which names the suggested command to screen readers', async () => {
    const { page } = opened;
    expect(await page.evaluate('document.activeElement.dataset.test')).toBe('composer');
    await page.keyboard.type('/');
    await page.waitForSelector('[data-test="suggestion"]');
    const box = page.locator('[data-test="composer"]');
    expect(await box.getAttribute('aria-expanded')).toBeNull();
    expect(await box.getAttribute('aria-activedescendant')).toBe(
      await page.locator('[data-test="suggestion"][aria-selected="true"]').getAttribute('id'),
    );
  });

  it('the demo page has one first-level heading, and its headings skip no level', async () => {
    const { page } = opened;
    const levels = () =>
      page.evaluate(
        `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6, [role="heading"]')].map((one) => Number(one.ariaLevel ?? one.tagName[1]))`,
      ) as Promise<number[]>;
    const found = await levels();
    expect(found[0]).toBe(1);
    expect(found.filter((level) => level === 1)).toHaveLength(1);
    expect(found.filter((level, at) => level > (found[at - 1] ?? 0) + 1)).toEqual([]);
    expect(found).toContain(3);
  });

  it('the demo page’s first control skips the channels to the message box, or to Home', async () => {
    const { page } = opened;
    const focused = () => page.evaluate('document.activeElement.dataset.test ?? document.activeElement.tagName');
    await page.locator('button, a, input, select, textarea').first().focus();
    expect(await focused()).toBe('skip');
    expect(await page.locator('[data-test="skip"]').textContent()).toBe('Skip to the message box');
    expect(
      await page.evaluate(
        '[document.activeElement.clientWidth > 100, getComputedStyle(document.activeElement).clipPath]',
      ),
    ).toEqual([true, 'none']);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('composer');
    await page.click('[data-test="app-home"]');
    await page.waitForSelector('[data-test="home"]');
    await page.locator('[data-test="skip"]').focus();
    expect(await page.locator('[data-test="skip"]').textContent()).toBe('Skip to Home');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('home');
  });
});
