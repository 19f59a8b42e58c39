/** The values of a database as a paged list, in the account's order: all, or those with a text. One call per page. */
import { createHash } from 'node:crypto';
import { noSuchValue } from '../errors.js';
import { databases } from '../operations/index.js';
import { type Account, AccountError, type CallOptions, type DatabaseValue } from '../types.js';
import { type JoinedPage, joinPage, listPageSize, type PageEnd, rangeAfter } from './page-join.js';

export interface ValueFilter {
  readonly databaseId: string;
  /** A part of the barcode, to the letter. */
  readonly holds?: string | undefined;
  /** A part of the response. */
  readonly responseHolds?: string | undefined;
}

/** A page of values. @throws AccountError */
export async function listValues(
  account: Account,
  { databaseId, holds, responseHolds }: ValueFilter,
  pageEnd: PageEnd | undefined,
  { pageSize = listPageSize, ...options }: CallOptions & { readonly pageSize?: number } = {},
): Promise<JoinedPage<DatabaseValue>> {
  const filter = {
    ...(holds === undefined ? {} : { valuelike: holds }),
    ...(responseHolds === undefined ? {} : { responselike: responseHolds }),
  };
  const { values, count } = await account.client
    .call(databases.showvalues, { database_id: databaseId, ...filter, ...rangeAfter(pageEnd, pageSize) }, options)
    .then(
      (answer) => answer,
      (error: unknown) => {
        if (error instanceof AccountError && error.apiCode === noSuchValue) {
          return { values: [], count: 0 };
        }
        throw error;
      },
    );
  return joinPage(
    // The end of a page is short, whatever the barcodes: it holds a hash of each.
    values.map((value) => ({
      ...value,
      id: createHash('sha256').update(value.value).digest('base64url').slice(0, 12),
    })),
    pageEnd,
    pageSize,
    count,
  );
}
