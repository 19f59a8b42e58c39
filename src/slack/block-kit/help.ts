/** The help, built from the command tables. Pure. */
import { type Block, type Message, message, type RichText } from './elements.js';
import { bold, code, fallback, richSection, richText, textElement } from './text.js';

interface Entry {
  readonly usage?: string;
  readonly description?: string;
  readonly role: 'everyone' | 'manager' | 'admin';
}

export interface HelpTable {
  readonly command: string;
  readonly subcommands: readonly Entry[];
  readonly otherwise: Entry;
}

/** `unknown`: the text that named no command. */
export function helpMessage(
  tables: readonly HelpTable[],
  unknown?: { readonly command: string; readonly text: string },
): Message {
  const heading = unknown
    ? [
        richText([
          code(`${unknown.command} `),
          code(unknown.text.length > 60 ? `${unknown.text.slice(0, 60)}…` : unknown.text),
          textElement(' isn’t a command. Here is what you can do:'),
        ]),
      ]
    : [];
  const text = unknown ? `${fallback(`${unknown.command} ${unknown.text}`)} isn’t a command` : 'What Scandesk can do';
  return message(text, [...heading, ...helpBlocks(tables)]);
}

export function helpBlocks(tables: readonly HelpTable[]): Block[] {
  const entries = tables.flatMap((table) =>
    [table.otherwise, ...table.subcommands]
      .filter((entry) => entry.usage !== undefined)
      .map((entry) => ({ ...entry, typed: `${table.command} ${entry.usage}` })),
  );
  const forAll = entries.filter((entry) => entry.role === 'everyone');
  const forManagers = entries.filter((entry) => entry.role !== 'everyone');
  return [
    richText([bold('For everyone')]),
    list(forAll),
    ...(forManagers.length > 0 ? [richText([bold('For admins and people with access')]), list(forManagers)] : []),
    {
      type: 'context',
      elements: [
        {
          type: 'plain_text',
          text: 'Put a barcode in quotes if it starts or ends with a space, or is a word like help: /barcode "help"',
          emoji: false,
        },
      ],
    },
  ];
}

function list(entries: readonly { readonly typed: string; readonly description?: string }[]): RichText {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: entries.map((entry) =>
          richSection([code(entry.typed), textElement(entry.description ? `  ${entry.description}` : ' ')]),
        ),
      },
    ],
  };
}
