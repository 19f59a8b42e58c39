/** The interface of an open database. Times are milliseconds since the epoch. */

export type StoreKind = 'sqlite' | 'postgres';

/** A prepared statement of the synchronous path. Parameters are validated as Kysely's are: booleans become 1 and 0. */
export interface SqliteStatement {
  /** Returns the number of changed rows. */
  run(...parameters: readonly unknown[]): number;
  get<Row>(...parameters: readonly unknown[]): Row | undefined;
  all<Row>(...parameters: readonly unknown[]): Row[];
}

/** A fast path for many small writes on SQLite: one transaction, no promise inside it. */
export interface SqliteFastPath {
  /**
   * Waits until no other transaction is in progress (Kysely's included), then begins, runs `work` and commits
   * synchronously; with nobody in the way, before it returns. An error in `work` rolls everything back. The promise
   * resolves when the commit is on the disk. Statements are cached by their text: prepare freely.
   */
  transaction<T>(work: (prepare: (sql: string) => SqliteStatement) => T): Promise<T>;
}

/** A fast path for look-ups by whole keys on PostgreSQL: statements are planned once. */
export interface Reads {
  /** `name` always stands for the same `text`. Parameters are texts and numbers. @throws StoreError */
  all<Row>(statement: { readonly name: string; readonly text: string }, values: readonly unknown[]): Promise<Row[]>;
}

/**
 * Updates a keyv record from its current value; undefined stands for no record, before and after. `change` runs again
 * after a concurrent write, so that no update is lost: it must have no side effects. For records that do not expire.
 * Returns the stored value.
 */
export type Revise = <T>(
  namespace: string,
  key: string,
  change: (before: unknown) => T | undefined,
) => Promise<T | undefined>;
