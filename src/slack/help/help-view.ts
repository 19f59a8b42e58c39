/** Help: a few lines by role, or every command from the command tables. Pure. */
import {
  actions,
  type Block,
  button,
  cut,
  type Message,
  type ModalView,
  message,
  modalView,
  plainContext,
  type RichText,
} from '../block-kit/elements.js';
import { bold, bulletList, code, fallback, joined, richText } from '../block-kit/text.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import { highlights } from './highlights.js';
import type { UnknownCommand } from './unknown-command.js';

interface Entry {
  readonly usage?: string;
  readonly description?: string;
  readonly role: RequiredRole;
}

export interface HelpTable {
  readonly command: string;
  readonly subcommands: readonly (Entry & { readonly name: string })[];
  readonly otherwise: Entry;
}

export const showAll = 'help.all';

export function helpMessage(role: RequiredRole): Message {
  return message('What you can do', [richText([bold('What you can do')]), ...helpBlocks(role)]);
}

/** The answer to an unknown subcommand: the typed word, the suggestions, and the help. */
export function unknownCommandMessage({ command, text, suggestions }: UnknownCommand, role: RequiredRole): Message {
  const guesses = suggestions.map((guess) => code(shortened(guess)));
  const question = guesses.length > 0 ? ['Did you mean ', ...joined(guesses, ' or '), '?'] : [];
  return message(`${fallback(`${command} ${text}`)} isn’t a command`, [
    richText(
      [code(`${command} `), code(shortened(text)), ' isn’t a command.'],
      ...(question.length > 0 ? [question] : []),
    ),
    ...helpBlocks(role),
  ]);
}

const shortened = (text: string) => cut(text, 60);

export function helpBlocks(role: RequiredRole): Block[] {
  return [usages(highlights[role]), actions([button('Show all', showAll)], 'help.buttons')];
}

export function allCommandsMessage(tables: readonly HelpTable[]): Message {
  return message('All commands', allCommands(tables));
}

export function allCommandsView(tables: readonly HelpTable[]): ModalView {
  return modalView(allCommandsTitle, allCommands(tables), { callback_id: 'notice' });
}

export const allCommandsTitle = 'All commands';

function allCommands(tables: readonly HelpTable[]): Block[] {
  const entries = tables.flatMap((table) =>
    [table.otherwise, ...table.subcommands]
      .filter((entry) => entry.usage !== undefined)
      .map((entry) => ({ ...entry, typed: `${table.command} ${entry.usage}` })),
  );
  const forAll = entries.filter((entry) => entry.role === 'everyone');
  const forManagers = entries.filter((entry) => entry.role !== 'everyone');
  return [
    richText([bold('For everyone')]),
    usages(forAll),
    ...(forManagers.length > 0 ? [richText([bold('For admins and people with access')]), usages(forManagers)] : []),
    plainContext('Put a barcode in quotes if it starts or ends with a space, or is a word like help: /barcode "help"'),
  ];
}

function usages(entries: readonly { readonly typed: string; readonly description?: string }[]): RichText {
  return bulletList(entries.map((entry) => [code(entry.typed), entry.description ? `  ${entry.description}` : ' ']));
}
