import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestPage } from '../../../helpers/browser.js';
import { type Heard, type Json, modal, plain, textInput } from '../helpers.js';
import { control, option, type PageStage, setPageStage } from './page-stage.js';

let pages: PageStage;
/** One page a person, since opening one costs more than most tests; a test that leaves its page elsewhere opens its own. */
const shared = new Map<string, TestPage>();
let own: TestPage[] = [];
beforeAll(async () => {
  pages = await setPageStage();
});
afterAll(() => pages?.close());
beforeEach(() => {
  pages.stage.app.heard.length = 0;
  pages.stage.app.answer = () => ({});
});
afterEach(async () => {
  for (const one of own) await one.close();
  for (const as of ['U0ADA', 'U0MIA']) {
    const { stack } = await pages.stage.look('views', { as });
    const top = (stack as Json[]).at(-1);
    if (top) await pages.stage.person('close', { as, view_id: top.id, all: true });
  }
  const faults = [...shared.values(), ...own].flatMap((one) => one.faults.splice(0));
  own = [];
  expect(faults).toEqual([]);
});

const gate = 'C0FRONTGATE';
async function openOwn(as: string, options: Parameters<PageStage['openPage']>[1] = { channel: gate }) {
  const one = await pages.openPage(as, options);
  own.push(one);
  return one.page;
}
type Page = Awaited<ReturnType<typeof openOwn>>;

/** The person's page, in the channel of the front gate with nothing open. */
async function open(as = 'U0ADA'): Promise<Page> {
  const known = shared.get(as);
  if (!known) {
    const made = await pages.openPage(as, { channel: gate });
    shared.set(as, made);
    return made.page;
  }
  await expect.poll(() => known.page.locator('dialog:visible').count()).toBe(0);
  await known.page.click(`[data-channel="${gate}"]`);
  await known.page.fill('[data-test="composer"]', '');
  return known.page;
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill('[data-test="composer"]', text);
  await page.press('[data-test="composer"]', 'Enter');
}

const field = (blockId: string, actionId: string) => control(blockId, actionId, '[data-test="modal"]');
const lastMessage = (page: Page) => page.locator('.talk [data-test="message"]').last();

/** Opens a modal on the person's page, as the app would after a command. */
async function openModal(page: Page, view: Json): Promise<Json> {
  await say(page, '/barcode open');
  await expect.poll(() => pages.stage.app.heard.length).toBeGreaterThan(0);
  const { trigger_id } = pages.stage.app.heard.at(-1)!.form;
  pages.stage.app.heard.length = 0;
  const answer = await pages.stage.api('views.open', { trigger_id: trigger_id!, view });
  await page.waitForSelector('[data-test="modal"]');
  return answer.view as Json;
}

const submission = (): Heard | undefined => pages.stage.app.heard.find((one) => one.payload.type === 'view_submission');
const stateOf = (heard: Heard): Json => ((heard.payload.view as Json).state as Json).values as Json;

