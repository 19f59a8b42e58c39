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

/** More make a list that nobody reads. */
const mostNames = 2;

/** What people call alerts, which are rules of a relay. A map: `constructor` is a word. */
const synonyms: ReadonlyMap<string, string> = new Map(
  ['alert', 'alerts', 'burst', 'bursts', 'silence', 'silences'].map((word) => [word, '/scandesk relay']),
);

/** `text`: what followed the command. What was typed after its first word stays. */
export function unknownCommand(tables: readonly Table[], command: string, text: string): Unknown {
  const [, first = '', rest = ''] = /^\s*(\S*)([\s\S]*)$/.exec(text) ?? [];
  const has = (table: Table) => table.subcommands.some(({ name }) => name === first.toLowerCase());
  const synonym = synonyms.get(first.toLowerCase());
  const elsewhere = tables.find((table) => table.command !== command && has(table));
  const own = tables.find((table) => table.command === command)?.subcommands.map(({ name }) => name) ?? [];
  const meant = synonym
    ? [synonym]
    : elsewhere
      ? [`${elsewhere.command} ${first.toLowerCase()}`]
      : mistyped(first, own)
          .slice(0, mostNames)
          .map((name) => `${command} ${name}`);
  const barcodes = /\d/.test(first) ? [`/barcode ${text.trim()}`] : [];
  return { command, text, meant: [...meant.map((each) => `${each}${rest}`), ...barcodes] };
}
