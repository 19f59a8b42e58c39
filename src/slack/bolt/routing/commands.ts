/** The table of a command's subcommands: finds one by the text's first word and checks its permission; and the help. */

import { helpMessage } from '../../block-kit/help.js';
import { authorize, type RequiredRole } from '../people/permissions.js';
import { noticeView } from '../problem/notice.js';
import type { CommandContext } from './context.js';
import type { Unchecked } from './handlers.js';

/** What runs, and the title of the modal it opens: shown as loading during the permission check. */
export interface Runnable {
  readonly modalTitle?: string | undefined;
  run(context: CommandContext): Promise<void>;
}

interface Described {
  /** The word after the command; case does not matter. */
  readonly name: string;
  /** As shown in help, without the command: `connect`, `make VALUE`. */
  readonly usage: string;
  /** What it does, for help: half a sentence, lower case. */
  readonly description: string;
  readonly role: RequiredRole;
}

/** `prepare` parses the text after the name, once: what runs, and in which modal, follows from it. */
export type Subcommand = Described & (Runnable | { prepare(text: string): Runnable });

export interface CommandTable {
  readonly command: `/${string}`;
  readonly subcommands: readonly Subcommand[];
  /** Handles text in quotes and text that starts with no subcommand. */
  readonly otherwise: Otherwise;
  /** The subcommand for an empty text. */
  readonly alone: string;
}

export interface Otherwise {
  /** As shown in help: `VALUE`; absent where there is nothing to explain. */
  readonly usage?: string;
  readonly description?: string;
  readonly role: RequiredRole;
  /** The barcode in the text, if any. */
  readonly barcodeIn?: (text: string) => string | undefined;
  run(context: CommandContext): Promise<void>;
}

/** Slack and phones replace straight quotes by typographic ones. */
const quotes = /^["“”„‟＂]/;

export async function dispatchCommand(table: CommandTable, context: Unchecked<CommandContext>): Promise<void> {
  const typed = context.text.trim();
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(typed) ?? [];
  const name = typed === '' ? table.alone : first.toLowerCase();
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

async function runAs(entry: Subcommand | Otherwise, context: Unchecked<CommandContext>): Promise<void> {
  const runnable: Runnable = 'prepare' in entry ? entry.prepare(context.text) : entry;
  const { modalTitle: title } = runnable;
  const person = await authorize(context, { role: entry.role, modalTitle: title });
  // The same object goes on, so that an error handler knows of a modal opened before.
  await runnable.run(Object.assign(context, { person }));
  // The modal opened because a form was likely; the answer was posted instead.
  if (title !== undefined && context.modal.loading) {
    await context.modal.show(noticeView(title, 'The answer is in the conversation behind this dialog.'));
  }
}

/** A function, since the tables contain the help command themselves. */
export function helpCommand(tables: () => readonly CommandTable[]): Subcommand {
  return {
    name: 'help',
    usage: 'help',
    description: 'Show this help',
    role: 'everyone',
    run: ({ respond }) => respond(helpMessage(tables())),
  };
}

/** For an unknown subcommand: what was typed, and the help. */
export function unknownSubcommand(tables: () => readonly CommandTable[]): Otherwise {
  return {
    role: 'everyone',
    run: ({ respond, command, text }) => respond(helpMessage(tables(), { command, text })),
  };
}
