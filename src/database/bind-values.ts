/**
 * Validation of the values that Kysely and bulk.ts bind. Text that would not come back unchanged is rejected: SQLite
 * cuts it at NUL, PostgreSQL rejects NUL; half a surrogate pair becomes U+FFFD in both. Inside JSON such text is safe.
 */
import { StoreError } from './errors.js';

/** The types that both drivers accept. */
export type StorableValue = string | number | bigint | null | Uint8Array;

/** True when both databases return the text unchanged. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && (text as WellFormedText).isWellFormed();
}

/** A method of texts in Node since 20; the library's types for ES2023 do not declare it yet. */
type WellFormedText = string & { isWellFormed(): boolean };

/**
 * A value as a parameter that both databases store: booleans as 1 and 0, undefined as null.
 * @throws StoreError `store.text_unstorable`, or `store.failed` for a value that no column can hold
 */
export function storable(value: unknown): StorableValue {
  switch (typeof value) {
    case 'string':
      if (!isStorableText(value)) {
        throw new StoreError('store.text_unstorable', 'a text contains NUL or half a surrogate pair');
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
      throw new StoreError('store.failed', 'a column takes text, numbers, bytes or null; serialize JSON first');
  }
}
