/**
 * Owns what one database holds of a barcode, before and after somebody changes it: read afresh, and compared.
 */
import { showValues } from '../codereadr/operations/index.js';
import { type Account, AccountError } from '../codereadr/types.js';
import { rowOf } from './barcode-equality.js';
import { noSuchValue } from './lookup.js';

export interface Standing {
  readonly valid: boolean;
  readonly response: string;
}

/**
 * One call. `value`: as the database spells it. Undefined where the database does not hold it.
 * @throws AccountError
 */
export async function standingIn(account: Account, databaseId: string, value: string): Promise<Standing | undefined> {
  try {
    const { values } = await account.client.call(showValues, { database_id: databaseId, value });
    const row = rowOf(values, value, true);
    return row && { valid: row.valid, response: row.response };
  } catch (error) {
    if (error instanceof AccountError && error.apiCode === noSuchValue) {
      return undefined;
    }
    throw error;
  }
}

/** Kinds of line breaks, and space at the ends, do not survive every way a response takes: they are no change. */
export function sameStanding(one: Standing | undefined, other: Standing | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  return one.valid === other.valid && sameResponse(one.response, other.response);
}

export function sameResponse(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(response: string): string {
  return response.replace(/\r\n?/g, '\n').trim();
}
