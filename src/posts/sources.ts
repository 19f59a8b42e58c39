/** Sources of posts as the outbox asks for them: what a post shows, and what follows when Slack takes none of its posts. */
import type { PostContents } from './contents.js';
import type { FindDueNotices } from './notices.js';
import type { OutboxPost } from './outbox/post.js';
import type { PostOutcome } from './publisher.js';

export interface PostSources {
  /**
   * The channel takes no posts, or the access is gone. `block`: all posts wait for the channel; `reject`: this post will
   * never be taken, though a person may replay it; `wait`: the source is paused, and the post waits with it.
   */
  gone(
    post: OutboxPost,
    refused: Pick<Extract<PostOutcome, { outcome: 'gone' }>, 'why' | 'code'>,
  ): Promise<'block' | 'reject' | 'wait'>;
}

/** What makes the posts of one kind of source. */
export interface PostMaker extends PostSources, PostContents {
  /** Notices of it that are due. */
  readonly dueNotices?: readonly FindDueNotices[];
}
