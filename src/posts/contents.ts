/** Contents of posts, read from the store each time a post is sent or updated: the outbox stores ids, not texts. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { OutboxPost } from './outbox/post.js';
import type { AnyPost } from './publisher.js';

export interface PostContents<Post extends AnyPost = AnyPost> {
  /** Undefined: its content is gone, or cannot be read. */
  of(post: OutboxPost, threadTs: string | undefined): Promise<Post | undefined>;
}

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

/** What the digests of a channel that is far behind show. */
export interface BacklogContents {
  /** The detail (JSON) of a digest that stands for the backlog's posts. */
  detailOf(backlog: Backlog): string;
  /** Facts of the scans that its posts are about, by id. */
  scansOf(
    db: Kysely<Schema> | Transaction<Schema>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly receivedAt: number; readonly userId?: string }>>;
}
