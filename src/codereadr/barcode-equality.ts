/** Equality of barcodes as the account sees it. Only compares: a value is shown and sent exactly as it came. */

/** Characters that XML 1.0 cannot carry, which an answer may lack: C0 except tab and line ends, U+FFFE and U+FFFF. */
const lostInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Line ends that the XML standard has a parser normalize to one LF. */
const lineEnds = /\r\n?/g;

/** The value in the form in which an answer carries it. */
export function asAnswered(value: string): string {
  return value.replace(lostInXml, '').replace(lineEnds, '\n');
}

/** True where no answer can contain the value unchanged: only an exact search tells whether the account has it. */
export function isLostInAnswers(value: string): boolean {
  return asAnswered(value) !== value;
}

/** True if an answer drops characters, so that the barcode looks like another barcode that lacks the characters. */
export function losesCharacters(value: string): boolean {
  return value.replace(lostInXml, '') !== value;
}

/** `]C1` and the like, then a GTIN or an SSCC: the other fields of such a barcode often need separators. */
const gs1Shape = /^(?:\][CdQe][0-3])?0[012]\d{14}/;

/** True where a value may be a GS1 barcode whose separators the answer dropped. */
export function mayLackSeparators(value: string): boolean {
  return gs1Shape.test(value) && !losesCharacters(value);
}

/** True where `answered` equals `searched`, apart from line ends and what XML cannot carry. */
export function sameSpelling(searched: string, answered: string): boolean {
  return searched === answered || asAnswered(searched) === asAnswered(answered);
}

/**
 * True where a database would match the two values. Databases ignore case unless they were created case-sensitive;
 * where the account does not say, its answer to an exact search is trusted.
 */
export function sameBarcode(searched: string, answered: string, caseSensitive: boolean | undefined): boolean {
  if (sameSpelling(searched, answered)) {
    return true;
  }
  return caseSensitive !== true && sameSpelling(fold(searched), fold(answered));
}

/** True for two spellings, as `STRASSE` and `STRAßE`, that some databases that ignore case match and others do not. */
export function isUnsureMatch(searched: string, answered: string): boolean {
  return sameBarcode(searched, answered, false) && !sameSpelling(searched.toLowerCase(), answered.toLowerCase());
}

interface Row {
  readonly value: string;
  readonly valid: boolean;
}

/**
 * The matching row of an exact search, with the value as searched where the answer could not carry it. Of several rows
 * that read the same, the function takes one that is not valid: an ambiguous answer must admit nobody.
 */
export function rowOf<R extends Row>(
  rows: readonly R[],
  searched: string,
  caseSensitive: boolean | undefined,
): R | undefined {
  const exact = rows.filter(({ value }) => value === searched);
  const alike = exact.length > 0 ? exact : rows.filter(({ value }) => sameSpelling(searched, value));
  const row = alike.find(({ valid }) => !valid) ?? alike[0];
  return row ? { ...row, value: searched } : rows.find(({ value }) => sameBarcode(searched, value, caseSensitive));
}

/** Case folding. The text passes through upper case first, so that `ß` and `SS`, `ς` and `Σ` match. */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}
