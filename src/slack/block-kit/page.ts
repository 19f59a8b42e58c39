/** One page of rows that are all known, and the buttons to the pages beside it. A page beyond the last is the last. Pure. */
import { type Button, button } from './elements.js';

export interface RowsPage<T> {
  readonly rows: readonly T[];
  /** The number of the page, from 0. */
  readonly page: number;
  /** The index of the first row among all. */
  readonly firstIndex: number;
  /** `1 to 25 of 40`; undefined where all rows are on this page. */
  readonly range: string | undefined;
  /** The numbers of the pages beside this one, where there are such. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

export function pageOf<T>(all: readonly T[], wantedPage: number, size: number): RowsPage<T> {
  const page = Math.max(0, Math.min(wantedPage, Math.ceil(all.length / size) - 1));
  const firstIndex = page * size;
  const rows = all.slice(firstIndex, firstIndex + size);
  const end = firstIndex + rows.length;
  return {
    rows,
    page,
    firstIndex,
    range: all.length > size ? `${firstIndex + 1} to ${end} of ${all.length.toLocaleString('en-US')}` : undefined,
    before: page > 0 ? page - 1 : undefined,
    after: end < all.length ? page + 1 : undefined,
  };
}

/** @param ids the `action_id` of the button to the page before, and of that to the next */
export function turnButtons(
  { before, after }: RowsPage<unknown>,
  ids: readonly [before: string, after: string],
  valueFor: (page: number) => string,
): Button[] {
  return [
    ...(before === undefined ? [] : [button('← Previous', ids[0], { value: valueFor(before) })]),
    ...(after === undefined ? [] : [button('Next →', ids[1], { value: valueFor(after) })]),
  ];
}
