/**
 * Owns how a command's text finds its subcommand, who may, and the help that is made of the table. To add a subcommand:
 * one file in its feature, one line in that feature's index.ts.
 */

import { admitted } from '../people/authorize.js';
import type { Who } from '../people/permissions.js';
import { noticeView } from '../problem/notice.js';
import type { CommandContext } from './context.js';
import type { Unchecked } from './handlers.js';

export interface Subcommand {
  /** The word after the command. Matched without regard to case. */
  readonly name: string;
  /** As help shows it, without the command: `connect`, `make VALUE`. */
  readonly usage: string;
  /** What it does, in half a sentence, small letter first. */
  readonly describes: string;
  readonly who: Who;
  /**
   * The title of the window it opens, by what was typed after its name: shown as loading when checking the permission takes a
   * while.
   */
  readonly opens?: string | ((text: string) => string | undefined);
  run(context: CommandContext): Promise<void>;
}

export interface CommandTable {
  readonly command: `/${string}`;
  readonly subcommands: readonly Subcommand[];
  /** What to do with a text whose first word is no subcommand, or that stands in quotes. */
  readonly otherwise: Otherwise;
  /** For an empty text: the name of a subcommand. */
  readonly alone: string;
}

export interface Otherwise {
  /** How help shows it: `VALUE`; absent where there is nothing to explain. */
  readonly usage?: string;
  readonly describes?: string;
  readonly who: Who;
  /** Of a text that asks about a barcode: which. */
  readonly barcodeIn?: (text: string) => string | undefined;
  run(context: CommandContext): Promise<void>;
}

/** Slack and phones turn quotes into typographic ones. */
const quotes = /^["“”„‟＂]/;

export async function dispatchCommand(table: CommandTable, context: Unchecked<CommandContext>): Promise<void> {
  const typed = context.text.trim();
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(typed) ?? [];
  const name = typed === '' ? table.alone : word.toLowerCase();
  const found = quotes.test(typed) ? undefined : table.subcommands.find((subcommand) => subcommand.name === name);
  if (found) {
    await runAs(found, { ...context, text: rest });
  } else {
    const barcode = table.otherwise.barcodeIn?.(context.text);
    if (barcode !== undefined) {
      context.topic.barcode = barcode;
    }
    await runAs(table.otherwise, context);
  }
}

async function runAs(
  entry: Pick<Subcommand, 'who' | 'opens' | 'run'>,
  context: Unchecked<CommandContext>,
): Promise<void> {
  const { who, opens } = entry;
  const title = typeof opens === 'function' ? opens(context.text) : opens;
  const person = await admitted(context, { who, opens: title });
  // A subcommand's context is the same object, so that an open window is known to whoever tells about trouble.
  await entry.run(Object.assign(context, { person }));
  // It was opened because a form was likely, and then the answer was none.
  if (title !== undefined && context.window.loading) {
    await context.window.show(noticeView(title, 'The answer is in the conversation.'));
  }
}
