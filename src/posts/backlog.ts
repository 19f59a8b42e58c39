/** The backlog of a channel that is far behind, as its digests show it. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';

/** Posts of one source (and one thread parent) that are merged. */
export interface Backlog {
  /** When the scan of the first post was received. */
  readonly firstAt: number;
  /** The distinct details of the merged posts. */
  readonly details: readonly BacklogDetail[];
}

export interface BacklogDetail {
  readonly detail: string;
  /** The account's user whose scan made the post, where somebody watches the barcode. */
  readonly by?: string | undefined;
}

/** The facts on scans that the outbox needs; the relays provide them. */
export interface BacklogContents {
  /** The detail (JSON) of a digest that stands for the backlog's posts. */
  detailOf(backlog: Backlog): string;
  /** When scans were received and which user made them, by scan id. */
  scansOf(
    db: Kysely<Schema> | Transaction<Schema>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly receivedAt: number; readonly userId?: string }>>;
}
