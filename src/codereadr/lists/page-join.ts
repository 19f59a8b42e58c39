/**
 * The join of a list's pages where the account's `offset` cannot be trusted: each request overlaps the page before, and
 * ids join the two. Pure.
 */
import { countKnown } from './known-part.js';
import { isShortPage, refuseShortPage } from './short-page.js';

/** The place where a page ended, from which the next one continues. */
export interface PageEnd {
  /** The number of items up to the end of the page when it was read: newer items have shifted the end since. */
  readonly position: number;
  /** The ids of the last items up to that end, in order. */
  readonly last: readonly string[];
}

export interface JoinedPage<Item> {
  readonly items: readonly Item[];
  /** The end of this page; undefined after the last page. */
  readonly end: PageEnd | undefined;
  /** Whether so many items came or went between two pages that some may be missing or repeated. */
  readonly torn: boolean;
}

export const listPageSize = 10;

const overlap = 5;
/** The most new items between two pages that the overlap covers. */
const mostNewItems = 45;

/** The limit and offset of the request whose answer includes the page after `end`. */
export function rangeAfter(
  end: PageEnd | undefined,
  pageSize: number,
): { readonly limit: number; readonly offset?: number } {
  return end === undefined
    ? { limit: pageSize + 1 }
    : { limit: overlap + mostNewItems + pageSize + 1, offset: Math.max(0, end.position - overlap) };
}

/**
 * Joins a page. `answer`: the items with the limit and offset of `rangeAfter`; `count`: as the answer states it. A page
 * that the account cut is followed by another one.
 * @throws AccountError `account.broken`: the answer counts further items and has none
 */
export function joinPage<Item extends { readonly id?: string | undefined }>(
  answer: readonly Item[],
  pageEnd: PageEnd | undefined,
  pageSize: number,
  count?: number,
): JoinedPage<Item> {
  const { limit, offset = 0 } = rangeAfter(pageEnd, pageSize);
  const isCut = isShortPage({ count, length: answer.length, limit, offset });
  if (answer.length === 0) {
    refuseShortPage({ count, length: 0, limit, offset });
  }
  const lastIds = pageEnd?.last ?? [];
  const knownCount = countKnown(
    lastIds,
    answer.map(({ id }) => id ?? ''),
  );
  const isKnown = ({ id }: Item) => id !== undefined && lastIds.includes(id);
  const lastKnown = knownCount === undefined ? answer.findLastIndex(isKnown) : knownCount - 1;
  const torn = pageEnd !== undefined && lastKnown < 0 && answer.length > 0;
  // Where no known item is found, earlier items may be repeated: the reference counts offsets in two ways.
  const from = pageEnd === undefined ? 0 : lastKnown < 0 ? Math.min(overlap, answer.length) : lastKnown + 1;
  const items = answer.slice(from, from + pageSize);
  const hasMore = answer.length > from + items.length || ((isCut || answer.length >= limit) && items.length > 0);
  const position = offset + from + items.length;
  const ids = [...lastIds, ...items.flatMap(({ id }) => id ?? [])].slice(-overlap);
  return { items, end: hasMore ? { position, last: ids } : undefined, torn };
}
