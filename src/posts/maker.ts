/** Makers of posts, one a kind of source: they read a post's content, and decide what to do once a channel is gone. */
import type { FindDueNotices } from './notices.js';
import type { OutboxPost } from './outbox/post.js';
import type { AnyPost, PostOutcome } from './publisher.js';

/** The maker of one kind of source's posts. The outbox stores ids: a post is read each time it is sent or updated. */
export interface PostMaker<Post extends AnyPost = AnyPost> {
  /**
   * The content of a post. `over`: the post has nothing to say any more, and is not sent; undefined: the content is gone
   * or cannot be read, and the post becomes a dead letter.
   */
  of(post: OutboxPost, threadTs: string | undefined): Promise<Post | 'over' | undefined>;
  /** Called before a post is sent that was surely not sent before: its source may change the stored detail. */
  ready?(post: OutboxPost): Promise<void>;
  /**
   * Decides what follows when the channel takes no posts, or the access is gone. `block`: all posts wait for the
   * channel; `reject`: this post will never be taken, though a person may replay it; `wait`: the source is paused, and
   * the post waits with it.
   */
  gone(
    post: OutboxPost,
    refused: Pick<Extract<PostOutcome, { outcome: 'gone' }>, 'why' | 'code'>,
  ): Promise<'block' | 'reject' | 'wait'>;
  /** Called when a message cannot be updated any more: Slack takes no change of it, or its content is unreadable. */
  lost?(post: OutboxPost, code: string): Promise<void>;
  /** Finders of due notices about sources of this kind. */
  readonly dueNotices?: readonly FindDueNotices[];
}
