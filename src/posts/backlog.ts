/** The backlog of a channel that is far behind, as its digests show it. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';

/** Posts of one source (and one thread parent) that are merged. */
export interface Backlog {
  readonly firstAt: number;
  /** Distinct ones. */
  readonly details: readonly BacklogDetail[];
}

export interface BacklogDetail {
  readonly detail: string;
  /** The account's user who scanned it, where somebody watches it. */
  readonly by?: string | undefined;
}

/** Handed in by what knows scans. */
export interface BacklogContents {
  /** The detail (JSON) of a digest that stands for the backlog's posts. */
  detailOf(backlog: Backlog): string;
  /** Facts of the scans that its posts are about, by id. */
  scansOf(
    db: Kysely<Schema> | Transaction<Schema>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly receivedAt: number; readonly userId?: string }>>;
}
