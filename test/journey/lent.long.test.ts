/** A thing lent, overdue, back, in a browser; and the roll call of who is inside. */
import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { linkMember } from '../../src/workspaces/members.js';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, scrollTo, type TestBrowser } from '../helpers/browser.js';
import { read } from '../slack/block-kit/reading.js';
import { openNewList, wholeListForm } from '../slack/places/list-form.js';
import { closeAll, connect, makeRelay, option, reads, scan, select, typed } from '../slack/relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../slack/test-app.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };

/** Makes a list of who is inside that counts the same scans. */
async function makeHall(ada: Person): Promise<void> {
  await openNewList(ada, 'C0FRONTGATE');
  await ada.submit(await wholeListForm(ada), {
    'places.name': { 'places.field': typed('Main hall') },
    'places.in.property': { 'places.field': typed('direction=in') },
    'places.hour': {
      'places.field': select(DateTime.now().setZone('Europe/Berlin').minus({ hours: 6 }).toFormat('HH:00')),
    },
    'places.zone': { 'relay.pick.zone': { type: 'external_select', selected_option: option('Europe/Berlin') } },
  });
  await ada.submit(await ada.seesForm('places.save'));
  await reads(ada, 'Saved. Scans are being counted.');
  await closeAll(ada);
}

/** Makes the list of lent things remind before they are due, as if it always had: forms offer an hour at least. */
async function remindBefore(testApp: TestApp, minutes: number): Promise<void> {
  const store = await testApp.openStore();
  const lists = store.db.selectFrom('place_lists').select(['id', 'settings']).where('kind', '=', 'custody');
  const { id, settings } = await lists.executeTakeFirstOrThrow();
  const { custody, ...rest } = JSON.parse(settings);
  const reminding = JSON.stringify({ ...rest, custody: { ...custody, before: { minutes, since: 0 } } });
  const change = { settings: reminding, before_ms: minutes * 60_000 };
  await store.db.updateTable('place_lists').set(change).where('id', '=', id).execute();
  await store.close();
}

