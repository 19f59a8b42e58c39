/**
 * Owns "for how long" at the end of a command's text: `00123 for 2h`. In quotes the barcode may end like that itself:
 * `"00123 for 2h"` is one, and `"00123 for 2h" for 3d` says how long. Pure.
 */

export interface TimedText {
  /** What is left of the text. */
  readonly text: string;
  /** Undefined: it was not said. */
  readonly forMs: number | undefined;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const ending = /^(.*\S)\s+for\s+(\d{1,4})\s*(m|h|d|w)$/isu;

/** @param longestMs what is longer becomes that */
export function readTimed(typed: string, longestMs: number): TimedText {
  const [, text, count, unit] = ending.exec(typed.trim()) ?? [];
  const forMs = Number(count) * (units[unit?.toLowerCase() ?? ''] ?? Number.NaN);
  return text === undefined || !(forMs > 0)
    ? { text: typed, forMs: undefined }
    : { text, forMs: Math.min(forMs, longestMs) };
}
