import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { connectedDemo } from '../helpers/connected-demo.js';

/** The folder for screenshots of the page; undefined: none are taken. */
const pictures = process.env.JOURNEY_PICTURES;

describe('asking Slackbot, in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('a person asks Slackbot for a barcode, sees its card, and makes a proposed change after confirming', async () => {
    const demo = await connectedDemo();
    const { page, faults } = await browser.open(`${demo.url}?as=U0ADA&channel=C0GENERAL`, { width: 1280, height: 900 });
    await page.locator('body[data-ready]').waitFor();
    const look = async (name: string) => {
      if (!pictures) return;
      await page.screenshot({ path: join(pictures, `slackbot-${name}-1280.png`) });
      await page.setViewportSize({ width: 390, height: 800 });
      await page.screenshot({ path: join(pictures, `slackbot-${name}-390.png`) });
      await page.setViewportSize({ width: 1280, height: 900 });
    };
    const slackbot = page.locator('[data-test=message][data-user=USLACKBOT]');
    // What connecting the account left open.
    await page.locator('[data-test=modal-close]').click();

    await page.locator('[data-test=channel][data-channel=D0SLACKBOTU0ADA]').click();
    await slackbot.last().locator('[data-action-id=tools]').click();
    await slackbot.last().locator('[data-action-id="form:look_up_barcodes"]').click();
    await look('form');
    const form = slackbot.last();
    await form.locator('[data-action-id="input:barcodes"]').fill('0012345');
    await form.locator('[data-action-id="tool:look_up_barcodes"]').click();

    const card = slackbot.last();
    await card.getByText('To change it').waitFor();
    expect(await card.innerText()).toMatch(/0012345[\s\S]*Valid[\s\S]*Bin C-12: Wristbands, blue/);
    await look('card');
    const [proposed] = /\/scandesk call databases deletevalue .*/.exec(await card.innerText()) ?? [];

    await page.locator('[data-test=composer]').fill(proposed ?? '');
    await page.locator('[data-test=send]').click();
    const confirmation = page.locator('[data-test=modal][data-callback-id="form.confirm"]');
    await confirmation.getByText('0012345').first().waitFor();
    await look('confirm');
    await confirmation.locator('[data-test=modal-submit]').click();
    const done = page.locator('[data-test=modal]').filter({ hasText: 'Deleted' });
    await done.waitFor();
    await look('done');
    await done.locator('[data-test=modal-close]').click();
    await done.waitFor({ state: 'hidden' });
    await expect
      .poll(
        async () => {
          await card.locator('[data-action-id="tool:look_up_barcodes"]').last().click();
          return await card.innerText();
        },
        { interval: 1_000 },
      )
      .toContain('Unknown');
    await look('changed');
    expect(faults).toEqual([]);
    await page.context().close();
  }, 180_000);
});
