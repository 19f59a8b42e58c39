/** The interface of an open database. Times are milliseconds since the epoch. */

export type StoreKind = 'sqlite' | 'postgres';

/** A fast path for lookups by whole keys on PostgreSQL: statements are planned once. */
export interface Reads {
  /** Reads rows. `name` always stands for the same `text`. Parameters are texts and numbers. @throws StoreError */
  all<Row>(statement: { readonly name: string; readonly text: string }, values: readonly unknown[]): Promise<Row[]>;
}

/**
 * Updates a keyv record from its current value; undefined stands for no record, before and after. `change` runs again
 * after a concurrent write, so that no update is lost; so it must have no side effects. Without `ttlMs`, the new value
 * never expires. Returns the stored value.
 */
export type Revise = <T>(
  namespace: string,
  key: string,
  change: (before: unknown) => T | undefined,
  options?: { readonly ttlMs?: number },
) => Promise<T | undefined>;