describe('the workspace', () => {
  it('the page of the simulated workspace shows the person, the channels and the open channel', async () => {
    const page = await open();
    expect(await page.textContent('[data-test="person-menu"]')).toContain('Ada Admin');
    expect(await page.getAttribute(`[data-channel="${gate}"]`, 'aria-current')).toBe('page');
    expect(await page.textContent('.head h2')).toContain('front-gate');
    expect(await page.locator('[data-test="channel"]').count()).toBeGreaterThan(2);
  });

  it('the page of the simulated workspace lets the reader switch to another person', async () => {
    const page = await openOwn('U0ADA');
    await page.click('[data-test="person-menu"]');
    await page.click('[data-test="person-option"][data-user="U0MIA"]');
    await page.waitForSelector('[data-test="person-menu"][data-user="U0MIA"]');
    expect(new URL(page.url()).searchParams.get('as')).toBe('U0MIA');
  });

  it('the page of the simulated workspace creates channels and adds the app', async () => {
    const page = await open();
    await page.click('[data-test="new-channel"]');
    await page.fill('[data-test="channel-name"]', 'lost-and-found');
    await page.click('[data-test="confirm-yes"]');
    await page.waitForSelector('.head h2:has-text("lost-and-found")');
    await page.click('[data-test="add-app"]');
    await page.waitForSelector('text=Scandesk is here');
  });

  it('the page of the simulated workspace fits the screen of a phone', async () => {
    const page = await openOwn('U0ADA', { channel: gate, width: 390, height: 844 });
    expect(await page.isVisible('[data-test="composer"]')).toBe(true);
    await page.click('[data-test="tab"][data-tab="channels"]');
    expect(await page.isVisible('[data-test="composer"]')).toBe(false);
    await page.click('[data-channel="C0STOCKROOM"]');
    await page.waitForSelector('.head h2:has-text("stock-room")');
    expect(await page.isVisible('[data-test="composer"]')).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});

describe('messages', () => {
  it('a message on the demo page is sent with Enter, and appears on another person’s page', async () => {
    const ada = await open();
    const mia = await open('U0MIA');
    await say(ada, 'Gates open <now> & *here*');
    await expect.poll(() => lastMessage(mia).textContent()).toContain('Gates open <now> & here');
    expect(await lastMessage(ada).getAttribute('data-user')).toBe('U0ADA');
    expect(await ada.inputValue('[data-test="composer"]')).toBe('');
  });

  it('messages on the demo page keep the line breaks made by Shift+Enter', async () => {
    const page = await open();
    await page.fill('[data-test="composer"]', 'one');
    await page.press('[data-test="composer"]', 'Shift+Enter');
    await page.keyboard.type('two');
    await page.press('[data-test="composer"]', 'Enter');
    await expect.poll(() => lastMessage(page).locator('.blocks').textContent()).toBe('one\ntwo');
  });

  it('a message for one person on the demo page is marked, and not shown to another person', async () => {
    const ada = await open();
    const mia = await open('U0MIA');
    pages.stage.app.answer = () => ({ body: { response_type: 'ephemeral', text: 'for you alone' } });
    await say(ada, '/barcode 1');
    await expect.poll(() => lastMessage(ada).textContent()).toContain('for you alone');
    expect(await lastMessage(ada).getAttribute('data-ephemeral')).toBe('true');
    expect(await lastMessage(ada).locator('[data-test="only-you"]').textContent()).toBe('Only visible to you');
    expect(await mia.textContent('body')).not.toContain('for you alone');
  });

  it('messages in a channel that is not open highlight the channel in the sidebar', async () => {
    const page = await open();
    await pages.stage.person('say', { as: 'U0MIA', channel: 'C0STOCKROOM', text: 'psst' });
    await page.waitForSelector('[data-channel="C0STOCKROOM"] .nav-dot');
    await page.click('[data-channel="C0STOCKROOM"]');
    await expect.poll(() => lastMessage(page).textContent()).toContain('psst');
    expect(await page.locator('[data-channel="C0STOCKROOM"] .nav-dot').count()).toBe(0);
  });

  it('messages on the demo page are answered in a thread at the side, and the channel counts the replies', async () => {
    const page = await open();
    await say(page, 'a question');
    await expect.poll(() => lastMessage(page).textContent()).toContain('a question');
    const ts = (await lastMessage(page).getAttribute('data-ts'))!;
    await lastMessage(page).hover();
    await lastMessage(page).locator('[data-test="reply"]').click();
    const thread = page.locator('[data-test="thread"]');
    const inThread = thread.locator('[data-test="message"]');
    const question = page.locator(`.talk [data-ts="${ts}"]`);
    await expect.poll(() => page.evaluate('document.activeElement.dataset.test')).toBe('thread-composer');
    await page.keyboard.type('an answer');
    await page.keyboard.press('Enter');
    await expect.poll(() => inThread.allTextContents()).toHaveLength(2);
    expect(await inThread.last().getAttribute('data-thread')).toBe(ts);
    await expect.poll(() => question.textContent()).toContain('1 reply');
    for (const text of ['two', 'three', 'four']) {
      await pages.stage.person('say', { as: 'U0MIA', channel: gate, text, thread_ts: ts });
    }
    await expect.poll(() => question.textContent()).toContain('4 replies');
    await expect.poll(() => inThread.last().textContent()).toContain('four');
    expect(await page.locator('.talk [data-test="message"]').last().getAttribute('data-ts')).toBe(ts);

    // Both are in view beside each other.
    const boxes = await Promise.all([question.boundingBox(), inThread.last().boundingBox()]);
    expect(boxes[0]!.x + boxes[0]!.width).toBeLessThanOrEqual(boxes[1]!.x);

    await page.keyboard.type('/barcode 1');
    await page.keyboard.press('Enter');
    await expect.poll(() => thread.locator('[data-test="notice"]').textContent()).toContain('do not work in threads');
    await page.keyboard.press('Escape');
    expect(await thread.isVisible()).toBe(false);
    await question.locator('[data-test="replies"]').click();
    await expect.poll(() => inThread.count()).toBe(5);
    await page.click('[data-channel="C0STOCKROOM"]');
    expect(await thread.isVisible()).toBe(false);
  });

  it('messages of one author in a row show the name once, and each message for one person is marked', async () => {
    const page = await open();
    await pages.stage.person('invite', { as: 'U0ADA', channel: gate, user: 'U0SCANDESK1' });
    await say(page, 'before the cards');
    const card = (text: string) => ({ text, blocks: [{ type: 'section', text: plain(text) }] });
    for (const text of ['card one', 'card two']) {
      await pages.stage.api('chat.postMessage', { channel: gate, ...card(text) });
    }
    for (const text of ['whisper one', 'whisper two']) {
      await pages.stage.api('chat.postEphemeral', { channel: gate, user: 'U0ADA', ...card(text) });
    }
    await expect.poll(() => lastMessage(page).textContent()).toContain('whisper two');
    const parts = await page
      .locator('.talk [data-test="message"]')
      .evaluateAll((all) =>
        all
          .slice(-4)
          .map((one) => [
            one.querySelector('header strong') !== null,
            one.querySelector('[data-test="only-you"]') !== null,
          ]),
      );
    expect(parts).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [false, true],
    ]);
  });

  it('the last message stays in view when one of its pictures has loaded', async () => {
    const page = await open();
    await pages.stage.person('invite', { as: 'U0ADA', channel: gate, user: 'U0SCANDESK1' });
    const tall = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
    await pages.stage.person('say', { as: 'U0MIA', channel: gate, text: tall });
    const png = Buffer.from(
      (await page.evaluate(
        "(() => { const c = document.createElement('canvas'); c.width = 200; c.height = 320; return c.toDataURL().split(',')[1]; })()",
      )) as string,
      'base64',
    );
    const promised = await pages.stage.api('files.getUploadURLExternal', { filename: 'a.png', length: png.length });
    await fetch(String(promised.upload_url), { method: 'POST', body: png });
    await pages.stage.api('files.completeUploadExternal', { files: [{ id: promised.file_id }] });
    pages.stage.clock.forward(1000);
    let arrive = (): void => undefined;
    const held = new Promise<void>((done) => {
      arrive = done;
    });
    await page.route('**/sandbox/file/**', async (route) => {
      await held;
      await route.continue();
    });
    const image = { type: 'image', alt_text: 'A code', slack_file: { id: promised.file_id } };
    expect(await pages.stage.api('chat.postMessage', { channel: gate, text: 'x', blocks: [image] })).toMatchObject({
      ok: true,
    });
    const picture = lastMessage(page).locator('img');
    await picture.waitFor({ state: 'attached' });
    arrive();
    await expect.poll(() => picture.evaluate((one) => one.clientHeight)).toBeGreaterThan(300);
    const below = () =>
      page.locator('.talk .messages').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(below).toBeLessThan(2);
    await page.unroute('**/sandbox/file/**');
  });

  it('a response to the reader’s own command is scrolled into view, to its beginning if it is long', async () => {
    const page = await open();
    const tall = Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\n');
    await pages.stage.person('say', { as: 'U0MIA', channel: gate, text: tall });
    const box = page.locator('.talk .messages');
    const inView = async () => {
      const [frame, last] = await Promise.all([box.boundingBox(), lastMessage(page).boundingBox()]);
      return last!.y >= frame!.y - 1 && last!.y < frame!.y + frame!.height;
    };
    for (const body of ['It is valid', tall]) {
      await expect.poll(() => lastMessage(page).textContent()).not.toBe('');
      await box.evaluate((one) => one.scrollTo(0, 0));
      await expect.poll(inView).toBe(false);
      pages.stage.app.answer = () => ({ body });
      await say(page, '/barcode 1');
      await expect.poll(() => lastMessage(page).textContent()).toContain(body.split('\n')[0]);
      await expect.poll(inView).toBe(true);
    }
  });

  it('a message that mentions the app reaches the app, or a notice says that the channel lacks the app', async () => {
    const page = await openOwn('U0ADA', { channel: 'C0STOCKROOM' });
    await say(page, '@Scandesk 0012345');
    await expect.poll(() => page.textContent('[data-test="notice"]')).toContain('Scandesk is not in this channel');
    expect(pages.stage.app.heard).toEqual([]);
    await page.click('[data-test="add-app"]');
    await page.waitForSelector('text=Scandesk is here');
    await say(page, '@Scandesk 0012345');
    const mentioned = () =>
      pages.stage.app.heard
        .map(({ payload }) => payload.event as Json | undefined)
        .find((event) => event !== undefined);
    await expect.poll(() => mentioned()?.type).toBe('app_mention');
    expect(String(mentioned()?.text)).toMatch(/^<@U0SCANDESK1(\|\w+)?> 0012345$/);
  });

  it('messages that the app changed are marked as edited, and keyboard focus stays on their buttons', async () => {
    const page = await open();
    await pages.stage.person('invite', { as: 'U0ADA', channel: gate, user: 'U0SCANDESK1' });
    const buttons = (label: string) => [
      { type: 'section', block_id: 's', text: { type: 'mrkdwn', text: label } },
      { type: 'actions', block_id: 'b', elements: [{ type: 'button', action_id: 'a', text: plain('Acknowledge') }] },
    ];
    const sent = await pages.stage.api('chat.postMessage', { channel: gate, text: 'x', blocks: buttons('before') });
    const button = `[data-ts="${sent.ts}"] [data-action-id="a"]`;
    await page.focus(button);
    await pages.stage.api('chat.update', { channel: gate, ts: String(sent.ts), text: 'x', blocks: buttons('after') });
    await page.waitForSelector(`[data-ts="${sent.ts}"] >> text=after`);
    expect(await page.locator(`[data-ts="${sent.ts}"] [data-test="edited"]`).count()).toBe(1);
    expect(await page.evaluate('document.activeElement.dataset.actionId')).toBe('a');
    await page.keyboard.press('Enter');
    await expect.poll(() => pages.stage.app.heard.find((one) => one.payload.type === 'block_actions')).toBeDefined();
  });
});

