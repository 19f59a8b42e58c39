/** Exact comparison of decimal numbers given as text. A comma, an exponent or a unit makes a text no number. Pure. */

interface Decimal {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** Compares two texts: negative, 0 or positive, as for sorting; undefined if one of them is no decimal number. */
export function compareDecimals(a: string, b: string): number | undefined {
  const [left, right] = [parse(a), parse(b)];
  if (!left || !right) {
    return undefined;
  }
  if (left.isNegative !== right.isNegative) {
    return left.isNegative ? -1 : 1;
  }
  // Digits sort as their numbers do once both have equally many before and after the point.
  const before = Math.max(left.whole.length, right.whole.length);
  const after = Math.max(left.fraction.length, right.fraction.length);
  const [smaller = '', greater = ''] = (left.isNegative ? [right, left] : [left, right]).map(
    ({ whole, fraction }) => whole.padStart(before, '0') + fraction.padEnd(after, '0'),
  );
  return smaller === greater ? 0 : smaller < greater ? -1 : 1;
}

export function isDecimal(text: string): boolean {
  return parse(text) !== undefined;
}

/** Parses a number. Spaces around it come from typing and are ignored; a text with a space inside is no number. */
function parse(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(text.trim()) ?? [];
  const digits = whole + fraction;
  return digits === '' ? undefined : { isNegative: sign === '-' && /[1-9]/.test(digits), whole, fraction };
}
