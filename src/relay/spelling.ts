/**
 * Owns comparing texts without regard to case. Compares copies only: what is stored, shown or sent stays as it came.
 */

/** Through upper case first, so that `ß` and `SS`, `ς` and `Σ` meet. */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}
