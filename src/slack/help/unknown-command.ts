/** What was meant by a command that does not exist: its own words, mistyped, another command's word, or a barcode typed after the wrong command. Pure. */
import { mistyped } from '../bolt/did-you-mean.js';

export interface Unknown {
  readonly command: string;
  readonly text: string;
  /** Commands to type instead, most likely first. */
  readonly meant: readonly string[];
}

interface Table {
  readonly command: string;
  readonly subcommands: readonly { readonly name: string }[];
}

/** The most suggestions: nobody reads a longer list. */
const mostNames = 2;

/** People's words for alerts, which are rules of a relay. It is a map, since an object has a word `constructor`. */
const synonyms: ReadonlyMap<string, string> = new Map(
  ['alert', 'alerts', 'burst', 'bursts', 'silence', 'silences'].map((word) => [word, '/scandesk relay']),
);

/** The answer's parts. `text`: the text after the command. The text after its first word stays in the suggestions. */
export function unknownCommand(tables: readonly Table[], command: string, text: string): Unknown {
  const [, firstWord = '', argumentText = ''] = /^\s*(\S*)([\s\S]*)$/.exec(text) ?? [];
  const has = (table: Table) => table.subcommands.some(({ name }) => name === firstWord.toLowerCase());
  const synonym = synonyms.get(firstWord.toLowerCase());
  const otherTable = tables.find((table) => table.command !== command && has(table));
  const ownSubcommands = tables.find((table) => table.command === command)?.subcommands.map(({ name }) => name) ?? [];
  const suggestions = synonym
    ? [synonym]
    : otherTable
      ? [`${otherTable.command} ${firstWord.toLowerCase()}`]
      : mistyped(firstWord, ownSubcommands)
          .slice(0, mostNames)
          .map((name) => `${command} ${name}`);
  const barcodes = /\d/.test(firstWord) ? [`/barcode ${text.trim()}`] : [];
  return { command, text, meant: [...suggestions.map((each) => `${each}${argumentText}`), ...barcodes] };
}
