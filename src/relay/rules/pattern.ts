/**
 * Regular expressions that people enter: RE2, so that time is linear in pattern and text. Patterns too large for
 * a long barcode are rejected, since they would hold up everybody's scans.
 */
import { RE2JS } from 're2js';

/** QR Code, in digits, holds the most of all symbologies. What is longer is no barcode, and matches nothing. */
const longestBarcode = 7_089;
/** Instructions. `[A-Z]{1,1000}` is two thousand of them; `^VIP-[0-9]{6}$` is fourteen. */
const largestPattern = 2_500;
/** Instructions times characters: some 80 ms, of which a scan's commit must not take more. */
const mostSteps = 3_000_000;

/** Whether the pattern is found anywhere in a text, unless it is anchored. @throws when it is none. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  const longest = Math.min(longestBarcode, Math.floor(mostSteps / compiled.programSize()));
  return (text) => text.length <= longest && compiled.matcher(text).find();
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

/** Whether it repeats so much that long barcodes could not be held against it in time. @throws when it is no pattern. */
export function isPatternTooLarge(pattern: string): boolean {
  return RE2JS.compile(pattern).programSize() > largestPattern;
}
