/**
 * Page reader for a whole database. Pages overlap and are joined on equal values,
 * so that neither the offset's base nor concurrent changes leave an unnoticed gap.
 */

export interface PageReader<Item> {
  /** One call, in an order that is the same from call to call. `offset`: how many are skipped, give or take one. */
  read(limit: number, offset: number | undefined): Promise<readonly Item[]>;
  /** By what two pages are joined. */
  name(item: Item): string;
  /** How many there are, as far as anybody told. A page may be short because the account gives no longer ones. */
  readonly expected: number | undefined;
}

/** The pages do not join: so much came and went that nobody can say what is missing. Try again later. */
export class UnsteadyPages extends Error {}

/** How far back a page begins; the second time much further, for so many may have gone meanwhile. */
const overlaps = [20, 1_000] as const;
const longestOverlap = 1_000;

/**
 * All items, a page's worth at a time; some may come twice.
 * @throws UnsteadyPages, and whatever `read` rejects with
 */
export async function* readPages<Item>(reader: PageReader<Item>, pageSize: number): AsyncGenerator<readonly Item[]> {
  const { expected = 0 } = reader;
  const first = await reader.read(pageSize, undefined);
  yield first;
  let end = first.length;
  let tail = first.slice(-longestOverlap).map(reader.name);
  let ended = first.length < pageSize;
  while (end > 0 && !(ended && end >= expected)) {
    const { fresh, page, offset, limit } = await readNext(reader, tail, end, pageSize);
    if (fresh.length === 0) {
      return;
    }
    yield fresh;
    end = offset + page.length;
    tail = [...tail, ...fresh.map(reader.name)].slice(-longestOverlap);
    ended = page.length < limit;
  }
}

async function readNext<Item>(reader: PageReader<Item>, tail: readonly string[], end: number, pageSize: number) {
  const known = new Set(tail);
  for (const overlap of overlaps) {
    const offset = Math.max(0, end - overlap);
    // One more, for a page that begins one earlier than was asked for.
    const limit = pageSize + overlap + 1;
    const page = await reader.read(limit, offset);
    const joint = page.findIndex((item) => !known.has(reader.name(item)));
    // What is new begins behind something that was known. Nothing new: the end, unless the page is full of what was known.
    if (joint > 0 || (joint === -1 && page.length < limit)) {
      return { fresh: joint === -1 ? [] : page.slice(joint), page, offset, limit };
    }
  }
  throw new UnsteadyPages('the pages of a database do not join');
}
