/** Sources of posts as the outbox asks for them: what a post's maker says when Slack takes none of its posts. */
import type { OutboxPost } from './outbox/post.js';

export interface PostSources {
  /** Whether the source still posts in that channel. */
  postsIn(post: OutboxPost): Promise<boolean>;
  /** Nothing of the source can be posted: it is paused, and its maker notified. */
  pause(post: OutboxPost, why: { readonly why: 'token_revoked'; readonly code: string }): Promise<void>;
}
