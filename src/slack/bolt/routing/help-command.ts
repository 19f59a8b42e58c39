/** The answer to `/barcode help` and `/scandesk help`, built from the command tables. */
import { helpMessage } from '../../block-kit/help.js';
import type { CommandTable, Otherwise, Subcommand } from './commands.js';

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
export function unknownWord(tables: () => readonly CommandTable[]): Otherwise {
  return {
    role: 'everyone',
    run: ({ respond, command, text }) => respond(helpMessage(tables(), { command, text })),
  };
}
