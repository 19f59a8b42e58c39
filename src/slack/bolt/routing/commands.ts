/** The table of a command's subcommands: finds one by the text's first word and checks its permission. */

import { authorize } from '../people/authorize.js';
import type { RequiredRole } from '../people/permissions.js';
import { noticeView } from '../problem/notice.js';
import type { CommandContext } from './context.js';
import type { Unchecked } from './handlers.js';

export interface Subcommand {
  /** The word after the command; case does not matter. */
  readonly name: string;
  /** As shown in help, without the command: `connect`, `make VALUE`. */
  readonly usage: string;
  /** What it does, for help: half a sentence, lower case. */
  readonly description: string;
  readonly role: RequiredRole;
  /** The title of the modal it opens, by the text after its name: shown as loading during the permission check. */
  readonly modalTitle?: string | ((text: string) => string | undefined);
  run(context: CommandContext): Promise<void>;
}

export interface CommandTable {
  readonly command: `/${string}`;
  readonly subcommands: readonly Subcommand[];
  /** Handles text in quotes, or whose first word is no subcommand. */
  readonly otherwise: Otherwise;
  /** The subcommand for an empty text. */
  readonly alone: string;
}

export interface Otherwise {
  /** As shown in help: `VALUE`; absent where there is nothing to explain. */
  readonly usage?: string;
  readonly description?: string;
  readonly role: RequiredRole;
  /** The barcode that the text asks about, if any. */
  readonly barcodeIn?: (text: string) => string | undefined;
  run(context: CommandContext): Promise<void>;
}

/** Slack and phones replace straight quotes by typographic ones. */
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
  entry: Pick<Subcommand, 'role' | 'modalTitle' | 'run'>,
  context: Unchecked<CommandContext>,
): Promise<void> {
  const { role, modalTitle } = entry;
  const title = typeof modalTitle === 'function' ? modalTitle(context.text) : modalTitle;
  const person = await authorize(context, { role, modalTitle: title });
  // The same object goes on, so that an error handler knows of a modal opened before.
  await entry.run(Object.assign(context, { person }));
  // The modal opened because a form was likely; the answer was posted instead.
  if (title !== undefined && context.modal.loading) {
    await context.modal.show(noticeView(title, 'The answer is in the conversation behind this window.'));
  }
}