describe('a thing lent', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it.each([1280, 390])(
    'a list of lent things is set up, reminds, extends a loan and records a return, in a browser %d pixels wide',
    async (width) => {
      const testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
      const pictures = process.env.JOURNEY_PICTURES;
      try {
        const ada = testApp.person('U0ADA');
        await connect(ada);
        const { url } = await makeRelay(ada, { channel: 'C0FRONTGATE', notable: 'invalid' });
        await closeAll(ada);
        const store = await testApp.openStore();
        await linkMember({ store }, owner, '701', { id: 'U0ADA', name: 'Ada Ashby' });
        await store.close();
        const pass = (
          tid: string,
          direction: string,
          { minutes, userid = '701', text = '' }: { minutes: number; userid?: string; text?: string },
        ) =>
          scan(url, {
            ...{ tid, status: '1', text, sid: '9', userid, direction },
            scanned_at_utc: DateTime.utc().minus({ minutes }).toFormat('yyyy-MM-dd HH:mm:ss'),
          });
        await ada.clickMessage(await ada.command('/scandesk inside'), 'places.new');

        const opened = await browser.open(`${testApp.slackUrl}/?as=U0ADA&channel=C0GENERAL`, { width, height: 1200 });
        const { page } = opened;
        page.setDefaultTimeout(60_000);
        await page.waitForSelector('body[data-ready]');
        const modal = page.locator('[data-test=modal]').last();
        const says = (words: string) => modal.filter({ hasText: words }).waitFor();
        const picture = (name: string) =>
          pictures === undefined ? undefined : page.screenshot({ path: `${pictures}/${name}-${width}.png` });
        const block = (id: string) => modal.locator(`[data-block-id="places.${id}"]`);
        const inputOf = (id: string) => block(id).locator(':is(input, textarea)').first();
        const choose = async (id: string, words: string) => {
          await block(id).locator('[data-action-id]').first().click();
          await page.locator('[data-test=option]').filter({ hasText: words }).first().click();
        };
        const submit = () => page.locator('[data-test=modal-submit]').last().click();
        const message = (words: string) => page.locator('[data-test=message]').filter({ hasText: words }).last();
        /** Waits until the scans that were posted are counted. */
        const until = (command: string, words: string) =>
          eventually(
            async () => read((await ada.command(command, 'C0FRONTGATE')).blocks as never).includes(words),
            `${command} to say “${words}”`,
          );
        const go = async (channel: string) => {
          await page.goto(`${testApp.slackUrl}/?as=U0ADA&channel=${channel}`);
          await page.waitForSelector('body[data-ready]');
        };
        const type = async (text: string) => {
          await page.locator('[data-test=composer]').fill(text);
          await page.locator('[data-test=send]').click();
        };

        await says('A new day begins at');
        await picture('lent-form-new');
        await modal.getByRole('button', { name: 'More', exact: true }).click();
        await says('Capacity');
        await block('kind').getByText('Who has it').click();
        await says('Due back');
        await choose('due.by', 'Some time after it went out');
        await says('How long after');
        await inputOf('name').fill('Tools');
        await inputOf('in.property').fill('direction=in');
        await inputOf('out.property').fill('direction=out');
        await inputOf('due.after').fill('30 minutes');
        await choose('channel', 'front-gate');
        await picture('lent-form');
        await scrollTo(block('due.after'));
        await picture('lent-form-due');
        await scrollTo(block('zone'));
        await picture('lent-form-end');
        await expectAccessible(page);
        await submit();
        await says('What Tools would have counted');
        await picture('lent-preview');
        await submit();
        await says('Saved. Scans are being counted.');
        await picture('lent-lists');
        await page.keyboard.press('Escape');
        await closeAll(ada);

        await pass('DRILL-1', 'out', { minutes: 5, text: 'Bosch drill, shelf 3' });
        await pass('SAW-2', 'out', { minutes: 40, userid: '702', text: 'Circular saw' });
        await pass('LAMP-3', 'out', { minutes: 45 });
        await until('/scandesk out', '3 things out');
        await type('/scandesk out');
        await message('3 things out').waitFor();
        await picture('lent-out');
        await type('/barcode LAMP-3');
        await message('Tools: with').waitFor();
        await picture('lent-card');
        await message('Tools: with').getByRole('button', { name: 'Tell me when it is back' }).click();
        await message('You get a direct message once').waitFor();
        await picture('lent-tell');
        await go('C0FRONTGATE');
        await message('is due back').filter({ hasText: 'SAW-2' }).waitFor();
        await picture('lent-channel');
        await expectAccessible(page);

        const direct = (await ada.channels()).find((each) => each.is_im && each.id !== 'D0SLACKBOTU0ADA');
        await go(direct!.id);
        const reminder = message('LAMP-3');
        await reminder.filter({ hasText: 'is due back' }).waitFor();
        await picture('lent-overdue');
        await expectAccessible(page);
        await reminder.getByRole('button', { name: 'Extend…' }).click();
        await says('Due back on');
        await picture('lent-extend');
        await expectAccessible(page);
        await submit();
        await says('It is reminded of again then.');
        await picture('lent-extended');
        await page.keyboard.press('Escape');
        await reminder.filter({ hasText: 'Extended by' }).waitFor();
        await pass('ROPE-4', 'out', { minutes: 35 });
        const second = message('ROPE-4');
        await second.getByRole('button', { name: 'It is back' }).click();
        await page.locator('[data-test=confirm]').waitFor();
        await picture('lent-confirm');
        await page.locator('[data-test=confirm-yes]').click();
        await second.filter({ hasText: 'Marked as returned by' }).waitFor();
        await picture('lent-back');
        await pass('LAMP-3', 'in', { minutes: 0 });
        await message('LAMP-3 is back').waitFor();
        await picture('lent-returned');
        await remindBefore(testApp, 25);
        await pass('ROD-5', 'out', { minutes: 10, text: 'Fishing rod' });
        await message('ROD-5').filter({ hasText: 'is due back soon' }).waitFor();
        await picture('lent-soon');
        await expectAccessible(page);
        await pass('ROD-5', 'in', { minutes: 0 });
        await message('ROD-5').filter({ hasText: 'Back since' }).waitFor();

        await go('home');
        await page.locator('[data-test=home]').filter({ hasText: 'Lent to you' }).waitFor();
        await picture('lent-home');
        await expectAccessible(page);
        await go('C0GENERAL');
        await until('/barcode LAMP-3', 'Tools: back since');
        await type('/barcode LAMP-3');
        await message('Tools: back since').waitFor();
        await type('/scandesk out');
        await message('2 things out').waitFor();
        await picture('lent-after');
        await message('2 things out').getByRole('button', { name: 'Send as spreadsheet' }).click();
        await message('Export started.').waitFor();
        await go(direct!.id);
        await message('What is out').locator('[data-test=file]').waitFor();
        await picture('lent-file');
        await go('C0GENERAL');

        await makeHall(ada);
        for (let n = 0; n < 60; n += 1) {
          await pass(`T-${n}`, 'in', { minutes: 60 - n });
        }
        await until('/scandesk inside', 'Main hall · 62 inside');
        await type('/scandesk inside');
        await message('Main hall · 62 inside').getByRole('button', { name: 'Roll call' }).click();
        await says('1 to 50 of 62.');
        await picture('roll-call');
        await expectAccessible(page);
        await modal.getByRole('button', { name: 'Next' }).click();
        await says('51 to 62 of 62.');
        await picture('roll-call-end');
        await opened.close();
      } finally {
        await testApp.stop();
      }
    },
    240_000,
  );
});
