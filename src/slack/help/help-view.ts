/** Help: a few lines by role, or every command by subject. Pure. */
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
import { commandGroups } from './command-groups.js';
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
  return [
    ...commandGroups.flatMap(({ title, commands }) => [
      richText([bold(title)]),
      usages(commands.flatMap((each) => entryOf(tables, each) ?? [])),
    ]),
    plainContext(
      '* For admins and people with access.\nPut a barcode in quotes if it starts or ends with a space, or is a word like help: /barcode "help"',
    ),
  ];
}

function entryOf(tables: readonly HelpTable[], typed: string) {
  const [command, name] = typed.split(' ');
  const table = tables.find((each) => each.command === command);
  const entry = name === undefined ? table?.otherwise : table?.subcommands.find((each) => each.name === name);
  const note = entry?.role === 'everyone' ? '' : ' *';
  return entry && { typed: `${command} ${entry.usage}`, description: `${entry.description}${note}` };
}

function usages(entries: readonly { readonly typed: string; readonly description?: string }[]): RichText {
  return bulletList(entries.map((entry) => [code(entry.typed), entry.description ? `  ${entry.description}` : ' ']));
}
