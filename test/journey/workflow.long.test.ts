/** Writes a rule that starts a workflow, in a browser, and sees what the workflow was started with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { connect, makeRelay, scan } from '../slack/relays/relay-stage.js';
import { startTestApp } from '../slack/test-app.js';

describe('a rule that starts a workflow', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it.each([1280, 390])(
    'a rule that starts a workflow is set up with a URL, and the workflow shows the scan, in a browser %i pixels wide',
    async (width) => {
      const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
      // It ends with a search for the URL’s secret part, in all that was logged, stored and shown.
      await using _ = { [Symbol.asyncDispose]: () => testApp.stop() };
      const ada = testApp.person('U0ADA');
      await connect(ada);
      const { made, url } = await makeRelay(ada, { channel: 'C0FRONTGATE', service: '1207' });
      await scan(url, { tid: 'PAST-0', status: '0' });
      await ada.click(made, 'relay.manage');
      await ada.click(await ada.seesWindow('Relay'), 'relay.rules');
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      await ada.seesWindow('New rule');

      const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0STOCKROOM`, { width, height: 1000 });
      await using __ = { [Symbol.asyncDispose]: () => opened.close() };
      const { page } = opened;
      page.setDefaultTimeout(30_000);
      await page.waitForSelector('body[data-ready]');
      const trigger = (await page.locator('[data-test=workflow] code').textContent()) ?? '';
      const modal = page.locator('[data-test=modal]').last();
      const says = (words: string) => modal.filter({ hasText: words }).waitFor();
      const control = (block: string) => modal.locator(`[data-block-id="${block}"] [data-action-id]`).first();

      await modal.getByText('Start a workflow', { exact: true }).click();
      await control('rule.workflow.url').fill(trigger.replace(/.$/, 'x'));
      await modal.getByRole('button', { name: 'Send a test' }).click();
      await says('The test did not start the workflow: the workflow’s webhook URL no longer works');
      await control('rule.workflow.url').fill(trigger);
      await modal.getByRole('button', { name: 'Send a test' }).click();
      await says('Slack took the test, with sample values.');
      await says('Of this relay’s 1 recent scan, 1 would have started the workflow');
      await says('barcode = PAST-0');
      await expectAccessible(page);
      await page.locator('[data-test=modal-submit]').last().click();
      await says('It applies from the next scan.');
      await page.keyboard.press('Escape');
      await says('Start a workflow');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');

      await scan(url, { tid: 'GOOD-1', status: '1' });
      await scan(url, { tid: '00*7*', status: '0' });
      const step = page.locator('[data-test=message]').filter({ hasText: 'Scan follow-up was started' });
      await step.filter({ hasText: 'barcode: 00*7*' }).waitFor();
      expect(await step.filter({ hasText: 'barcode: 00123' }).count()).toBe(1);
      expect(await step.filter({ hasText: 'GOOD-1' }).count()).toBe(0);
      expect(await page.locator('body').textContent()).toContain('scan_key:');
    },
    120_000,
  );
});
