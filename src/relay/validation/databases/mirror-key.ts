/**
 * Look-up key of a value in a mirror. Case is folded only if the account says that the database ignores case; otherwise
 * another spelling is not found here and is looked up live.
 */

import { fold } from '../../rules/text-equality.js';
import type { CopyRecord } from './mirror-table.js';

export function copyKey(value: string, { caseSensitive }: Pick<CopyRecord, 'caseSensitive'>): string {
  return caseSensitive === false ? fold(value) : value;
}
