/** Contents of posts, read from the store each time a post is sent or updated: the outbox stores ids, not texts. */
import type { Backlog } from './outbox/digest-backlog.js';
import type { OutboxPost } from './outbox/post.js';
import type { AnyPost } from './publisher.js';

export interface PostContents<Post extends AnyPost = AnyPost> {
  /** Undefined: its content is gone, or cannot be read. */
  of(post: OutboxPost, threadTs: string | undefined): Promise<Post | undefined>;
  /** The detail (JSON) of a digest that stands for the backlog's posts. */
  detailOfBacklog(backlog: Backlog): string;
}
