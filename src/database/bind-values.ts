/**
 * Owns the last look at every value before it goes into a database. Refuses text that would not come back as it went
 * in, rather than store something else: SQLite reads text back cut at NUL and PostgreSQL rejects it; half a surrogate
 * pair becomes U+FFFD in either. Such text inside JSON is safe (JSON.stringify escapes both), so that stored records
 * may hold it and only bare columns cannot.
 */
import { StoreError } from './errors.js';

/** What both drivers take. */
export type StorableValue = string | number | bigint | null | Uint8Array;

/** True when the text comes back from both databases exactly as it is. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && (text as WellFormedText).isWellFormed();
}

/** In Node since 20; the library's types for ES2023 do not name it yet. */
type WellFormedText = string & { isWellFormed(): boolean };

/**
 * A parameter as both databases store it: booleans as 1 and 0, undefined as null.
 * @throws StoreError `store.text_unstorable`, or `store.failed` for what is no value of a column at all.
 */
export function storable(value: unknown): StorableValue {
  switch (typeof value) {
    case 'string':
      if (!isStorableText(value)) {
        throw new StoreError('store.text_unstorable', 'a text holds NUL or half a surrogate pair');
      }
      return value;
    case 'number':
      if (!Number.isFinite(value)) {
        throw new StoreError('store.failed', 'a column takes finite numbers only');
      }
      return value;
    case 'bigint':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'undefined':
      return null;
    default:
      if (value === null || value instanceof Uint8Array) {
        return value;
      }
      throw new StoreError('store.failed', 'a column takes text, numbers, bytes or null; JSON is made text first');
  }
}
