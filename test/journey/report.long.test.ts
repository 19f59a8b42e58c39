/** Makes a daily report in a browser, looks at how it will be, and at the scans that it counted. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { changeJobs } from '../helpers/jobs.js';
import { closeAll, connect, makeRelay, scan } from '../slack/relays/relay-stage.js';
import { startTestApp } from '../slack/test-app.js';

describe('a daily report', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('a daily report is set up in its form, previewed and posted, and its button opens the counted scans', async ({
    onTestFinished,
  }) => {
    const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    onTestFinished(() => testApp.stop());
    const ada = testApp.person('U0ADA');
    await connect(ada);
    const { url } = await makeRelay(ada, { channel: 'C0FRONTGATE' });
    for (const [tid, status] of [
      ['IN-1', '1'],
      ['IN-2', '1'],
      ['OUT-1', '0'],
    ] as const) {
      await scan(url, { tid, status, sid: '9', text: status === '0' ? 'Wrong day' : 'Welcome' });
    }
    await closeAll(ada);
    await ada.say('/scandesk reports');
    await ada.click(await ada.seesWindow('Daily reports'), 'reports.new');

    const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0GENERAL`, { height: 1000 });
    onTestFinished(() => opened.close());
    const { page } = opened;
    page.setDefaultTimeout(30_000);
    await page.waitForSelector('body[data-ready]');
    const modal = page.locator('[data-test=modal]').last();
    const says = (words: string) => modal.filter({ hasText: words }).waitFor();

    await says('What to count');
    await modal.locator('[data-block-id="report.subject"] [data-action-id]').first().click();
    await page.locator('[data-test=option]').filter({ hasText: 'Any service' }).first().click();
    await expectAccessible(page);
    await page.locator('[data-test=modal-submit]').last().click();
    await says('Daily at 20:00');
    await modal.getByRole('button', { name: /^Send me/ }).click();
    await says('Sent to you alone, in the channel behind this window.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('[data-test=message]').filter({ hasText: 'Preview.' }).waitFor();

    const store = await testApp.openStore();
    const now = Date.now();
    await changeJobs(store, 'report', { dueAt: now }, now);
    await store.close();
    const report = page.locator('[data-test=message]').filter({ hasText: '3 scans until' }).last();
    await page.locator('[data-test=message]').filter({ hasText: '3 scans until' }).nth(1).waitFor();
    expect(await report.textContent()).toContain('Wrong day');
    await report.getByRole('button', { name: 'See scans' }).click();
    await says('3 scans: 2 valid, 1 not valid');
    await says('OUT-1');
  }, 120_000);
});
