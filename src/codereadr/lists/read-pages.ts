/**
 * Page reader for a whole database. Pages overlap and are joined on equal values, so that neither the offset's base nor
 * concurrent changes leave an unnoticed gap.
 */
import { countKnown } from './known-part.js';

export interface PageReader<Item> {
  /** Makes one call, in a stable order. `offset`: the number of items to skip, give or take one. */
  read(limit: number, offset: number | undefined): Promise<readonly Item[]>;
  /** The key by which two pages are joined; several items may have one key. */
  keyOf(item: Item): string;
  /** The number of items, if known: a short page need not be the last one, since the account limits pages itself. */
  readonly expected: number | undefined;
}

/** Two pages do not join: too many items changed between them. The caller tries again later. */
export class PagesDoNotOverlap extends Error {}

/** The overlaps of two pages; the second try uses the larger one, since many items may have been deleted meanwhile. */
const overlaps = [20, 1_000] as const;
const longestOverlap = 1_000;

/**
 * All items, a page at a time; an item may come twice if items are added or deleted meanwhile.
 * @throws PagesDoNotOverlap, and the errors of `read`
 */
export async function* readPages<Item>(reader: PageReader<Item>, pageSize: number): AsyncGenerator<readonly Item[]> {
  const { expected = 0 } = reader;
  const firstPage = await reader.read(pageSize, undefined);
  yield firstPage;
  let endOffset = firstPage.length;
  let tail = firstPage.slice(-longestOverlap).map(reader.keyOf);
  let isEnded = firstPage.length < pageSize;
  while (endOffset > 0 && !(isEnded && endOffset >= expected)) {
    const { fresh, page, offset, limit } = await readNext(reader, tail, endOffset, pageSize);
    if (fresh.length === 0) {
      return;
    }
    yield fresh;
    endOffset = offset + page.length;
    tail = [...tail, ...fresh.map(reader.keyOf)].slice(-longestOverlap);
    isEnded = page.length < limit;
  }
}

async function readNext<Item>(reader: PageReader<Item>, tail: readonly string[], from: number, pageSize: number) {
  const tailKeys = new Set(tail);
  const isKnown = (item: Item) => tailKeys.has(reader.keyOf(item));
  for (const overlap of overlaps) {
    const offset = Math.max(0, from - overlap);
    // The limit has room for a page that begins one item earlier than requested.
    const limit = pageSize + overlap + 1;
    const page = await reader.read(limit, offset);
    const knownCount = countKnown(tail, page.map(reader.keyOf));
    const fresh = knownCount === undefined ? page.filter((item) => !isKnown(item)) : page.slice(knownCount);
    // A page joins if its new items follow a known one, or if it has no new items and is not full: the list ends.
    if (fresh.length > 0 ? isKnown(page[0]!) : page.length < limit) {
      return { fresh, page, offset, limit };
    }
  }
  throw new PagesDoNotOverlap('the pages of a database do not overlap');
}
