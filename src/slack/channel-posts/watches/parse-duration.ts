/**
 * Owns "for how long" at the end of a command's text: `00123 for 2h`. In quotes the barcode may end like that itself:
 * `"00123 for 2h"` is one, and `"00123 for 2h" for 3d` says how long. Refuses what looks like a length and is none: taken
 * into the barcode, it would make another one of it. Pure.
 */

export interface TimedText {
  /** What is left of the text. */
  readonly text: string;
  /** Undefined: it was not said. */
  readonly forMs: number | undefined;
  /** More was asked for than there can be. */
  readonly cut: boolean;
}

export interface NoLength {
  /** What stands where a length would: `for 2x`. */
  readonly noLength: string;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const ending = /^(.*\S)\s+(for\s+(\d[\d.,]*)\s*(\p{L}*))$/isu;

const length = /^\d{1,9}$/;

/** @param longestMs what is longer becomes that */
export function readTimed(typed: string, longestMs: number): TimedText | NoLength {
  const [, text, said, count = '', unit = ''] = ending.exec(typed.trim()) ?? [];
  if (text === undefined || said === undefined) {
    return { text: typed, forMs: undefined, cut: false };
  }
  const asked = length.test(count) ? Number(count) * (units[unit.toLowerCase()] ?? 0) : 0;
  return asked > 0 ? { text, forMs: Math.min(asked, longestMs), cut: asked > longestMs } : { noLength: said };
}
