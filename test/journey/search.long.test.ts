import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { connectedDemo } from '../helpers/connected-demo.js';

/** The folder for screenshots of the page; undefined: none are taken. */
const pictures = process.env.JOURNEY_PICTURES;

describe('searching scans, in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('a search in a browser pages to older scans, is saved, edited in its form and opened by the shortcut', async () => {
    const demo = await connectedDemo();
    const { page, faults } = await browser.open(`${demo.url}?as=U0MIA&channel=C0GENERAL`, { width: 1280, height: 900 });
    await page.locator('body[data-ready]').waitFor();
    const look = async (name: string) => {
      if (pictures) await page.screenshot({ path: join(pictures, `search-${name}.png`) });
    };
    const answers = page.locator('[data-test=message][data-ephemeral]');
    const results = answers.last();
    const modal = page.locator('[data-test=modal]').last();

    await expect
      .poll(
        async () => {
          const before = await answers.count();
          await type(page, '/scans since 2020-01-01 invalid');
          await answers.nth(before).locator('[data-action-id="scans.form"]').waitFor();
          return await results.innerText();
        },
        { timeout: 120_000, interval: 3_000 },
      )
      .toMatch(/not valid[\s\S]*The account’s scans are kept since/);
    const first = await results.innerText();
    expect(first).toContain('Scans since 2020-01-01 · not valid');
    await look('results');

    await results.locator('[data-action-id="scans.older"]').click();
    await results.locator('[data-action-id="scans.newest"]').waitFor();
    expect(await results.innerText()).not.toBe(first);
    await results.locator('[data-action-id="scans.newest"]').click();
    await results.locator('[data-action-id="scans.save"]').click();

    await modal.locator('[data-block-id="scans.save.name"] [data-action-id]').fill('Gate refusals');
    await modal.getByText('Everyone in this channel').click();
    await look('save');
    await modal.locator('[data-test=modal-submit]').click();
    await modal.getByText('Saved as “Gate refusals”.').waitFor();
    await modal.getByText('Done').click();

    await type(page, '/scans');
    await modal.locator('[data-action-id="scans.saved"]').click();
    await page.locator('[data-test=option]').filter({ hasText: 'Gate refusals' }).click();
    await expect
      .poll(() => modal.locator('[data-action-id="scans.field"]').first().inputValue())
      .toBe('since 2020-01-01');
    await look('form');
    await modal.locator('[data-test=modal-submit]').click();
    await modal.getByText('Gate refusals').waitFor();
    expect(await modal.innerText()).toContain('Scans since 2020-01-01 · not valid');
    await look('found');
    await modal.locator('[data-test=modal-close]').click();

    await page.locator('[data-test=shortcut][data-callback-id="scans.search"]').click();
    await modal.locator('[data-block-id="scans.barcode"] [data-action-id]').fill('HLF-');
    await modal.locator('[data-block-id="scans.when"] [data-action-id]').fill('since 2020-01-01');
    await modal.locator('[data-test=modal-submit]').click();
    await modal.getByText('barcode contains').waitFor();
    expect(await modal.locator('[data-action-id="scans.share"]').count()).toBe(0);
    await look('shortcut');
    expect(faults).toEqual([]);
    await page.context().close();
  }, 240_000);
});

async function type(page: Page, text: string): Promise<void> {
  await page.locator('[data-test=composer]').fill(text);
  await page.locator('[data-test=send]').click();
}
