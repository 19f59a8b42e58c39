/** The read of one value of a database, in each spelling that the account takes for it. */
import { noSuchValue } from './errors.js';
import { refuseShortPage } from './lists/short-page.js';
import { showValues } from './operations/index.js';
import { type AccountClient, AccountError, type CallOptions, type DatabaseValue } from './types.js';

/**
 * Makes one call. Returns an empty list where the database does not hold the value.
 * @throws AccountError
 */
export async function readExactValues(
  client: AccountClient,
  databaseId: string,
  value: string,
  options?: CallOptions,
): Promise<readonly DatabaseValue[]> {
  try {
    // The call has no `limit`: among many spellings of one barcode, the exact one may come last.
    const { count, values } = await client.call(showValues, { database_id: databaseId, value }, options);
    refuseShortPage({ count, length: values.length });
    return values;
  } catch (error) {
    if (error instanceof AccountError && error.apiCode === noSuchValue) {
      return [];
    }
    throw error;
  }
}
