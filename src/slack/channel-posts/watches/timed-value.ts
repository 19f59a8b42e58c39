/** Reads the barcode and duration of `watch` and `mute`. Where one is not valid, it answers the person itself. */
import type { CommandContext } from '../../bolt/routing/context.js';
import {
  emptyQuotesMessage,
  longestMessage,
  mostPostsMessage,
  noLengthMessage,
  tooLongMessage,
} from '../../lookup/card/barcode-hints.js';
import { parseBarcode } from '../../lookup/parse-barcodes.js';
import { parseDuration } from './parse-duration.js';

/** Reads the text; an absent part is undefined. The result is undefined if the person was already answered. */
export async function readTimedValue(
  { respond, text }: Pick<CommandContext, 'respond' | 'text'>,
  longestMs: number,
  mostPosts = 0,
): Promise<
  { readonly value: string; readonly forMs: number | undefined; readonly posts: number | undefined } | undefined
> {
  const timedText = parseDuration(text, longestMs, mostPosts);
  if ('invalidDuration' in timedText) {
    await respond(noLengthMessage(timedText.invalidDuration));
    return undefined;
  }
  const parsedBarcode = parseBarcode(timedText.text);
  switch (parsedBarcode.kind) {
    case 'empty_quotes':
      await respond(emptyQuotesMessage());
      return undefined;
    case 'too_long':
      await respond(tooLongMessage(parsedBarcode.length));
      return undefined;
    default:
      if (timedText.cut) {
        await respond(timedText.posts === undefined ? longestMessage(longestMs) : mostPostsMessage(mostPosts));
      }
      return { value: parsedBarcode.value, forMs: timedText.forMs, posts: timedText.posts };
  }
}
