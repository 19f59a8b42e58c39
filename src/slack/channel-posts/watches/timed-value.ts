/** Reads the barcode and duration of `watch` and `mute`. Where one is not valid, it answers the person itself. */
import type { CommandContext } from '../../bolt/routing/context.js';
import { emptyQuotesMessage, noLengthMessage, tooLongMessage } from '../../lookup/card/barcode-hints.js';
import { parseBarcode } from '../../lookup/parse-barcodes.js';
import { parseDuration, type TimedText } from './parse-duration.js';

export interface TimedValue extends Omit<TimedText, 'text'> {
  readonly value: string;
}

/** Reads the text; an absent duration is undefined. The result is undefined if the person got an error as answer. */
export async function readTimedValue(
  { respond, text }: Pick<CommandContext, 'respond' | 'text'>,
  longestMs: number,
  mostPosts = 0,
): Promise<TimedValue | undefined> {
  const timed = parseDuration(text, longestMs, mostPosts);
  if ('invalidDuration' in timed) {
    await respond(noLengthMessage(timed.invalidDuration));
    return undefined;
  }
  const { text: barcodeText, ...duration } = timed;
  const parsedBarcode = parseBarcode(barcodeText);
  switch (parsedBarcode.kind) {
    case 'empty_quotes':
      await respond(emptyQuotesMessage());
      return undefined;
    case 'too_long':
      await respond(tooLongMessage(parsedBarcode.length));
      return undefined;
    default:
      return { value: parsedBarcode.value, ...duration };
  }
}
