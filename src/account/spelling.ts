/**
 * Owns when two spellings are the same barcode to the account. Compares copies only: what is shown or sent stays as it came.
 */

/** What XML 1.0 cannot carry, so an answer may have lost it on the way: C0 controls but tab and line ends. */
const lostInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Line ends that an XML parser folds into one by the letter of the standard. */
const lineEnds = /\r\n?/g;

function asAnswered(value: string): string {
  return value.replace(lostInXml, '').replace(lineEnds, '\n');
}

/** True where an answer cannot spell it as it is: whether the account has it, only an exact question tells. */
export function isLostInAnswers(value: string): boolean {
  return asAnswered(value) !== value;
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

/** Without regard to case. Through upper case first, so that `ß` and `SS`, `ς` and `Σ` meet. */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}
