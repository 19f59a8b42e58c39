import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawSymbol, photograph } from '../bench/drawn-pictures.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { connectedDemo } from '../helpers/connected-demo.js';

const known = 'HLF-000004';
const other = 'HLF-000003';
/** The folder for screenshots of the page; undefined: none are taken. */
const pictures = process.env.JOURNEY_PICTURES;

describe('barcodes in messages and pictures, in a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it.each([1280, 390])(
    'barcodes in a message, a mention and a photo are looked up in a browser, %i pixels wide',
    async (width) => {
      // Each width has an account of its own, and its calls.
      const demo = await connectedDemo();
      const { page, faults } = await browser.open(`${demo.url}?as=U0MIA&channel=C0GENERAL`, { width, height: 900 });
      await page.locator('body[data-ready]').waitFor();
      const look = async (name: string) => {
        if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
      };
      const photo = await photograph(
        [await drawSymbol({ format: 'QRCode', text: known }), await drawSymbol({ format: 'Code128', text: other })],
        { degrees: 5, jpeg: 80 },
      );
      const file = { name: 'tickets.jpg', mimeType: 'image/jpeg', buffer: photo };

      await page.locator('[data-test=attach]').setInputFiles(file);
      await page.locator('[data-test=composer]').fill('What about these two?');
      await page.locator('[data-test=send]').click();
      const asked = page.locator('[data-test=message][data-user=U0MIA]').last();
      await asked.locator('img').waitFor();
      await asked.hover();
      await asked.locator('[data-callback-id="message.lookup"]').click();
      const answer = page.locator('[data-test=message][data-ephemeral]').last();
      await answer.getByText('2 barcodes').waitFor();
      expect(await answer.innerText()).toContain(known);
      await look('shortcut');
      await answer.getByText('Reply in thread').click();
      await answer.getByText('You shared this here.').waitFor();
      await look('replied');

      await page.locator('[data-test=composer]').fill(`@scandesk ${known}`);
      await page.locator('[data-test=send]').click();
      const mentioned = page.locator('[data-test=message][data-ephemeral]').last();
      await mentioned.getByText('Reply in thread').waitFor();
      expect(await mentioned.innerText()).toContain(known);
      await look('mention');

      const direct = await directChannel(demo.url);
      await page.goto(`${demo.url}?as=U0MIA&channel=${direct}`);
      await page.locator('body[data-ready]').waitFor();
      await page.locator('[data-test=attach]').setInputFiles(file);
      await page.locator('[data-test=send]').click();
      const answered = page.locator('[data-test=message]').last();
      await answered.getByText('2 barcodes').waitFor();
      expect(await answered.innerText()).not.toMatch(/Share here|Reply in thread/);
      await look('direct');
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );
});

async function directChannel(base: string): Promise<string> {
  await fetch(new URL('/sandbox/home', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ as: 'U0MIA' }),
  });
  const state = (await (await fetch(new URL('/sandbox/state?as=U0MIA', base))).json()) as {
    channels: { id: string; name: string; is_im: boolean }[];
  };
  // Slackbot has a conversation with everybody, too.
  return state.channels.find(({ is_im, name }) => is_im && !/slackbot/i.test(name))!.id;
}
