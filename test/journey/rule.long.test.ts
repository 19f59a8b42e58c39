/** Writes a rule of three conditions and an exception in a browser, and sees what it posts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { takePicture } from '../helpers/pictures.js';
import { connect, makeRelay, scan } from '../slack/relays/relay-stage.js';
import { startTestApp } from '../slack/test-app.js';

describe('a rule that combines conditions', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('a rule with three conditions and an exception is built in its form, and posts only the matching scan', async ({
    onTestFinished,
  }) => {
    const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    onTestFinished(() => testApp.stop());
    const ada = testApp.person('U0ADA');
    await connect(ada);
    const { made, url } = await makeRelay(ada, { channel: 'C0FRONTGATE', service: '1207' });
    await scan(url, { tid: 'VIP-0', status: '0', zone: 'north' });
    await ada.click(made, 'relay.manage');
    await ada.click(await ada.seesWindow('Relay'), 'relay.rules');
    await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
    await ada.seesWindow('New rule');

    const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0FRONTGATE`, { height: 1000 });
    onTestFinished(() => opened.close());
    const { page } = opened;
    page.setDefaultTimeout(30_000);
    await page.waitForSelector('body[data-ready]');
    const modal = page.locator('[data-test=modal]').last();
    const says = (words: string) => modal.filter({ hasText: words }).waitFor();
    const control = (block: string) => modal.locator(`[data-block-id="${block}"] [data-action-id]`).first();
    const pick = async (block: string, words: string) => {
      await control(block).click();
      await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
    };

    await says('Posts to #front-gate when a scan is not valid');
    await modal.getByRole('button', { name: 'Add a condition' }).click();
    await pick('rule.1.when', 'Barcodes that match a pattern');
    await control('rule.1.pattern').fill('^VIP-');
    await modal.getByRole('button', { name: 'Add a condition' }).click();
    await pick('rule.2.when', 'Scan property');
    await control('rule.2.property').fill('zone');
    await pick('rule.2.property.how', 'is present');
    await modal.getByRole('button', { name: 'Add an exception' }).click();
    await pick('rule.3.when', 'Specific barcodes');
    await control('rule.3.values').fill('VIP-9');
    await modal.getByText('Post only what rules choose').click();
    await modal.getByRole('button', { name: 'Preview', exact: true }).click();
    const sentence =
      'when a scan is not valid and has a barcode that matches ^VIP- and has a property zone, unless it has the barcode VIP-9';
    await says(`Posts to #front-gate ${sentence}`);
    await says('Of this relay’s 1 recent scan, 1 would have been posted by this rule, 1 by the relay in all:');
    await modal.locator('.modal-scroll').evaluate((body: { scrollTop: number }) => {
      body.scrollTop = 0;
    });
    await takePicture(page, 'docs/pictures/rule.png', modal);
    await expectAccessible(page);
    await page.locator('[data-test=modal-submit]').last().click();
    await says('It applies from the next scan. Scans that match no rule are not posted.');
    await page.keyboard.press('Escape');
    await says(`1. W${sentence.slice(1)}`);
    await says('Scans that match no rule are not posted.');

    await scan(url, { tid: 'VIP-9', status: '0', zone: 'north' });
    await scan(url, { tid: 'VIP-1', status: '0' });
    await scan(url, { tid: 'VIP-2', status: '1', zone: 'north' });
    await scan(url, { tid: 'OTHER', status: '0', zone: 'north' });
    await scan(url, { tid: 'VIP-3', status: '0', zone: 'north' });
    const posts = () => page.locator('[data-test=message]').filter({ hasText: /VIP-[1-9]|OTHER/ });
    await posts()
      .filter({ hasText: 'VIP-3' })
      .filter({ hasText: `Rule: ${sentence}` })
      .waitFor();
    expect(await posts().count()).toBe(1);
  }, 120_000);
});
