/**
 * The duration at the end of a command's text: `00123 for 2h`, or `00123 for 5 more`. Quoted text is all barcode, so in
 * `"00123 for 2h" for 3d` the duration is 3 days. A malformed duration is an error: read as text, it would make another
 * barcode. Pure.
 */
import { parseBarcode } from '../../lookup/parse-barcodes.js';

export interface TimedText {
  /** The text without the duration. */
  readonly text: string;
  /** The duration in milliseconds; undefined if none was given. */
  readonly forMs: number | undefined;
  /** The number of posts that `for 5 more` names. */
  readonly posts?: number;
  /** Whether the duration was longer than the maximum. */
  readonly cut: boolean;
}

export interface InvalidDuration {
  /** The text that looks like a duration and is not one: `for 2x`. */
  readonly invalidDuration: string;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const durationEnd = /^(.*\S)\s+(for\s+(\d[\d.,]*)\s*(\p{L}*))$/isu;

const length = /^\d{1,9}$/;

/** Reads the duration; a longer one is cut to the maximum. `mostPosts`: 0 where posts are not counted. */
export function parseDuration(typedText: string, longestMs: number, mostPosts = 0): TimedText | InvalidDuration {
  const [, text, duration, count = '', unit = ''] = durationEnd.exec(typedText.trim()) ?? [];
  if (text === undefined || duration === undefined) {
    return { text: typedText, forMs: undefined, cut: false };
  }
  if (mostPosts > 0 && unit.toLowerCase() === 'more' && length.test(count) && Number(count) > 0) {
    const posts = Number(count);
    return { text, forMs: undefined, posts: Math.min(posts, mostPosts), cut: posts > mostPosts };
  }
  const ms = length.test(count) ? Number(count) * (units[unit.toLowerCase()] ?? 0) : 0;
  return ms > 0 ? { text, forMs: Math.min(ms, longestMs), cut: ms > longestMs } : { invalidDuration: duration };
}

/** Reads `until over`, alone or after a barcode. */
export function readUntilOver(typed: string): { readonly untilOver: boolean; readonly value?: string } {
  const [found, text] = /^(?:(.*\S)\s+)?until\s+over$/isu.exec(typed.trim()) ?? [];
  const read = text === undefined ? undefined : parseBarcode(text);
  if (found === undefined || (read && read.kind !== 'value')) {
    return { untilOver: false };
  }
  return { untilOver: true, ...(read ? { value: read.value } : {}) };
}
