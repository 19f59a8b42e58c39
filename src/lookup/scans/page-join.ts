/**
 * Owns how one page of a list follows another where the account's `offset` cannot be trusted: each is asked with some of the
 * page before it and joined by id. Pure.
 */

/** Where a page ended. */
export interface PageEnd {
  /** How many stood before it and in it when it was asked: what came in on top since has moved it on. */
  readonly position: number;
  /** The ids of its last ones, in order. */
  readonly last: readonly string[];
}

export interface JoinedPage<Item> {
  readonly items: readonly Item[];
  /** Undefined where nothing follows. */
  readonly end: PageEnd | undefined;
  /** So much came or went meanwhile that some may be missing or shown twice. */
  readonly torn: boolean;
}

const overlap = 5;
/** So many may come in between two pages without tearing them. */
const slack = 45;

/** What to ask so that the page after `end` is in the answer. */
export function askFor(
  end: PageEnd | undefined,
  pageSize: number,
): { readonly limit: number; readonly offset?: number } {
  return end === undefined
    ? { limit: pageSize + 1 }
    : { limit: overlap + slack + pageSize + 1, offset: Math.max(0, end.position - overlap) };
}

/** `piece`: what was answered to `askFor`. */
export function joinPage<Item extends { readonly id?: string | undefined }>(
  piece: readonly Item[],
  end: PageEnd | undefined,
  pageSize: number,
): JoinedPage<Item> {
  const last = new Set(end?.last);
  const at = piece.findLastIndex(({ id }) => id !== undefined && last.has(id));
  const torn = end !== undefined && at < 0 && piece.length > 0;
  // Nothing to join on to: the reference counts offsets in two ways, so that what stood before may come once more.
  const from = end === undefined ? 0 : at < 0 ? Math.min(overlap, piece.length) : at + 1;
  const items = piece.slice(from, from + pageSize);
  const { limit, offset = 0 } = askFor(end, pageSize);
  const more = piece.length > from + items.length || (piece.length >= limit && items.length > 0);
  const position = offset + from + items.length;
  const ids = [...(end?.last ?? []), ...items.flatMap(({ id }) => id ?? [])].slice(-overlap);
  return { items, end: more ? { position, last: ids } : undefined, torn };
}
