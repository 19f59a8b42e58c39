/**
 * Database values whose GS1 separators are lost in the account's answers, so that they read like other values. The
 * mirror leaves them out, so that a scan of either is looked up live.
 */
import type { DatabaseValue } from '../../codereadr/types.js';

export const separator = '\u001d';

/**
 * @param pages the database's values that hold a separator, as the account spells them
 * @param count the database's number of values, if the account gives it
 */
export async function lostSpellings(
  pages: AsyncIterable<readonly DatabaseValue[]>,
  count: number | undefined,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const values of pages) {
    for (const { value } of values) {
      found.add(value);
    }
  }
  // A search that finds everything ignores separators, and so treats such values as equal itself.
  return count !== undefined && found.size >= count ? new Set() : found;
}
