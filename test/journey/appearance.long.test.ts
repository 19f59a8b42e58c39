/** In a browser: a channel chooses one line, a scan shows it, a user is linked, and nobody is called for their own scan. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { askAccount } from '../slack/connected.js';
import { closeAll, connect, makeRelay, scan } from '../slack/relays/relay-stage.js';
import { startTestApp } from '../slack/test-app.js';

describe('the appearance of posts', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('the appearance of posts is chosen for a channel, and a watcher is not mentioned for a scan of their own', async ({
    onTestFinished,
  }) => {
    const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    onTestFinished(() => testApp.stop());
    const ada = testApp.person('U0ADA');
    await connect(ada);
    const { url } = await makeRelay(ada, { channel: 'C0FRONTGATE' });
    await closeAll(ada);
    const users = await askAccount(testApp, 'users', 'retrieve');
    const userid = /<user id="(\d+)">(?:(?!<\/user>).)*mara\.gate/s.exec(users)?.[1] ?? '';
    await ada.command('/scandesk watch LINE-1', 'C0FRONTGATE');

    const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0FRONTGATE`, { height: 900 });
    onTestFinished(() => opened.close());
    const { page } = opened;
    page.setDefaultTimeout(30_000);
    await page.waitForSelector('body[data-ready]');
    const modal = page.locator('[data-test=modal]').last();
    const says = (words: string) => modal.filter({ hasText: words }).waitFor();
    const choose = async (post: ReturnType<typeof page.locator>, words: string) => {
      await post.locator('[data-action-id="post.menu"]').click();
      await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
    };
    const began = Date.now();
    let times = 0;
    /** Each at a second of its own: else it is the same scan again. */
    const scanned = async () => {
      times += 1;
      const at = new Date(began - times * 1_000).toISOString().slice(0, 19).replace('T', ' ');
      await scan(url, { tid: 'LINE-1', userid, status: '0', scanned_at_utc: at });
    };
    const posts = () => page.locator('[data-test=message]').filter({ hasText: 'LINE-1' });

    await scanned();
    const first = posts().filter({ hasText: 'Watched by' }).last();
    await first.waitFor();
    await choose(first, 'Post appearance');
    await says('Wristband handed out?');
    await modal.getByText('One line', { exact: true }).click();
    await says('already used');
    await expectAccessible(page);
    await page.locator('[data-test=modal-submit]').last().click();
    await says('It applies from the next post.');
    await page.keyboard.press('Escape');

    await scanned();
    const line = posts().filter({ hasText: '❌ LINE-1 · not valid · 2nd scan' }).last();
    await line.filter({ hasText: 'watched by @' }).waitFor();
    await choose(line, 'Details');
    await says('mara.gate');
    await page.keyboard.press('Escape');

    await choose(line, 'Link user to Slack member');
    await says('User of the scanning account: mara.gate');
    await modal.locator('[data-action-id="member.field"]').first().click();
    await page.locator('[data-test=option]').filter({ hasText: 'Ada' }).first().click();
    await page.keyboard.press('Escape');
    await page.locator('[data-test=modal-submit]').last().click();
    await says('Linked to');
    await page.keyboard.press('Escape');

    await scanned();
    const own = posts().filter({ hasText: '(own scan)' }).last();
    await own.waitFor();
    expect(await own.textContent()).not.toContain('@');
  }, 120_000);
});
