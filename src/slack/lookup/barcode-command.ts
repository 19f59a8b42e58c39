/**
 * Owns `/barcode VALUE`: one complete card for the asker's eyes. What a response_url of a command posted cannot be
 * replaced, so an answer in the making is told only when it takes long, in one line that stays true.
 */
import { readBarcodeText } from '../block-kit/barcode-text.js';
import { helpMessage } from '../block-kit/help.js';
import type { CommandTable, Otherwise } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { askingMessage, emptyQuotesMessage, tooLongMessage } from './card/barcode-hints.js';

/** The tables come as a function: they hold this command themselves. */
export function barcodeCommand(tables: () => readonly CommandTable[]): Otherwise {
  return {
    usage: 'VALUE',
    describes: 'looks a barcode up; in quotes it is taken to the letter, and \\x1d is the separator of GS1',
    who: 'everyone',
    barcodeIn(text) {
      const read = readBarcodeText(text);
      return read.kind === 'value' ? read.value : undefined;
    },
    async run(context) {
      const read = readBarcodeText(context.text);
      switch (read.kind) {
        case 'help':
          return context.respond(helpMessage(tables()));
        case 'empty_quotes':
          return context.respond(emptyQuotesMessage());
        case 'too_long':
          return context.respond(tooLongMessage(read.length));
        case 'value':
          return lookUp(context, read.value);
      }
    },
  };
}

async function lookUp({ deps, asker, client, respond, word }: CommandContext, value: string): Promise<void> {
  const { answer, databases } = await deps.lookups.ask(asker.owner, value);
  word.set(askingMessage(value, databases));
  const [lookup, mayChange] = await Promise.all([answer, deps.permissions.may(client, asker, 'manager')]);
  await respond(await deps.lookups.card(asker.owner, { lookup }, { mayChange }));
}
