/**
 * Owns how a value is found in a kept copy. Only a database that says that case does not matter is looked through without it:
 * where the account does not tell, another spelling is none the copy knows, and the account itself is asked.
 */

import { fold } from '../../rules/text-equality.js';
import type { CopyRecord } from './mirror-table.js';

export function copyKey(value: string, { caseSensitive }: Pick<CopyRecord, 'caseSensitive'>): string {
  return caseSensitive === false ? fold(value) : value;
}
