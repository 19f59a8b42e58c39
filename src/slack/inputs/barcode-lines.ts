/**
 * Lists of barcodes as typed: one on each line, verbatim except that no key types control characters, which are typed and
 * shown as `\x1d`.
 */
import { typedForm, withHidden } from '../../codereadr/xml/hidden-characters.js';
import { longestText } from '../forms/inputs.js';

/** The barcodes of a text. Empty lines are skipped: no barcode is empty. A repeated barcode is listed once. */
export function readLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '');
  return [...new Set(lines.map(withHidden))];
}

/** The barcodes as an input holds them; undefined if they do not fit, or would be read back differently. */
export function typedLines(values: readonly string[]): string | undefined {
  const text = values.map(typedForm).join('\n');
  const back = readLines(text);
  const same = back.length === new Set(values).size && back.every((value, at) => value === values[at]);
  // Slack trims both ends of an input.
  return text.length <= longestText && same && text.trim() === text ? text : undefined;
}
