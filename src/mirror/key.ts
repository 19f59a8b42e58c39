/**
 * Look-up key of a value in a mirror. Case is folded only if the account says that the database ignores case; otherwise
 * another spelling is not found in the mirror and is looked up live.
 */
import { fold } from '../codereadr/barcode-equality.js';
import type { DatabaseMirror } from './tables/databases.js';

export function mirrorKey(value: string, { caseSensitive }: Pick<DatabaseMirror, 'caseSensitive'>): string {
  return caseSensitive === false ? fold(value) : value;
}
