/**
 * Check digit of GS1 numbers (EAN-8, UPC-A, EAN-13, GTIN-14, SSCC), modulo 10: GS1 General Specifications, 7.9. Pure;
 * the value stays text, with its leading zeros.
 */

/** Lengths, including the check digit. */
const lengths: ReadonlySet<number> = new Set([8, 12, 13, 14, 18]);

/** Undefined if the value does not look like such a number. */
export function checkDigitFits(value: string): boolean | undefined {
  return lengths.has(value.length) && /^[0-9]+$/.test(value)
    ? value.charCodeAt(value.length - 1) - zero === checkDigit(value.slice(0, -1))
    : undefined;
}

const zero = 48;

/** Weights 3, 1, 3, … from the right; the check digit completes the sum to a multiple of ten. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const weight = (digits.length - at) % 2 === 1 ? 3 : 1;
    sum += weight * (digits.charCodeAt(at) - zero);
  }
  return (10 - (sum % 10)) % 10;
}
