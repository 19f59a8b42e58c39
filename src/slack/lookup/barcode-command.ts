/**
 * `/barcode VALUE`: one complete card, visible only to the person who ran it. A command's response cannot be replaced,
 * so only a slow lookup is announced first, by a line that stays true.
 */

import { helpMessage } from '../block-kit/help.js';
import type { CommandTable, Otherwise } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { emptyQuotesMessage, searchingMessage, tooLongMessage } from './card/barcode-hints.js';
import { parseBarcodeText } from './parse-barcode-text.js';

/** The tables come as a function because they contain this command. */
export function barcodeCommand(tables: () => readonly CommandTable[]): Otherwise {
  return {
    usage: 'VALUE',
    description: 'Look up a barcode. Put it in quotes to keep every character; type \\x1d for a GS1 separator',
    role: 'everyone',
    barcodeIn(text) {
      const read = parseBarcodeText(text);
      return read.kind === 'value' ? read.value : undefined;
    },
    async run(context) {
      const read = parseBarcodeText(context.text);
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

async function lookUp({ deps, actor, client, respond, slowNotice }: CommandContext, value: string): Promise<void> {
  const { answer, databases } = await deps.lookups.lookUp(actor.owner, value);
  slowNotice.set(searchingMessage(value, databases));
  const [lookup, mayChange] = await Promise.all([answer, deps.permissions.can(client, actor, 'manager')]);
  await respond(await deps.lookups.card(actor.owner, { lookup }, { mayChange }));
}
