/**
 * Regular expressions that people enter: RE2, so that time is linear in pattern and text. The rule's form rejects a
 * pattern too large for a long barcode; a stored one is matched only with short texts, so as not to hold up all scans.
 */
import { RE2JS } from 're2js';

/** QR Code holds the most digits of all symbologies. A longer text is no barcode, and matches nothing. */
const longestBarcode = 7_089;
/** The most instructions of a pattern. `[A-Z]{1,1000}` is two thousand of them; `^VIP-[0-9]{6}$` is fourteen. */
const largestPattern = 2_500;
/** The most instructions times characters: some 80 ms, the most that a scan's commit may spend. */
const mostSteps = 3_000_000;

/**
 * Compiles a pattern, which matches anywhere in a text, unless anchored.
 * @param exact whether case counts
 * @throws if the text is no pattern
 */
export function compilePattern(pattern: string, exact = true): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern, exact ? 0 : RE2JS.CASE_INSENSITIVE);
  const longest = Math.min(longestBarcode, Math.floor(mostSteps / compiled.programSize()));
  return (text) => text.length <= longest && compiled.matcher(text).find();
}

/** The library's error message for an invalid pattern; undefined for a valid one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'not a pattern';
  }
}

/**
 * Whether the pattern repeats too much to be matched with long barcodes in time.
 * @throws if the text is not a pattern
 */
export function isPatternTooLarge(pattern: string): boolean {
  return RE2JS.compile(pattern).programSize() > largestPattern;
}
