/**
 * `/barcode VALUE`: one complete card, visible only to the person who ran it. A command's response cannot be replaced,
 * so only a slow lookup is announced first, by a line that stays true.
 */

import { plural } from '../../english.js';
import { type Message, message, type RichTextElement } from '../block-kit/elements.js';
import { barcodeElement, fallback, richText, textElement } from '../block-kit/text.js';
import type { Otherwise } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { help } from '../help/help-command.js';
import { emptyQuotesMessage, tooLongMessage } from './card/barcode-hints.js';
import { topicOf } from './card/card.js';
import { lookUpCard } from './look-up.js';
import { parseBarcodeText } from './parse-barcode-text.js';

export const barcodeCommand: Otherwise = {
  usage: 'VALUE',
  description: 'Look up a barcode. Put it in quotes to keep every character; type \\x1d for a GS1 separator',
  role: 'everyone',
  prepare(text) {
    const read = parseBarcodeText(text);
    switch (read.kind) {
      case 'help':
        return { run: help.run };
      case 'empty_quotes':
        return { run: ({ respond }) => respond(emptyQuotesMessage()) };
      case 'too_long':
        return { run: ({ respond }) => respond(tooLongMessage(read.length)) };
      case 'value':
        return { topic: topicOf(read.value), run: (context) => lookUp(context, read.value) };
    }
  },
};

async function lookUp(context: CommandContext, value: string): Promise<void> {
  const started = (databases: number | undefined) => context.slowNotice.set(searchingMessage(value, databases));
  await context.respond(await lookUpCard(context, value, { started }));
}

/** For a slow lookup: what is being searched. `databases`: how many, if known. */
function searchingMessage(value: string, databases: number | undefined): Message {
  const where = databases === undefined ? 'the account' : plural(databases, 'one database', `${databases} databases`);
  const line: RichTextElement[] = [
    textElement(`Searching ${where} for `),
    barcodeElement(value),
    textElement('. The account is responding slowly. The result will appear here.'),
  ];
  return message(`Searching ${where} for ${fallback(value)}.`, [richText(line)]);
}
