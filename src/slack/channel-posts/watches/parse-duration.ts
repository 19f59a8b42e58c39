/**
 * The duration at the end of a command's text: `00123 for 2h`, or `00123 for 5 more`. Text in one pair of quotes is all
 * barcode, so in `"00123 for 2h" for 3d` the duration is 3 days. Whatever else follows the last `for`, even nothing, is
 * an error: read as text, it would make another barcode. Pure.
 */
import { isQuoted } from '../../bolt/quotes.js';
import { parseBarcode } from '../../lookup/parse-barcodes.js';

export interface TimedText {
  /** The text without the duration. */
  readonly text: string;
  /** The duration in milliseconds; undefined if none was given. */
  readonly forMs: number | undefined;
  /** The number of posts that `for 5 more` names. */
  readonly posts?: number;
  /** Whether the duration or the number of posts was above its maximum, and was cut to it. */
  readonly cut: boolean;
}

export interface InvalidDuration {
  /** The text in the place of a duration that is not one: `for 2x`, or `for` alone. */
  readonly invalidDuration: string;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const durationEnd = /^(.*\S)\s+(for(?:\s+(\S.*))?)$/isu;

const countAndUnit = /^(\d{1,9})\s*(\p{L}+)$/u;

/** Reads the duration, cut to the maximum. `mostPosts`: the most that `for 5 more` may name; 0 if it is not allowed. */
export function parseDuration(typedText: string, longestMs: number, mostPosts = 0): TimedText | InvalidDuration {
  const trimmedText = typedText.trim();
  const [, text, duration, length = ''] = durationEnd.exec(trimmedText) ?? [];
  if (text === undefined || duration === undefined || isQuoted.test(trimmedText)) {
    return { text: typedText, forMs: undefined, cut: false };
  }
  const [, digits, letters = ''] = countAndUnit.exec(length) ?? [];
  const count = Number(digits ?? 0);
  const unit = letters.toLowerCase();
  if (mostPosts > 0 && unit === 'more' && count > 0) {
    return { text, forMs: undefined, posts: Math.min(count, mostPosts), cut: count > mostPosts };
  }
  const ms = count * (units[unit] ?? 0);
  return ms > 0 ? { text, forMs: Math.min(ms, longestMs), cut: ms > longestMs } : { invalidDuration: duration };
}

/** Reads `until over`, alone or after a barcode. Empty quotes, or a barcode that is too long, make it other text. */
export function readUntilOver(typedText: string): { readonly untilOver: boolean; readonly value?: string } {
  const [found, text] = /^(?:(.*\S)\s+)?until\s+over$/isu.exec(typedText.trim()) ?? [];
  const read = text === undefined ? undefined : parseBarcode(text);
  if (found === undefined || (read && read.kind !== 'value')) {
    return { untilOver: false };
  }
  return { untilOver: true, ...(read ? { value: read.value } : {}) };
}
