/**
 * Owns when two spellings are the same barcode to the account. Compares copies only: what is shown or sent stays as it came.
 */

/** What XML 1.0 cannot carry, so an answer may have lost it on the way: C0 controls but tab and line ends, U+FFFE and U+FFFF. */
const lostInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Line ends that an XML parser folds into one by the letter of the standard. */
const lineEnds = /\r\n?/g;

function asAnswered(value: string): string {
  return value.replace(lostInXml, '').replace(lineEnds, '\n');
}

/** True where an answer cannot spell it as it is: whether the account has it, only an exact question tells. */
export function isLostInAnswers(value: string): boolean {
  return asAnswered(value) !== value;
}

/** True where an answer leaves characters out, so that it cannot be told from the same barcode without them. */
export function losesCharacters(value: string): boolean {
  return value.replace(lostInXml, '') !== value;
}

/** `]C1` and the like, then a GTIN or the number of a logistic unit: what else such a barcode holds often needs separators. */
const gs1Shape = /^(?:\][CdQe][0-3])?0[012]\d{14}/;

/** True where a value may be a GS1 barcode whose separators an answer has left out. */
export function mayLackSeparators(value: string): boolean {
  return gs1Shape.test(value) && !losesCharacters(value);
}

/** True where `answered` is `asked`, but for what XML cannot carry. */
export function sameSpelling(asked: string, answered: string): boolean {
  return asked === answered || asAnswered(asked) === asAnswered(answered);
}

/**
 * True where a database would take one for the other. Databases ignore case unless they were made case-sensitive; where
 * the account does not tell, its answer to an exact search is believed.
 */
export function sameBarcode(asked: string, answered: string, caseSensitive: boolean | undefined): boolean {
  if (sameSpelling(asked, answered)) {
    return true;
  }
  return caseSensitive !== true && sameSpelling(fold(asked), fold(answered));
}

interface Row {
  readonly value: string;
  readonly valid: boolean;
}

/**
 * The row of an exact search that is the barcode, spelt as it was asked where the answer could not. Of several that read the
 * same, one that is not valid: an answer that cannot tell them apart lets nobody in.
 */
export function rowOf<R extends Row>(
  rows: readonly R[],
  asked: string,
  caseSensitive: boolean | undefined,
): R | undefined {
  const exact = rows.filter(({ value }) => value === asked);
  const alike = exact.length > 0 ? exact : rows.filter(({ value }) => sameSpelling(asked, value));
  const row = alike.find(({ valid }) => !valid) ?? alike[0];
  return row ? { ...row, value: asked } : rows.find(({ value }) => sameBarcode(asked, value, caseSensitive));
}

/** Without regard to case. Through upper case first, so that `ß` and `SS`, `ς` and `Σ` meet. */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}
