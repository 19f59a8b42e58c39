/** The barcode that a post's message shows to the letter, for a post that is no longer stored. */
import { z } from 'zod';
import { visible } from '../block-kit/text.js';
import { isTooLong } from '../lookup/parse-barcodes.js';

const element = z.looseObject({
  text: z.string().optional(),
  style: z.object({ code: z.boolean().optional() }).optional(),
});
const richText = z.looseObject({
  type: z.literal('rich_text'),
  elements: z.array(z.looseObject({ elements: z.array(element).catch([]) })),
});

/**
 * Signs that a barcode is not shown to the letter: pictures of hidden characters (␝, ⟨U+200B⟩), a cut end, and what may
 * be an entity.
 */
const notExact = /[\u2400-\u2421…]|⟨U\+|&(?:amp|lt|gt);/;

/** @param blocks as Slack sends the message with a click: the first text formatted as code is the barcode */
export function shownBarcode(blocks: unknown): string | undefined {
  const texts = z.array(z.unknown()).catch([]).parse(blocks);
  for (const block of texts) {
    const elements = richText.safeParse(block).data?.elements.flatMap((each) => each.elements) ?? [];
    const from = elements.findIndex(({ style }) => style?.code);
    if (from >= 0) {
      const end = elements.findIndex(({ style }, at) => at > from && !style?.code);
      const code = elements.slice(from, end < 0 ? undefined : end);
      const value = code.map(({ text = '' }) => text).join('');
      const fits = value !== '' && !isTooLong(value);
      return fits && !notExact.test(value) && visible(value) === value ? value : undefined;
    }
  }
  return undefined;
}
