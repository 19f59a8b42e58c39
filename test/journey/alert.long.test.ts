/** In a browser: an alert calls somebody when nobody looks, is handed over, muted until it is over, and resolved. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { takePicture } from '../helpers/pictures.js';
import { postScan, scanForm } from '../helpers/relay.js';
import { connect } from '../slack/relays/relay-stage.js';
import { startTestApp } from '../slack/test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const channel = 'C0FRONTGATE';

describe('an alert', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('an alert is escalated, handed over and resolved, and its message shows each step', async ({ onTestFinished }) => {
    const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
    onTestFinished(() => testApp.stop());
    await connect(testApp.person('U0ADA'));
    await testApp.post('/sandbox/invite', { as: 'U0ADA', channel, user: 'U0SCANDESK1' });
    const store = await testApp.openStore();
    onTestFinished(() => store.close());
    const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
    const rule = {
      ...{ id: 'r1', name: 'Refused at the gate', channel, when: { kind: 'burst', n: 2, minutes: 30 } },
      ...{ escalate: { minutes: 15, users: ['U0ADA'], groups: [] }, broadcast: true },
    };
    const { path } = await relays.create({
      ...{ owner, serviceIds: [], serviceName: 'Main gate', channel, notable: 'all', createdBy: 'U0ADA' },
      settings: relaySettingsSchema.parse({ rules: [rule] }),
    });
    for (const n of [1, 2]) {
      const at = new Date(Date.now() - n * 1_000).toISOString().slice(0, 19).replace('T', ' ');
      await postScan(
        `${testApp.appUrl}${path}`,
        scanForm({ tid: `00${n}`, status: '0', text: 'no', scanned_at_utc: at }),
      );
    }

    const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=${channel}`, { height: 1000 });
    onTestFinished(() => opened.close());
    const { page } = opened;
    page.setDefaultTimeout(30_000);
    await page.waitForSelector('body[data-ready]');
    const messages = page.locator('[data-test=message]');
    const alert = messages
      .filter({ hasText: 'Refused at the gate' })
      .filter({ has: page.locator('[data-action-id="post.menu"]') });
    const modal = page.locator('[data-test=modal]').last();
    const choose = async (words: string) => {
      await alert.locator('[data-action-id="post.menu"]').click();
      await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
    };
    const submit = () => page.locator('[data-test=modal-submit]').last().click();

    await alert.waitFor();
    const late = { opened_at: Date.now() - 16 * 60_000, escalate_at: Date.now() - 60_000 };
    await store.db.updateTable('incidents').set(late).execute();
    await messages.filter({ hasText: 'Nobody acknowledged this alert for 15 minutes' }).waitFor();
    await alert.filter({ hasText: 'Escalated' }).waitFor();

    await choose('Hand over…');
    await modal.locator('[data-action-id="post.hand_over.to"]').first().click();
    await page.locator('[data-test=option]').filter({ hasText: 'Mia' }).first().click();
    await expectAccessible(page);
    await submit();
    await alert.filter({ hasText: 'With @' }).filter({ hasText: 'Acknowledged by @' }).waitFor();
    await takePicture(page, 'docs/pictures/alert.png', alert);

    await choose('Mute');
    await modal.filter({ hasText: 'What to mute' }).waitFor();
    await submit();
    await messages.filter({ hasText: 'until the alert is over' }).waitFor();

    await alert.locator('[data-action-id="post.resolve"]').click();
    await modal.filter({ hasText: 'False alarm' }).waitFor();
    await modal.locator('input[type=text], textarea').first().fill('reader restarted');
    await expectAccessible(page);
    await submit();
    await alert.filter({ hasText: 'Resolved by @' }).filter({ hasText: 'Fixed: reader restarted' }).waitFor();
    await expect.poll(() => alert.locator('[data-action-id="post.resolve"]').count()).toBe(0);
    const told = (await alert.innerText()).split('\n');
    const order = ['Escalated', 'Acknowledged by', 'Handed over to', 'Resolved by'];
    expect(order.map((part) => told.findIndex((line) => line.includes(part)))).toEqual(
      order.map((part) => told.findIndex((line) => line.includes(part))).toSorted((a, b) => a - b),
    );

    await store.db.deleteFrom('mutes').execute();
    await store.db
      .updateTable('incidents')
      .set({ last_at: Date.now() - 31 * 60_000, due_at: Date.now() })
      .execute();
    const end = messages.filter({ has: page.locator('[data-test=broadcast]') }).filter({ hasText: 'Over ·' });
    await end.locator('pre').filter({ hasText: 'Resolved by Ada' }).filter({ hasText: 'Times: ' }).waitFor();
    await alert.filter({ hasText: 'Over ·' }).waitFor();
    await expectAccessible(page);
    await alert.locator('[data-test=replies]').click();
    await page.locator('[data-test=thread] pre').filter({ hasText: 'Handed over to Mia' }).waitFor();
  }, 120_000);
});