describe('when the connection breaks', () => {
  it('the demo page says when its connection breaks, reconnects by itself and shows a missed message', async () => {
    const { page, close } = await pages.openPage('U0ADA', { channel: gate });
    await pages.whileUnreachable(async () => {
      await page.waitForSelector('text=The workspace is not responding. Reconnecting');
      await pages.stage.person('say', { as: 'U0MIA', channel: gate, text: 'said in the dark' });
    });
    await page.waitForSelector('[data-test="message"] >> text=said in the dark');
    await expect.poll(() => page.isVisible('.offline')).toBe(false);
    await close();
    for (const other of shared.values()) {
      await expect.poll(() => other.page.isVisible('.offline')).toBe(false);
      other.faults.length = 0;
    }
  });
});

describe('slash commands', () => {
  it('slash commands are suggested once a slash is typed, and completed with Tab', async () => {
    const page = await open();
    await page.fill('[data-test="composer"]', '/');
    await page.waitForSelector('[data-test="suggestion"][data-command="/barcode"]');
    await page.press('[data-test="composer"]', 'Tab');
    expect(await page.inputValue('[data-test="composer"]')).toBe('/barcode ');
    expect(await page.locator('[data-test="suggestion"]:visible').count()).toBe(0);
  });

  it('slash commands reach the app exactly as typed', async () => {
    const page = await open();
    await say(page, '/barcode 00123  *x* `y` :100:');
    await expect.poll(() => pages.stage.app.heard.at(-1)?.form.text).toBe('00123  *x* `y` :100:');
  });

  it('slash commands that fail are reported, and are put back into the message box', async () => {
    const page = await open();
    pages.stage.app.answer = () => ({ status: 500 });
    await say(page, '/barcode 1');
    const notice = page.locator('.talk [data-test="notice"]');
    await expect.poll(() => notice.textContent()).toMatch(/\/barcode failed with the error "\w+"/);
    expect(await page.inputValue('[data-test="composer"]')).toBe('/barcode 1');
    pages.stage.app.answer = () => ({});
    await page.press('[data-test="composer"]', 'Enter');
    await expect.poll(() => notice.isVisible()).toBe(false);
  });

  it('unknown slash commands are reported to the person who typed them', async () => {
    const page = await open();
    await say(page, '/nonsense');
    await expect.poll(() => page.textContent('.talk [data-test="notice"]')).toContain('there is no such command');
  });
});

