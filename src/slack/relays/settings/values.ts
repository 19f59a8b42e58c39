/**
 * Owns lists of barcodes as people type them: one a line, letter by letter. Only the line's end is no part of a barcode. The
 * separator of GS1 barcodes has no key: it is typed, and shown, as `\x1d`.
 */
import { typedBarcode } from '../../operations/form/held.js';
import { longestText } from './inputs.js';

/** Empty lines are none: there is no empty barcode. What comes twice is listed once. */
export function readLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '');
  return [...new Set(lines.map(typedBarcode))];
}

/** Undefined where they do not fit an input, or would be others when read again. */
export function typedLines(values: readonly string[]): string | undefined {
  const text = values.map((value) => value.replaceAll('\u001d', '\\x1d')).join('\n');
  const back = readLines(text);
  const same = back.length === new Set(values).size && back.every((value, at) => value === values[at]);
  // Slack takes space away at both ends of an input.
  return text.length <= longestText && same && text.trim() === text ? text : undefined;
}
