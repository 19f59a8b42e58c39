/** Exact comparison of decimal numbers given as text. A comma, an exponent or a unit makes a text no number. Pure. */

interface Decimal {
  readonly negative: boolean;
  /** The digits before the point, without leading zeros. */
  readonly whole: string;
  /** The digits after the point, without trailing zeros. */
  readonly fraction: string;
}

/** Compares two texts: negative, 0 or positive, as for sorting; undefined if one of them is no decimal number. */
export function compareDecimals(a: string, b: string): number | undefined {
  const leftDecimal = parse(a);
  const rightDecimal = parse(b);
  if (!leftDecimal || !rightDecimal) {
    return undefined;
  }
  if (leftDecimal.negative !== rightDecimal.negative) {
    return leftDecimal.negative ? -1 : 1;
  }
  return leftDecimal.negative ? compareSizes(rightDecimal, leftDecimal) : compareSizes(leftDecimal, rightDecimal);
}

export function isDecimal(text: string): boolean {
  return parse(text) !== undefined;
}

/** Parses a number. Spaces around it come from typing and are ignored; a text with a space inside is no number. */
function parse(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(text.trim()) ?? [];
  if (sign === undefined || whole + fraction === '') {
    return undefined;
  }
  const digits = { whole: whole.replace(/^0+/, ''), fraction: withoutZerosAtEnd(fraction) };
  return { ...digits, negative: sign === '-' && digits.whole + digits.fraction !== '' };
}

/** Removes zeros at the end in a loop: a regular expression anchored only at the end would start again at each zero. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') {
    end -= 1;
  }
  return digits.slice(0, end);
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.whole.length !== b.whole.length) {
    return a.whole.length - b.whole.length;
  }
  return compareTexts(a.whole, b.whole) || compareTexts(a.fraction, b.fraction);
}

/** Compares digits as texts: those of equal length sort as numbers do, and fractions always. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
