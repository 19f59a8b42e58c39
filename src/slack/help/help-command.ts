/** `/scandesk help` and `/barcode help`; the answer to an unknown subcommand; every command behind *Show all*. */
import type { Otherwise, Subcommand } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import {
  allCommandsMessage,
  allCommandsTitle,
  allCommandsView,
  type HelpTable,
  helpMessage,
  showAll,
  unknownCommandMessage,
} from './help-view.js';
import { unknownCommand } from './unknown-command.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    /** The tables of all commands that help shows. */
    readonly commands: () => readonly HelpTable[];
  }
}

export const help = {
  name: 'help',
  usage: 'help',
  description: 'Show this help',
  role: 'everyone',
  run: async ({ deps, client, actor, respond }: CommandContext) =>
    respond(helpMessage(await deps.permissions.highestRole(client, actor))),
} as const satisfies Subcommand;

export const unknownSubcommand: Otherwise = {
  role: 'everyone',
  run: async ({ deps, client, actor, respond, command, text }) => {
    const role = await deps.permissions.highestRole(client, actor);
    await respond(unknownCommandMessage(unknownCommand(deps.commands(), command, text), role));
  },
};

/** Shows all commands in place of the message; over App Home in a modal. */
export const allCommandsShown = action(showAll, {
  role: 'everyone',
  modalTitle: ({ body }) => (body.view ? allCommandsTitle : undefined),
  run: async ({ deps, body, respond, modal }) => {
    if (body.view) {
      await modal.show(allCommandsView(deps.commands()));
    } else {
      await respond(allCommandsMessage(deps.commands()), { replace: true });
    }
  },
});
