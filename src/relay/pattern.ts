/**
 * Owns a person's regular expressions: RE2, so that no pattern takes longer than in proportion to what it reads.
 */
import { RE2JS } from 're2js';

/** QR Code, in digits, holds the most of all symbologies. What is longer is no barcode, and matches nothing. */
const longestBarcode = 7_089;

/** Whether the pattern is found anywhere in a text, unless it is anchored. @throws when it is none. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => text.length <= longestBarcode && compiled.matcher(text).find();
}

/** Undefined when it is a pattern; else what is wrong with it, in the library's words. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'not a pattern';
  }
}