describe('a modal', () => {
  it('a modal on the demo page sends the app the entered text, choice and file as Slack does', async () => {
    const page = await open();
    const options = ['x', 'y'].map((value) => ({ text: plain(value), value }));
    await openModal(
      page,
      modal([
        textInput('key'),
        textInput('note', { optional: true }, { multiline: true }),
        {
          type: 'input',
          block_id: 'pick',
          label: plain('Pick'),
          element: { type: 'static_select', action_id: 'a', options },
        },
        {
          type: 'input',
          block_id: 'file',
          optional: true,
          label: plain('File'),
          element: { type: 'file_input', action_id: 'a' },
        },
      ]),
    );
    expect(await page.evaluate('document.activeElement.dataset.actionId')).toBe('value');
    await page.fill(field('key', 'value'), ' 00123 ');
    await page.click(field('pick', 'a'));
    await page.click(option('y'));
    const csv = join(tmpdir(), `scandesk-page-${process.pid}.csv`);
    writeFileSync(csv, 'A,1\n');
    await page.setInputFiles(field('file', 'a'), csv);
    await page.waitForSelector('[data-test="file"]');
    await page.click('[data-test="modal-submit"]');
    await expect.poll(() => page.locator('[data-test="modal"]:visible').count()).toBe(0);
    expect(stateOf(submission()!)).toMatchObject({
      key: { value: { type: 'plain_text_input', value: ' 00123 ' } },
      note: { value: { type: 'plain_text_input', value: null } },
      pick: { a: { type: 'static_select', selected_option: { value: 'y' } } },
      file: { a: { type: 'file_input', files: [{ name: `scandesk-page-${process.pid}.csv` }] } },
    });
  });

  it('a modal on the demo page shows missing inputs and the app’s errors under the fields', async () => {
    const page = await open();
    await openModal(page, modal([textInput('key')]));
    await page.click('[data-test="modal-submit"]');
    await page.waitForSelector('[data-block-id="key"] [data-test="field-error"]');
    expect(submission()).toBeUndefined();
    pages.stage.app.answer = () => ({
      body: { response_action: 'errors', errors: { key: 'The account refuses it.' } },
    });
    await page.fill(field('key', 'value'), 'wrong');
    await page.press(field('key', 'value'), 'Enter');
    await expect.poll(() => page.textContent('[data-test="field-error"]')).toBe('The account refuses it.');
    expect(await page.inputValue(field('key', 'value'))).toBe('wrong');
    expect(await page.evaluate('document.activeElement.dataset.actionId')).toBe('value');
  });

  it('a modal on the demo page keeps the typed text and its cursor while the app updates the modal', async () => {
    const page = await open();
    const view = await openModal(page, modal([textInput('key')]));
    await page.fill(field('key', 'value'), 'typing');
    await page.evaluate(`document.querySelector('${field('key', 'value')}').setSelectionRange(6, 6)`);
    const next = modal([
      { type: 'section', block_id: 'new', text: plain('More came.') },
      textInput('key'),
      textInput('b'),
    ]);
    await pages.stage.api('views.update', { view_id: String(view.id), view: next });
    await page.waitForSelector('text=More came.');
    await page.keyboard.type(' on');
    expect(await page.inputValue(field('key', 'value'))).toBe('typing on');
  });

  it('a modal on the demo page stays open with its values when the app’s response fails', async () => {
    const page = await open();
    await openModal(page, modal([textInput('key')]));
    pages.stage.app.answer = () => ({ status: 500 });
    await page.fill(field('key', 'value'), 'kept');
    await page.click('[data-test="modal-submit"]');
    await expect
      .poll(() => page.textContent('[data-test="modal"] [data-test="notice"]'))
      .toContain('was not submitted');
    expect(await page.inputValue(field('key', 'value'))).toBe('kept');
  });

  it('Escape closes only the top modal on the demo page, and the X closes all stacked modals', async () => {
    const page = await open();
    await openModal(page, modal([textInput('first')]));
    await page.fill(field('first', 'value'), 'below');
    const push = { response_action: 'push', view: modal([textInput('second')], { title: plain('On top') }) };
    pages.stage.app.answer = () => ({ body: push });
    await page.click('[data-test="modal-submit"]');
    await page.waitForSelector(field('second', 'value'));
    await page.keyboard.press('Escape');
    await page.waitForSelector(field('first', 'value'));
    expect(await page.inputValue(field('first', 'value'))).toBe('below');
    await page.click('[data-test="modal-submit"]');
    await page.waitForSelector(field('second', 'value'));
    await page.click('[data-test="modal-close"]');
    await expect.poll(() => page.locator('[data-test="modal"]:visible').count()).toBe(0);
  });

  it('a modal on the demo page offers the app’s options in an external select', async () => {
    const page = await open();
    const element = { type: 'external_select', action_id: 'a', min_query_length: 0 };
    await openModal(page, modal([{ type: 'input', block_id: 'ext', label: plain('Service'), element }]));
    pages.stage.app.answer = (heard) =>
      heard.payload.type === 'block_suggestion'
        ? { body: { options: [{ text: plain(`Gate ${String(heard.payload.value)}`), value: 'g' }] } }
        : {};
    await page.click(field('ext', 'a'));
    await page.waitForSelector(option('g'));
    await page.fill(field('ext', 'a'), 'nine');
    await page.waitForSelector(`${option('g')} >> text=Gate nine`);
    await page.click(option('g'));
    await page.click('[data-test="modal-submit"]');
    await expect.poll(submission).toBeDefined();
    expect(stateOf(submission()!)).toMatchObject({ ext: { a: { selected_option: { value: 'g' } } } });
  });

  it('a modal on the demo page asks for confirmation where the app requests it', async () => {
    const page = await open();
    const confirm = {
      title: plain('Delete?'),
      text: plain('12 values go.'),
      confirm: plain('Delete'),
      deny: plain('Keep'),
    };
    const button = { type: 'button', action_id: 'a', text: plain('Delete all'), style: 'danger', confirm };
    await openModal(page, modal([{ type: 'actions', block_id: 'b', elements: [button] }]));
    await page.click(field('b', 'a'));
    expect(await page.textContent('[data-test="confirm"]')).toContain('12 values go.');
    await page.click('[data-test="confirm-no"]');
    expect(pages.stage.app.heard).toEqual([]);
    await page.click(field('b', 'a'));
    await page.click('[data-test="confirm-yes"]');
    await expect.poll(() => pages.stage.app.heard.at(-1)?.payload.type).toBe('block_actions');
  });

  it('a modal on the demo page is open again after a reload', async () => {
    const page = await open();
    await openModal(page, modal([textInput('key', {}, { initial_value: 'still' })]));
    await page.reload();
    await page.waitForSelector('[data-test="modal"]');
    expect(await page.inputValue(field('key', 'value'))).toBe('still');
  });
});

