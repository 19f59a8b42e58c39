/** The check digit of GTINs, GLNs and SSCCs: weights 3 and 1 from the right (GS1 General Specifications, 7.9). Pure. */

export function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** True of digits that are as long as an EAN-8, UPC-A, EAN-13 or GTIN-14 but have another check digit. */
export function hasWrongCheckDigit(value: string): boolean {
  return /^(?:\d{8}|\d{12,14})$/.test(value) && !hasValidCheckDigit(value);
}
