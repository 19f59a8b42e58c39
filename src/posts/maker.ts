/** Makers of posts as the outbox asks them: what a post shows, and what follows when Slack takes none of its source's posts. */
import type { FindDueNotices } from './notices.js';
import type { OutboxPost } from './outbox/post.js';
import type { AnyPost, PostOutcome } from './publisher.js';

/** What makes the posts of one kind of source. The outbox stores ids: a post is read each time it is sent or updated. */
export interface PostMaker<Post extends AnyPost = AnyPost> {
  /** Undefined: its content is gone, or cannot be read. */
  of(post: OutboxPost, threadTs: string | undefined): Promise<Post | undefined>;
  /**
   * The channel takes no posts, or the access is gone. `block`: all posts wait for the channel; `reject`: this post will
   * never be taken, though a person may replay it; `wait`: the source is paused, and the post waits with it.
   */
  gone(
    post: OutboxPost,
    refused: Pick<Extract<PostOutcome, { outcome: 'gone' }>, 'why' | 'code'>,
  ): Promise<'block' | 'reject' | 'wait'>;
  /** Slack takes no more changes of its message: somebody deleted it, or its channel is gone. */
  lost?(post: OutboxPost, code: string): Promise<void>;
  /** Notices of it that are due. */
  readonly dueNotices?: readonly FindDueNotices[];
}
