/**
 * Texts that mix upper and lower case, found whatever their case: an index holds only them, since a text of one case is
 * found by that spelling. Letters are those of ASCII, on both databases.
 */
import { type RawBuilder, sql } from 'kysely';

/** The condition of such an index: a statement that repeats it word for word may use it. */
export function isMixedCase(text: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`lower(${text}) <> ${text} and upper(${text}) <> ${text}`;
}

/** In lower case, as the databases' `lower` says it. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** One after the other, so that a text that is there ten thousand times is met once. */
export async function readDistinct(
  next: (after: string) => Promise<string | undefined>,
  most: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let last = await next(''); last !== undefined && found.length < most; last = await next(last)) {
    found.push(last);
  }
  return found;
}
