import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestPage } from '../../../helpers/browser.js';
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
const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/relay/id/secret`;

async function accountCall(fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ api_key: pages.account.keys.demo, ...fields });
  return (await fetch(`${pages.url}/account/api/`, { method: 'POST', body })).text();
}

beforeAll(async () => {
  pages = await setPageStage();
  receiver = createServer((req, res) => {
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
  const state = (await (await fetch(`${pages.url}/account/scanner/state`)).json()) as {
    services: { id: string; validation_method: string }[];
    users: { id: string }[];
  };
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
  it('shows in green what the service takes, with the barcode as it was', async () => {
    const page = await open(service.postback);
    answer = xml(1, 'Welcome &amp; enjoy');
    await scan(page, '  00123 <b>');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('valid');
    expect(await page.textContent('[data-test="scanner-text"]')).toBe('Welcome & enjoy');
    expect(await page.textContent('[data-test="scanner-barcode"]')).toBe('  00123 <b>');
    expect(posts.at(-1)?.get('tid')).toBe('  00123 <b>');
    expect(await page.textContent('[data-test="scanner-posted"] summary')).toContain('answered 200');
    expect(await page.textContent('body')).not.toContain('/relay/id/secret');
  });

  it('shows in red what it does not', async () => {
    const page = await open(service.postback);
    answer = xml(0, 'Already used');
    await scan(page, '1');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('invalid');
    expect(await page.textContent('[data-test="scanner-text"]')).toBe('Already used');
  });

  it('keeps what nobody answered, and sends it with Upload', async () => {
    const page = await open(service.postback);
    answer = '';
    await scan(page, 'kept-1');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('kept');
    await page.waitForSelector('[data-test="scanner-kept"][data-count="1"]');
    answer = xml(1, 'Late but there');
    await page.click('[data-test="scanner-upload"]');
    await expect.poll(() => page.textContent('[data-test="scanner-uploaded"]')).toBe('1 sent and answered.');
    expect(await page.locator('[data-test="scanner-kept"]').count()).toBe(0);
    expect(posts.at(-1)?.get('tid')).toBe('kept-1');
  });

  it('shows a page’s words and never its scripts', async () => {
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

  it('asks what the answer wants to know, and sends it along', async () => {
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

  it('offers barcodes to pick and tells what to expect of them', async () => {
    const page = await open(service.database);
    const sample = page.locator('[data-test="scanner-sample"]', { hasText: 'not valid' });
    const value = await sample.getAttribute('data-value');
    await sample.click();
    expect(await page.inputValue('[data-test="scanner-value"]')).toBe(value);
    await page.keyboard.press('Enter');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('invalid');
  });

  it('says what is missing instead of scanning nothing', async () => {
    const page = await open(service.database);
    await page.fill('[data-test="scanner-value"]', '');
    await page.click('[data-test="scanner-scan"]');
    await page.waitForSelector('text=Type a barcode first');
    expect(await page.evaluate('document.activeElement.dataset.test')).toBe('scanner-value');
  });

  it('takes the URL a service is to post to, and says why the account refuses one', async () => {
    const page = await open(service.database);
    await page.click('[data-test="scanner-url-edit"]');
    await page.fill('[data-test="scanner-url"]', 'ftp://nowhere');
    await page.click('[data-test="scanner-url-save"]');
    await page.waitForSelector('.service-url .field-error:not(:empty)');
    await page.fill('[data-test="scanner-url"]', receiverUrl());
    await page.click('[data-test="scanner-url-save"]');
    await page.waitForSelector('[data-test="scanner-url-edit"]:has-text("Change")');
    answer = xml(1, 'ignored: receiver only');
    await scan(page, 'NOT-ON-THE-LIST');
    await expect.poll(() => posts.at(-1)?.get('tid')).toBe('NOT-ON-THE-LIST');
    await expect.poll(() => result(page).getAttribute('data-kind')).toBe('invalid');
  });
});

describe('the first minute', () => {
  it('is told step by step, each put in the box and ticked off once sent', async () => {
    const page = await open(service.database);
    expect(await page.textContent('[data-test="hint-key"]')).toBe(pages.account.keys.demo);
    await page.click('[data-test="hint-step"][data-step="2"]');
    expect(await page.inputValue('[data-test="composer"]')).toMatch(/^\/barcode \S/);
    await page.press('[data-test="composer"]', 'Enter');
    await expect.poll(() => page.locator('[data-test="hint"] li.done').count()).toBe(1);
    await page.click('[data-test="hint-close"]');
    expect(await page.isVisible('[data-test="hint"]')).toBe(false);
  });
});

describe('without a scanning account beside it', () => {
  it('the page says so and the rest works', async () => {
    await pages.without(async () => {
      const { page, close } = await pages.openPage('U0ADA');
      expect(await page.textContent('.scanner')).toContain('The scanning account is not there');
      await page.fill('[data-test="composer"]', 'still talking');
      await page.press('[data-test="composer"]', 'Enter');
      await page.waitForSelector('[data-test="message"] >> text=still talking');
      await close();
    });
  });
});
