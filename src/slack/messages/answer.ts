/** The answer to a message: the cards of the barcodes in its text and its pictures. */
import { countOf } from '../../english.js';
import { isGs1, type PictureBarcode } from '../../images/index.js';
import { textMessage } from '../block-kit/text.js';
import type { MessageContext } from '../bolt/routing/context.js';
import { refuseTyped } from '../bolt/routing/typed-text.js';
import { answerBarcodes, answerText } from '../lookup/answer-barcodes.js';
import { isTooLong, parseBarcodes } from '../lookup/parse-barcodes.js';
import { type Note, nothingFound, withNotes } from './answer-message.js';
import { picturesOf, readPictures } from './read-pictures.js';
import { barcodesIn, isSentence } from './typed-text.js';

/** `thread`: where the person may share the answer; `none` in the app's own conversation. */
interface TypedMessage {
  readonly text: string;
  readonly thread: string;
}

/** Answers anybody's message: with the barcodes that `barcodesIn` finds in its text, and those in its pictures. */
export async function answerMessage(context: MessageContext, message: TypedMessage): Promise<void> {
  await refuseTyped(context, message.text);
  await answerFreeText(context, message);
}

async function answerFreeText(context: MessageContext, { text, thread }: TypedMessage): Promise<void> {
  const pictures = picturesOf(context.message.files);
  if (pictures.length > 0) {
    context.slowNotice.set(readingMessage(pictures.length));
  }
  const reading = await readPictures(context, pictures);
  const values = new Map<string, PictureBarcode | undefined>(barcodesIn(text).map((value) => [value, undefined]));
  for (const barcode of reading.barcodes) {
    values.set(barcode.text, barcode);
  }
  const long = [...values.keys()].filter(isTooLong).map((value): Note => ({ kind: 'long', length: [...value].length }));
  const isUnstorable = (value: string) => value.includes('\0');
  const unstorableNotes = [...values.keys()].filter(isUnstorable).map((): Note => ({ kind: 'unstorable' }));
  const notes = [...reading.notes, ...long, ...unstorableNotes];
  const barcodes = [...values].filter(([value]) => !isTooLong(value) && !isUnstorable(value));
  if (barcodes.length === 0) {
    await context.respond(nothingFound(notes));
    return;
  }
  const symbologies = new Map(
    barcodes.flatMap(([value, barcode]) => (barcode && isGs1(barcode) ? [[value, barcode.symbology]] : [])),
  );
  const card = await answerBarcodes(
    { ...context, thread, symbologies },
    barcodes.map(([value]) => value),
  );
  await context.respond(withNotes(card, notes));
}

/** Answers a message to Scandesk: as `/barcode` does, or as `answerMessage` a sentence, code or pictures. */
export async function answerAddressed(context: MessageContext, { text, thread }: TypedMessage): Promise<void> {
  const trimmedText = text.trim();
  await refuseTyped(context, trimmedText);
  const isFree = picturesOf(context.message.files).length > 0 || trimmedText.includes('`') || isSentence(trimmedText);
  if (isFree) {
    await answerFreeText(context, { text: trimmedText, thread });
  } else {
    await context.respond(await answerText({ ...context, thread }, parseBarcodes(trimmedText)));
  }
}

function readingMessage(count: number) {
  return textMessage(
    `Reading ${count === 1 ? 'the picture' : countOf(count, 'picture')}… The answer will appear here.`,
  );
}
