/** Exports what a search found in a browser: from the button below the results to the file in the channel. */
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { recordsInFile } from '../helpers/spreadsheets.js';
import { connect, untilCopied } from '../slack/connected.js';
import { startTestApp } from '../slack/test-app.js';

describe('an export', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('an export is requested from the results of a search and arrives as a file in the channel', async ({
    onTestFinished,
  }) => {
    const testApp = await startTestApp({ settings: { MIRROR_SHARE: '90', ACCOUNT_CALLS_PER_MINUTE: '6000' } });
    onTestFinished(() => testApp.stop());
    const ada = testApp.person('U0ADA');
    await connect(ada);
    await untilCopied(ada);

    const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0FRONTGATE`, { height: 1000 });
    onTestFinished(() => opened.close());
    const { page } = opened;
    page.setDefaultTimeout(30_000);
    await page.waitForSelector('body[data-ready]');
    const modal = page.locator('[data-test=modal]').last();
    const messages = page.locator('[data-test=message]');
    await page.locator('[data-test=composer]').fill('/scans since 2020-01-01 invalid');
    await page.locator('[data-test=composer]').press('Enter');
    await messages.filter({ hasText: 'not valid' }).locator('[data-action-id="export.scans"]').last().click();
    await modal.filter({ hasText: 'Scans since 2020-01-01 · not valid' }).waitFor();
    await modal.getByText('Excel (.xlsx)', { exact: true }).click();
    await modal.getByText('This channel', { exact: true }).click();
    await expectAccessible(page);
    // Slack is slow to take the file, so that the progress is seen.
    await testApp.rules({ faults: [{ method: 'files.getUploadURLExternal', times: 2, as: '503' }] });
    await page.locator('[data-test=modal-submit]').last().click();
    await modal.filter({ hasText: 'Export started.' }).waitFor();
    await page.keyboard.press('Escape');
    const progress = messages.filter({ hasText: 'Exporting scans…' });
    await progress.getByRole('button', { name: 'Cancel' }).waitFor();

    const sent = messages.filter({ hasText: 'scans exported' });
    const link = sent.locator('[data-test=file]');
    await link.waitFor();
    await progress.waitFor({ state: 'detached' });
    const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(saved.suggestedFilename()).toMatch(/^scans-\d{8}-\d{4}\.xlsx$/);
    const rows = await recordsInFile(await buffer(await saved.createReadStream()));
    expect(await sent.innerText()).toContain(`${rows.length.toLocaleString('en-US')} scans exported`);
    expect(new Set(rows.map(({ Result }) => Result))).toEqual(new Set(['Not valid']));
  }, 180_000);
});
