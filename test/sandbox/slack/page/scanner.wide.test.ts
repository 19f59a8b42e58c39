import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScannerState } from '../../../../src/sandbox/codereadr/api.js';
import type { TestPage } from '../../../helpers/browser.js';
import { type Json, modal, plain, textInput } from '../helpers.js';
import { type PageStage, setPageStage } from './page-stage.js';

let pages: PageStage;
let receiver: Server;
let posts: URLSearchParams[] = [];
/** What the service's URL answers. */
let answer = '';
let opened: TestPage;
const service = { database: '', postback: '' };

const xml = (status: number, text: string, more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><xml><message><status>${status}</status><text>${text}</text></message>${more}</xml>`;
const receiverUrl = (path = '/scans/id/secret') =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

async function accountCall(fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ api_key: pages.account.keys.demo, ...fields });
  return (await fetch(`${pages.url}/account/api/`, { method: 'POST', body })).text();
}

async function accountState(): Promise<ScannerState> {
  return (await (await fetch(`${pages.url}/account/scanner/state`)).json()) as ScannerState;
}

beforeAll(async () => {
  pages = await setPageStage();
  receiver = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    let raw = '';
    req.on('data', (part: Buffer) => {
      raw += part.toString('utf8');
    });
    req.on('end', () => {
      posts.push(new URLSearchParams(raw));
      if (answer === '') req.socket.destroy();
      else res.writeHead(200, { 'content-type': 'text/xml' }).end(answer);
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const state = await accountState();
  service.database = state.services.find((one) => one.validation_method === 'database')!.id;
  const made = await accountCall({
    section: 'services',
    action: 'create',
    validation_method: 'postback',
    service_name: 'Straight to the URL',
    enable_direct_scan: '1',
    postback_url: receiverUrl(),
  });
  service.postback = /<id>(\d+)<\/id>/.exec(made)![1]!;
  for (const { id } of state.users) {
    await accountCall({ section: 'services', action: 'adduserpermission', service_id: service.postback, user_id: id });
    await accountCall({ section: 'services', action: 'adduserpermission', service_id: service.database, user_id: id });
  }
  opened = await pages.openPage('U0ADA');
});
afterAll(async () => {
  await pages?.close();
  await new Promise<void>((done) => receiver.close(() => done()));
});
afterEach(() => {
  posts = [];
  expect(opened.faults.splice(0)).toEqual([]);
});

/** The scanner at that service, with the result of the last scan still on it. */
async function open(serviceId: string) {
  await opened.page.selectOption('[data-test="scanner-service"]', serviceId);
  return opened.page;
}
type Page = Awaited<ReturnType<typeof open>>;

async function scan(page: Page, value: string): Promise<void> {
  await page.fill('[data-test="scanner-value"]', value);
  await page.click('[data-test="scanner-scan"]');
}
const result = (page: Page) => page.locator('[data-test="scanner-result"]');

describe('the scanner', () => {
  it('the scanner on the demo page shows a valid result, with the barcode unchanged and the URL’s secret hidden', async () => {
    const page = await open(service.postback);
    answer = xml(1, 'Welcome &amp; enjoy');
    await scan(page, '  00123 <b>');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('valid');
    expect(await page.textContent('[data-test="scanner-text"]')).toBe('Welcome & enjoy');
    expect(await page.textContent('[data-test="scanner-barcode"]')).toBe('  00123 <b>');
    expect(posts.at(-1)?.get('tid')).toBe('  00123 <b>');
    expect(await page.textContent('[data-test="scanner-posted"] summary')).toContain('status 200');
    expect(await page.textContent('body')).not.toContain('/scans/id/secret');
  });

  it('the scanner on the demo page marks a result that is not valid, and shows its text', async () => {
    const page = await open(service.postback);
    answer = xml(0, 'Already used');
    await scan(page, '1');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('invalid');
    expect(await page.textContent('[data-test="scanner-text"]')).toBe('Already used');
  });

  it.each([
    [1, 'Valid'],
    [0, 'Invalid'],
  ])(
    'the scanner shows a response’s own title, and beside the title the status %i as the word %s',
    async (status, word) => {
      const page = await open(service.postback);
      const title = '<scan_display_config>{"status_title_default":"Gate 7"}</scan_display_config>';
      answer = xml(status, `Row ${status}`, title);
      await scan(page, '1');
      await expect.poll(() => page.textContent('[data-test="scanner-text"]')).toBe(`Row ${status}`);
      expect(await page.textContent('[data-test="scanner-title"]')).toBe('Gate 7');
      expect(await result(page).locator('.result-word').textContent()).toBe(word);
      answer = xml(status, 'Plain');
      await scan(page, '1');
      await expect.poll(() => page.textContent('[data-test="scanner-title"]')).toBe(word);
      expect(await result(page).locator('.result-word').count()).toBe(0);
    },
  );

  it('the scanner keeps a scan that got no response, and sends the scan with Upload', async () => {
    const page = await open(service.postback);
    answer = '';
    await scan(page, 'kept-1');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('kept');
    await page.waitForSelector('[data-test="scanner-kept"][data-count="1"]');
    answer = xml(1, 'Late but there');
    await page.click('[data-test="scanner-upload"]');
    await expect.poll(() => page.textContent('[data-test="scanner-uploaded"]')).toBe('1 uploaded.');
    await expect.poll(() => page.locator('[data-test="scanner-kept"]').count()).toBe(0);
    expect(posts.at(-1)?.get('tid')).toBe('kept-1');
  });

  it('the scanner shows the text of a page response and does not run its scripts', async () => {
    const page = await open(service.postback);
    answer = xml(
      1,
      '<![CDATA[<html><h1>Hello</h1><script>window.hacked=1</script><img src=x onerror="window.hacked=1"></html>]]>',
    );
    await scan(page, '1');
    await expect.poll(() => page.getAttribute('[data-test="scanner-text"]', 'data-as')).toBe('page');
    expect(await page.textContent('[data-test="scanner-text"]')).toContain('Hello');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  it('the scanner asks the question in a response, and sends the answer', async () => {
    const page = await open(service.postback);
    answer = xml(
      1,
      'Come in',
      '<scanid>77</scanid><question id="9" type="option" condition="post_submit"><text>Coat?</text><answer id="1">Yes</answer><answer id="2">No</answer></question>',
    );
    await scan(page, '1');
    await page.selectOption('[data-test="scanner-answer"][data-question="9"]', 'No');
    answer = xml(1, 'Thank you');
    await page.click('[data-test="scanner-send-answers"]');
    await expect.poll(() => page.textContent('[data-test="scanner-text"]')).toBe('Thank you');
    expect(posts.at(-1)?.get('answers[9]')).toBe('No');
    expect(posts.at(-1)?.get('scanid')).toBe('77');
  });

  it('the scanner offers a sample barcode marked as not valid, and the sample’s scan is not valid', async () => {
    const page = await open(service.database);
    const sample = page.locator('[data-test="scanner-sample"]', { hasText: 'not valid' });
    const value = await sample.getAttribute('data-value');
    await sample.click();
    expect(await page.inputValue('[data-test="scanner-value"]')).toBe(value);
    await page.keyboard.press('Enter');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('invalid');
  });

  it('the scanner asks for a barcode if its field is empty, and moves focus to the field', async () => {
    const page = await open(service.database);
    await page.fill('[data-test="scanner-value"]', '');
    await page.click('[data-test="scanner-scan"]');
    await page.waitForSelector('text=Enter a barcode first');
    expect(await page.evaluate('document.activeElement.dataset.test')).toBe('scanner-value');
  });

  it('the scanner lets the person set a service’s URL, and shows an error if the account refuses the URL', async () => {
    const page = await open(service.database);
    await page.click('[data-test="scanner-url-edit"]');
    await page.fill('[data-test="scanner-url"]', 'ftp://nowhere');
    await page.click('[data-test="scanner-url-save"]');
    await page.waitForSelector('.service-url .field-error:not(:empty)');
    await page.fill('[data-test="scanner-url"]', receiverUrl());
    await page.click('[data-test="scanner-url-save"]');
    await page.waitForSelector('[data-test="scanner-url-edit"]:has-text("Edit")');
    answer = xml(1, 'ignored: receiver only');
    await scan(page, 'NOT-ON-THE-LIST');
    await expect.poll(() => posts.at(-1)?.get('tid')).toBe('NOT-ON-THE-LIST');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('invalid');
  });
});

describe('the first minute', () => {
  const done = (page: Page) =>
    page.locator('[data-test="guide-step"].done').evaluateAll((steps) => steps.map((step) => step.dataset.step));
  const say = async (page: Page, text: string) => {
    await page.fill('[data-test="composer"]', text);
    await page.press('[data-test="composer"]', 'Enter');
  };
  const commandSent = async () => {
    await expect.poll(() => pages.stage.app.heard.length).toBeGreaterThan(0);
    return pages.stage.app.heard.pop()!.form;
  };
  const button = (actionId: string) => ({
    type: 'actions',
    elements: [{ type: 'button', action_id: actionId, text: plain('Do it') }],
  });

  // They come first: whoever looks, the guide knows what the workspace has done.
  it('the guide’s API key can be copied and pasted by keyboard while a modal is open', async () => {
    const own = await pages.openPage('U0MIA');
    const { page } = own;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    pages.stage.app.heard.length = 0;
    await say(page, '/barcode open');
    const { trigger_id } = await commandSent();
    await pages.stage.api('views.open', { trigger_id: trigger_id!, view: modal([textInput('key')]) });
    await expect.poll(() => page.evaluate('document.activeElement.dataset.actionId')).toBe('value');
    expect(await page.textContent('[data-test="guide-key"]')).toBe(pages.account.keys.demo);
    const passed: unknown[] = [];
    while (passed.at(-1) !== 'guide-copy' && passed.length < 6) {
      await page.keyboard.press('Tab');
      passed.push(await page.evaluate('document.activeElement.dataset.test'));
    }
    expect(passed.at(-1)).toBe('guide-copy');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-test="guide-copy"] >> text=Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(pages.account.keys.demo);
    expect(await page.locator('[data-test="composer"]').evaluate((box) => box.closest('[inert]') !== null)).toBe(true);
    await page.focus('[data-test="modal"] [data-action-id="value"]');
    await page.keyboard.press('Control+V');
    expect(await page.inputValue('[data-test="modal"] [data-action-id="value"]')).toBe(pages.account.keys.demo);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.test')).toBe('composer');
    await own.close();
  });

  it('the guide on a phone is within the chat, and hides its later steps until the guide is expanded', async () => {
    const { page, close } = await pages.openPage('U0MIA', { width: 390, height: 844 });
    expect(await page.isVisible('[data-test="guide-key"]')).toBe(true);
    expect(await page.isVisible('[data-test="guide"] [data-step="relay"]')).toBe(false);
    await page.click('[data-test="guide-toggle"]');
    expect(await page.isVisible('[data-test="guide"] [data-step="relay"]')).toBe(true);
    await page.click('[data-test="guide-toggle"]');
    await page.click('[data-test="guide-command"]:visible');
    expect(await page.inputValue('[data-test="composer"]')).toBe('/scandesk connect');
    expect(await page.isVisible('[data-test="composer"]')).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await close();
  });

  it('the guide checks off a step when the step has succeeded, not when its window opens', async () => {
    const page = await open(service.database);
    pages.stage.app.heard.length = 0;
    await page.locator('[data-step="connect"] [data-test="guide-command"]').click();
    expect(await page.inputValue('[data-test="composer"]')).toBe('/scandesk connect');

    // An open form for the API key is no success yet; the form for the databases is.
    await say(page, '/barcode open');
    const { trigger_id } = await commandSent();
    const view = modal([textInput('key')], { callback_id: 'connect' });
    const { view: opened } = (await pages.stage.api('views.open', { trigger_id: trigger_id!, view })) as { view: Json };
    await page.waitForSelector('[data-test="modal"]');
    await expect.poll(() => done(page)).toEqual([]);
    const chosen = modal([textInput('which')], { callback_id: 'connect.databases' });
    await pages.stage.api('views.update', { view_id: opened.id, view: chosen });
    await expect.poll(() => done(page)).toEqual(['connect']);
    await page.keyboard.press('Escape');

    // A response that only offers to try again is no card.
    await page.locator('[data-step="lookup"] [data-test="guide-command"]').click();
    expect(await page.inputValue('[data-test="composer"]')).toBe('/barcode 0012345');
    pages.stage.app.answer = () => ({ body: { text: 'No', blocks: [button('lookup.again')] } });
    await page.press('[data-test="composer"]', 'Enter');
    await page.waitForSelector('[data-action-id="lookup.again"]');
    await expect.poll(() => done(page)).toEqual(['connect']);
    pages.stage.app.answer = () => ({ body: { text: 'Valid', blocks: [button('lookup.share')] } });
    await say(page, '/barcode 0012345');
    await expect.poll(() => done(page)).toEqual(['connect', 'lookup']);
    pages.stage.app.answer = () => ({});

    // The scanner turns to a service that posts to a relay. A scan counts once its post is in the channel.
    const idle = (await accountState()).services.find((one) => one.postback_url === '' && one.id !== service.database)!;
    await accountCall({
      section: 'services',
      action: 'update',
      service_id: idle.id,
      postback_url: receiverUrl('/relay/id/secret'),
    });
    await page.hover('.scanner');
    await expect.poll(() => done(page)).toEqual(['connect', 'lookup', 'relay']);
    expect(await page.inputValue('[data-test="scanner-service"]')).toBe(idle.id);
    await open(service.postback);
    answer = xml(1, 'Welcome');
    await scan(page, 'SCANNED-NOW');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('valid');
    await expect.poll(() => done(page)).toEqual(['connect', 'lookup', 'relay']);
    await pages.stage.person('invite', { as: 'U0ADA', channel: 'C0GENERAL', user: 'U0SCANDESK1' });
    const posted = (barcode: string) =>
      pages.stage.api('chat.postMessage', {
        channel: 'C0GENERAL',
        text: 'A scan',
        // The page has scanned 1 before: the id of a block is no barcode.
        blocks: [{ type: 'section', block_id: `1-${barcode}`, text: plain(barcode) }],
        metadata: { event_type: 'scandesk_scan', event_payload: { key: barcode } },
      });
    await posted('SCANNED-NOW');

    // The guide then says what to try next, also after a reload.
    await page.waitForSelector('[data-test="guide"] >> text=What to try next');
    await page.locator('[data-test="guide-command"]', { hasText: '/barcode SCANNED-NOW' }).click();
    expect(await page.inputValue('[data-test="composer"]')).toBe('/barcode SCANNED-NOW');
    await page.reload();
    await page.waitForSelector('[data-test="guide"] >> text=What to try next');
  });
});

describe('without a scanning account beside it', () => {
  it('the demo page says if there is no scanning account, and its chat still works', async () => {
    await pages.withoutAccount(async () => {
      const { page, close } = await pages.openPage('U0ADA');
      expect(await page.textContent('.scanner')).toContain('There is no scanning account here');
      await page.fill('[data-test="composer"]', 'still talking');
      await page.press('[data-test="composer"]', 'Enter');
      await page.waitForSelector('[data-test="message"] >> text=still talking');
      await close();
    });
  });
});
