/** The state of a barcode in one database, read anew and compared before and after a change. */
import { z } from 'zod';
import { rowOf } from '../codereadr/barcode-equality.js';
import { readExactValues } from '../codereadr/exact-values.js';
import type { Account } from '../codereadr/types.js';

export const valueState = z.object({ valid: z.boolean(), response: z.string() }).readonly();
export type ValueState = z.output<typeof valueState>;

/**
 * Reads the state with one call. `value`: the database's spelling. Undefined where the database lacks the barcode.
 * @throws AccountError
 */
export async function readValueState(
  account: Account,
  databaseId: string,
  value: string,
): Promise<ValueState | undefined> {
  const row = rowOf(await readExactValues(account.client, databaseId, value), value, true);
  return row && { valid: row.valid, response: row.response };
}

/** Line endings, and spaces at the ends, do not survive every transport of a response: they are no change. */
export function sameState(one: ValueState | undefined, other: ValueState | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  return one.valid === other.valid && sameResponse(one.response, other.response);
}

export function sameResponse(one: string, other: string): boolean {
  return plainResponse(one) === plainResponse(other);
}

function plainResponse(response: string): string {
  return response.replace(/\r\n?/g, '\n').trim();
}
