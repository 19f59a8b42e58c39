/**
 * Owns the answer to `/barcode help` and `/scandesk help`: made of the tables, so that it names what there is.
 */
import { helpMessage } from '../../block-kit/help.js';
import type { CommandTable, Otherwise, Subcommand } from './commands.js';

/** The tables come as a function: they hold the help themselves. */
export function helpCommand(tables: () => readonly CommandTable[]): Subcommand {
  return {
    name: 'help',
    usage: 'help',
    describes: 'shows this help',
    who: 'everyone',
    run: ({ respond }) => respond(helpMessage(tables())),
  };
}

/** For a word that no subcommand has: what was typed, and the help. */
export function unknownWord(tables: () => readonly CommandTable[]): Otherwise {
  return {
    who: 'everyone',
    run: ({ respond, command, text }) => respond(helpMessage(tables(), { command, text })),
  };
}
