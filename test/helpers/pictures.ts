/**
 * Pictures of the page for the docs, taken anew with UPDATE_PICTURES=1 alone: a test leaves the files as they are. Emoji
 * are drawn by a font of the tests, since a machine may have none.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const fontName = 'Noto Emoji';
const fontFace = /url\(\.\/(files\/[^)]+\.woff2)\)[\s\S]*?unicode-range: ([^;]+);/g;

/** Adds the font by script, since the page's policy loads no font; resolves once it is drawn with. */
async function addEmoji(page: Page): Promise<void> {
  const style = createRequire(import.meta.url).resolve('@fontsource/noto-emoji/400.css');
  const faces = [...readFileSync(style, 'utf8').matchAll(fontFace)].map(([, file = '', range = '']) => ({
    data: readFileSync(join(dirname(style), file)).toString('base64'),
    range,
  }));
  // A text, since the project's types know no page.
  await page.evaluate(`(async (name, fonts) => {
    for (const { data, range } of fonts) {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      document.fonts.add(await new FontFace(name, bytes.buffer, { unicodeRange: range, weight: '1 1000' }).load());
    }
    const { style } = document.documentElement;
    const families = getComputedStyle(document.documentElement);
    for (const family of ['--sans', '--mono']) {
      style.setProperty(family, families.getPropertyValue(family) + ', "' + name + '"');
    }
    await document.fonts.ready;
    // What was drawn without the font is drawn anew: a larger text keeps its blank sign else.
    style.fontSizeAdjust = '0.5';
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    style.fontSizeAdjust = '';
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  })(${JSON.stringify(fontName)}, ${JSON.stringify(faces)})`);
}

/** The height of a picture of the whole page: the last messages and the scanner are in it to their ends. */
const pageHeight = 1_070;

/** Takes a picture of the page, or of a whole part of it. @param file its path from the project's folder */
export async function takePicture(page: Page, file: string, part?: Locator): Promise<void> {
  if (process.env.UPDATE_PICTURES) {
    const size = page.viewportSize();
    await addEmoji(page);
    await page.mouse.move(0, 0);
    if (size) {
      await page.evaluate(part ? 'document.activeElement?.blur()' : '');
      await page.setViewportSize({ ...size, height: part ? 2_400 : pageHeight });
    }
    await (part ?? page).screenshot({ path: join(import.meta.dirname, '../..', file) });
    if (size) {
      await page.setViewportSize(size);
    }
  }
}
