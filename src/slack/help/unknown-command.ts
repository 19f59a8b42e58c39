/** What was meant by a command that does not exist: near subcommands, or a barcode typed after the wrong command. Pure. */
import { nearest } from '../bolt/did-you-mean.js';

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

/** `text`: what followed the command. What was typed after its first word stays. */
export function unknownCommand(tables: readonly Table[], command: string, text: string): Unknown {
  const [, first = '', rest = ''] = /^\s*(\S*)([\s\S]*)$/.exec(text) ?? [];
  const ownFirst = tables.toSorted((a, b) => Number(b.command === command) - Number(a.command === command));
  const commandOf = new Map(
    ownFirst.toReversed().flatMap((table) => table.subcommands.map(({ name }) => [name, table.command])),
  );
  const [closest, next] = nearest(first, [...commandOf.keys()]);
  const names = closest === first.toLowerCase() ? [closest] : [closest, next].filter((name) => name !== undefined);
  const barcodes = /\d/.test(first) ? [`/barcode ${text.trim()}`] : [];
  return { command, text, meant: [...names.map((name) => `${commandOf.get(name)} ${name}${rest}`), ...barcodes] };
}
