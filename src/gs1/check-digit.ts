/** The check digit of GTINs, GLNs and SSCCs: weights 3 and 1 from the right (GS1 General Specifications, 7.9). Pure. */

export function hasValidCheckDigit(digits: string): boolean {
  return sumOf(digits) % 10 === 0;
}

/** The digits followed by their check digit. */
export function withCheckDigit(digits: string): string {
  return `${digits}${(10 - (sumOf(`${digits}0`) % 10)) % 10}`;
}

function sumOf(digits: string): number {
  return [...digits].reverse().reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 1 : 3), 0);
}

/** The digits of an EAN-8, UPC-A, EAN-13 or GTIN-14, by their number. */
const articleNumber = /^(?:\d{8}|\d{12,14})$/;

/** True of digits that may be an article number but have another check digit. */
export function hasWrongCheckDigit(value: string): boolean {
  return articleNumber.test(value) && !hasValidCheckDigit(value);
}

/** True of digits that may be an article number and have its check digit. */
export function hasRightCheckDigit(value: string): boolean {
  return articleNumber.test(value) && hasValidCheckDigit(value);
}

/** The digits of an article number or an SSCC, by their number. */
const checkedNumber = /^(?:\d{8}|\d{12,14}|\d{18})$/;

/** Whether the check digit fits; undefined if the value is neither an article number nor an SSCC by its length. */
export function checkDigitFits(value: string): boolean | undefined {
  return checkedNumber.test(value) ? hasValidCheckDigit(value) : undefined;
}
