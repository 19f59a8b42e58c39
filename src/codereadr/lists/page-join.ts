/**
 * The join of a list's pages where the account's `offset` cannot be trusted: each request overlaps the page before, and
 * ids join the two. Pure.
 */
import { knownPart } from './known-part.js';

/** The place where a page ended, from which the next one continues. */
export interface PageEnd {
  /** The number of items that preceded the page when it was read: newer items have shifted it since. */
  readonly position: number;
  /** The ids of the former page's last items, in order. */
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
const overlapPerPage = 45;

/** The request whose answer includes the page after `end`. */
export function askFor(
  end: PageEnd | undefined,
  pageSize: number,
): { readonly limit: number; readonly offset?: number } {
  return end === undefined
    ? { limit: pageSize + 1 }
    : { limit: overlap + overlapPerPage + pageSize + 1, offset: Math.max(0, end.position - overlap) };
}

/** Joins a page. `piece`: the answer to the request of `askFor`. */
export function joinPage<Item extends { readonly id?: string | undefined }>(
  piece: readonly Item[],
  pageEnd: PageEnd | undefined,
  pageSize: number,
): JoinedPage<Item> {
  const lastIds = pageEnd?.last ?? [];
  const part = knownPart(
    lastIds,
    piece.map(({ id }) => id ?? ''),
  );
  const at = part === undefined ? piece.findLastIndex(({ id }) => id !== undefined && lastIds.includes(id)) : part - 1;
  const torn = pageEnd !== undefined && at < 0 && piece.length > 0;
  // Without an overlap, earlier items may be repeated: the reference counts offsets in two ways.
  const from = pageEnd === undefined ? 0 : at < 0 ? Math.min(overlap, piece.length) : at + 1;
  const items = piece.slice(from, from + pageSize);
  const { limit, offset = 0 } = askFor(pageEnd, pageSize);
  const hasMore = piece.length > from + items.length || (piece.length >= limit && items.length > 0);
  const position = offset + from + items.length;
  const ids = [...lastIds, ...items.flatMap(({ id }) => id ?? [])].slice(-overlap);
  return { items, end: hasMore ? { position, last: ids } : undefined, torn };
}