describe('the app', () => {
  it('the app in the sidebar is one entry with Home and Messages, and is highlighted when it has posted', async () => {
    const page = await openOwn('U0MIA');
    await pages.stage.api('chat.postMessage', { channel: 'U0MIA', text: 'Psst, Mia' });
    const entry = page.locator('[data-test="app-home"]');
    await expect.poll(() => entry.locator('.nav-dot').count()).toBe(1);
    expect(await page.locator('.sidebar h2').allTextContents()).toEqual(['Channels', 'Apps', 'Workflows']);
    await entry.click();
    await expect.poll(() => lastMessage(page).textContent()).toContain('Psst, Mia');
    expect(await entry.locator('.nav-dot').count()).toBe(0);
    expect(await entry.getAttribute('aria-current')).toBe('page');
    await page.click('[data-test="app-tab"][data-tab="home"]');
    await page.waitForSelector('[data-test="home"]:visible');
    expect(await entry.getAttribute('aria-current')).toBe('page');
    await page.click('[data-test="app-tab"][data-tab="messages"]');
    await expect.poll(() => lastMessage(page).textContent()).toContain('Psst, Mia');
  });
});

describe('App Home', () => {
  it('App Home on the demo page tells the app that it was opened and draws the published view', async () => {
    const page = await open();
    await page.click('[data-test="app-home"]');
    await expect
      .poll(() => pages.stage.app.heard.some((one) => (one.payload.event as Json)?.type === 'app_home_opened'))
      .toBe(true);
    const button = { type: 'button', action_id: 'a', text: plain('Connect') };
    const blocks = [{ type: 'section', block_id: 'b', text: plain('Not connected yet'), accessory: button }];
    await pages.stage.api('views.publish', { user_id: 'U0ADA', view: { type: 'home', blocks } });
    await page.waitForSelector('[data-test="home"] >> text=Not connected yet');
    await page.click(control('b', 'a', '[data-test="home"]'));
    await expect.poll(() => pages.stage.app.heard.at(-1)?.payload.type).toBe('block_actions');
  });
});
