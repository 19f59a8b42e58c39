/**
 * `/barcode`: alone it opens the lookup form; with text, one card, visible only to the person who ran it. A command's
 * response cannot be replaced, so only a slow lookup posts a line first, which must stay true.
 */
import { plural } from '../../english.js';
import { type Message, message } from '../block-kit/elements.js';
import { barcodeElement, fallback, type LinePart, richText } from '../block-kit/text.js';
import type { Otherwise } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { answerText } from './answer-barcodes.js';
import { topicOf } from './card/card.js';
import { openLookupForm } from './form/actions.js';
import { lookupTitle } from './form/answer-view.js';
import { type BarcodePiece, parseBarcodes } from './parse-barcodes.js';

export const barcodeCommand: Otherwise = {
  usage: 'VALUE',
  description:
    'Look up a barcode, or several. Put one in quotes to keep every character; type \\x1d for a GS1 separator',
  role: 'everyone',
  prepare(text) {
    if (text.trim() === '') {
      return { modalTitle: lookupTitle, run: openLookupForm };
    }
    const parsedText = parseBarcodes(text);
    const topic = parsedText.read.kind === 'value' ? topicOf(parsedText.read) : undefined;
    return { topic, run: (context) => answerCommand(context, parsedText) };
  },
};

async function answerCommand(context: CommandContext, barcodePiece: BarcodePiece): Promise<void> {
  const { slowNotice, topic } = context;
  const started = (databases: number | undefined) =>
    slowNotice.set(searchingMessage(topic.barcode ?? barcodePiece.text, databases));
  await context.respond(await answerText(context, barcodePiece, { started }));
}

/** The message for a slow lookup: the barcode, and how many chosen databases are searched; undefined: the account. */
function searchingMessage(value: string, databases: number | undefined): Message {
  const where = databases === undefined ? 'the account' : plural(databases, 'one database', `${databases} databases`);
  const line: LinePart[] = [
    `Searching ${where} for `,
    barcodeElement(value),
    '. The account is responding slowly. The result will appear here.',
  ];
  return message(`Searching ${where} for ${fallback(value)}.`, [richText(line)]);
}
