/** What a person may have meant by an unknown subcommand: a typo, another command's word, or a barcode. Pure. */
import { mistyped } from '../../did-you-mean.js';

export interface UnknownCommand {
  readonly command: string;
  readonly text: string;
  /** Commands to type instead, most likely first. */
  readonly suggestions: readonly string[];
}

interface Table {
  readonly command: string;
  readonly subcommands: readonly { readonly name: string }[];
}

/** The most suggestions: nobody reads a longer list. */
const mostNames = 2;

/** People's words: alerts are rules of a relay. It is a map, since an object has a word `constructor`. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ...['alert', 'alerts', 'burst', 'bursts', 'silence', 'silences'].map((word) => [word, '/scandesk relay'] as const),
  ...['list', 'lists'].map((word) => [word, '/scandesk inside'] as const),
]);

/** `text`: the text after the command. The suggestions keep what follows its first word. */
export function unknownCommand(tables: readonly Table[], command: string, text: string): UnknownCommand {
  const [, firstWord = '', argumentText = ''] = /^\s*(\S*)([\s\S]*)$/.exec(text) ?? [];
  const hasFirstWord = (table: Table) => table.subcommands.some(({ name }) => name === firstWord.toLowerCase());
  const synonym = synonyms.get(firstWord.toLowerCase());
  const otherTable = tables.find((table) => table.command !== command && hasFirstWord(table));
  const ownSubcommands = tables.find((table) => table.command === command)?.subcommands.map(({ name }) => name) ?? [];
  const commands = synonym
    ? [synonym]
    : otherTable
      ? [`${otherTable.command} ${firstWord.toLowerCase()}`]
      : mistyped(firstWord, ownSubcommands)
          .slice(0, mostNames)
          .map((name) => `${command} ${name}`);
  const barcodes = /\d/.test(firstWord) ? [`/barcode ${text.trim()}`] : [];
  return { command, text, suggestions: [...commands.map((each) => `${each}${argumentText}`), ...barcodes] };
}
