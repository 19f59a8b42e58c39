/** A gate's evening in a browser: a list is made, shown in a channel, and its alerts are posted there. */

import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { changeJobs } from '../helpers/jobs.js';
import { takePicture } from '../helpers/pictures.js';
import { closeAll, connect, makeRelay, scan } from '../slack/relays/relay-stage.js';
import { startTestApp } from '../slack/test-app.js';

describe('a gate’s evening', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it.each([1280, 390])(
    'a list of people inside is set up in its form, has a board and posts alerts, in a browser %d pixels wide',
    async (width) => {
      const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
      const pictures = process.env.JOURNEY_PICTURES;
      try {
        const ada = testApp.person('U0ADA');
        await connect(ada);
        const { url } = await makeRelay(ada, { channel: 'C0GENERAL' });
        await closeAll(ada);
        const pass = (tid: string, direction: string, udid: string) =>
          scan(url, { tid, status: '1', sid: '9', udid, text: 'Welcome', direction });
        await ada.clickMessage(await ada.command('/scandesk inside'), 'places.new');

        const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0FRONTGATE`, { width, height: 1200 });
        const { page } = opened;
        page.setDefaultTimeout(60_000);
        await page.waitForSelector('body[data-ready]');
        const modal = page.locator('[data-test=modal]').last();
        const says = (words: string) => modal.filter({ hasText: words }).waitFor();
        const picture = (name: string) =>
          pictures === undefined ? undefined : page.screenshot({ path: `${pictures}/${name}-${width}.png` });
        const inputOf = (block: string) =>
          modal.locator(`[data-block-id="places.${block}"] :is(input, textarea)`).first();
        const choose = async (block: string, words: string) => {
          await modal.locator(`[data-block-id="places.${block}"] [data-action-id]`).first().click();
          await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
        };

        await says('A new day begins at');
        await picture('new');
        await modal.getByRole('button', { name: 'More', exact: true }).click();
        await says('Capacity');
        await inputOf('name').fill('Main hall');
        await inputOf('in.property').fill('direction=in');
        await inputOf('out.property').fill('direction=out');
        // So that the day began hours ago, whenever this runs.
        await choose('hour', DateTime.utc().minus({ hours: 6 }).toFormat('HH:00'));
        await inputOf('capacity').fill('10');
        await inputOf('percents').fill('80, 100');
        await choose('doubles', 'Within 5 minutes');
        await choose('alerts', 'front-gate');
        await picture('form');
        await expectAccessible(page);
        await page.locator('[data-test=modal-submit]').last().click();
        await says('What Main hall would have counted');
        await page.locator('[data-test=modal-submit]').last().click();
        await says('Saved. Scans are being counted.');

        await modal.getByRole('button', { name: 'Show in a channel the list Main hall' }).click();
        await says('One message there shows how many are inside');
        await choose('board', 'front-gate');
        await picture('boards');
        await expectAccessible(page);
        await page.locator('[data-test=modal-submit]').last().click();
        await says('The board is on its way.');
        await page.keyboard.press('Escape');
        await closeAll(ada);

        const message = (words: string) => page.locator('[data-test=message]').filter({ hasText: words }).last();
        for (let n = 0; n < 8; n += 1) {
          await pass(`T-${n}`, 'in', n % 2 === 0 ? 'D-1' : 'D-2');
        }
        await message('Main hall · 8 inside · 80% of 10').waitFor();
        await message('Main hall: 80% of 10 inside').waitFor();
        await pass('T-0', 'in', 'D-2');
        await message('T-0 came in twice').waitFor();
        for (const n of [1, 2, 3]) {
          await pass(`T-${n}`, 'out', 'D-1');
        }
        await message('Main hall · 5 inside · 50% of 10').waitFor();
        await message('Main hall: below 80% of 10 again').waitFor();
        await picture('board');
        if (width === 1280) {
          await takePicture(page, 'docs/pictures/board.png', message('Main hall · 5 inside'));
        }
        await expectAccessible(page);

        await page.locator('[data-test=composer]').fill('/scandesk inside');
        await page.locator('[data-test=send]').click();
        await message('5 inside').getByRole('button', { name: 'Roll call' }).click();
        await modal.getByRole('button', { name: 'Export' }).click();
        await says('deleted after 24 hours');
        await picture('roll-call-export');
        await page.locator('[data-test=modal-submit]').last().click();
        await says('Export started.');
        await picture('roll-call-sent');
        await expectAccessible(page);
        await closeAll(ada);
        const direct = (await ada.channels()).find((each) => each.is_im && each.id !== 'D0SLACKBOTU0ADA');
        await page.goto(`${testApp.slackUrl}/?as=U0ADA&channel=${direct!.id}`);
        const file = message('Roll call: Main hall').locator('[data-test=file]');
        await file.waitFor();
        await picture('roll-call-file');
        const store = await testApp.openStore();
        await changeJobs(store, 'export_file', {}, 1);
        await store.close();
        await message('Roll call: Main hall').locator('[data-test=file-deleted]').waitFor();
        await picture('roll-call-deleted');
        await expectAccessible(page);
        await opened.close();
      } finally {
        await testApp.stop();
      }
    },
    240_000,
  );
});
