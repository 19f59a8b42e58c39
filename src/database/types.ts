/** What an open database is to the capabilities above it. Times are milliseconds since the epoch. */

export type StoreKind = 'sqlite' | 'postgres';

/** A prepared statement of the synchronous path. Parameters pass the same edge as Kysely's: booleans become 1 and 0. */
export interface SqliteStatement {
  /** Returns how many rows it changed. */
  run(...parameters: readonly unknown[]): number;
  get<Row>(...parameters: readonly unknown[]): Row | undefined;
  all<Row>(...parameters: readonly unknown[]): Row[];
}

/** SQLite's fast way for many small writes: one transaction, no promise inside it. */
export interface SqliteFastPath {
  /**
   * Waits until no other transaction is in progress (Kysely's included), then begins, runs `work`, commits, all in one
   * go; when nobody is in the way, before it returns. Throws in `work` roll everything back. The promise resolves when
   * the commit is on the disk. Statements are kept by their text: prepare freely.
   */
  transaction<T>(work: (prepare: (sql: string) => SqliteStatement) => T): Promise<T>;
}

/** PostgreSQL's fast way to rows that are found by their whole keys: statements are planned once. */
export interface Reads {
  /** `name` stands for `text`, always the same. Parameters are texts and numbers. @throws StoreError */
  all<Row>(statement: { readonly name: string; readonly text: string }, values: readonly unknown[]): Promise<Row[]>;
}

/**
 * Changes a keyv record by what is in it; undefined stands for no record, before as after. `change` is called again where
 * somebody wrote meanwhile, so that nothing is lost of two changes at once: it does nothing but answer. For records without a
 * life span. Answers what is kept now.
 */
export type Revise = <T>(
  namespace: string,
  key: string,
  change: (before: unknown) => T | undefined,
) => Promise<T | undefined>;
