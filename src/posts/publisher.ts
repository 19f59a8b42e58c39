/**
 * Publisher interface between the outbox and Slack: what every post has, and the outcome of each call. A channel is an
 * id, a message a `ts`.
 */
import type { Owner } from '../ownership.js';

/** The fields of every post. `key` is in the message's metadata, so that an unconfirmed post can be found. */
export interface AnyPost {
  /** Unique and stable over retries. */
  readonly key: string;
  /** Goes up when the post is sent again though it may have been sent before: a replay, a deleted thread parent. */
  readonly generation: number;
  readonly owner: Owner;
  readonly channel: string;
  /** The message that the post replies to. */
  readonly threadTs?: string;
  /** Whether the channel shows the reply too. */
  readonly broadcast?: boolean;
}

/** People and user groups that a post calls. */
export interface Mention {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** A direct message about what `notice` says. */
export interface NoticePost<About = unknown> extends AnyPost {
  readonly kind: 'notice';
  readonly notice: About;
}

/** A post in doubt. */
export interface SearchedPost extends AnyPost {
  /** The channel's last message that is known to be earlier. */
  readonly afterTs?: string;
  /** Whether the post is searched for before others, where searches have to wait. */
  readonly isUrgent?: boolean;
}

export type PostOutcome =
  /**
   * `ts`: none of a workflow. `outside`: sent by itself, since the thread it replies to is gone. `channel`: where it is,
   * sent to a person's id.
   */
  | { readonly outcome: 'delivered'; readonly ts?: string; readonly outside?: boolean; readonly channel?: string }
  /** Surely not posted. `afterMs`: as Slack asked for, if it did. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** The post may be in the channel: call `find` before another attempt. */
  | { readonly outcome: 'unconfirmed'; readonly code: string }
  /** Slack says that it has the post already, which counts once `find` has found it. */
  | { readonly outcome: 'duplicate'; readonly code: string }
  /** The channel takes no posts, or the access is gone: it can be posted once a person acts. */
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /** Nothing was posted: the thread is gone. */
  | { readonly outcome: 'no_thread'; readonly code: string }
  /** Slack refused the post for good: it becomes a dead letter. */
  | { readonly outcome: 'refused'; readonly code: string };

export type FindOutcome =
  | { readonly outcome: 'found'; readonly ts: string }
  /** `beganAt`: by `time`, if the search began in an earlier call. Later posts may have been missed. */
  | { readonly outcome: 'absent'; readonly beganAt?: number }
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /**
   * The post's outcome can never be found out: it becomes a dead letter, searched for again when a person replays it.
   */
  | { readonly outcome: 'refused'; readonly code: string };

export type EditOutcome =
  | { readonly outcome: 'edited' }
  /** The message may have been changed or not: repeating does no harm. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** The message is gone, or cannot be changed. */
  | { readonly outcome: 'refused'; readonly code: string };

export interface Publisher<Post extends AnyPost = AnyPost> {
  /**
   * The time by the channel's clock (ms since the epoch), which `find` goes by: ours may be wrong, or set between
   * sending a post and searching for it. Never rejects. Without it, our own clock is used.
   */
  time?(owner: Owner): Promise<number>;
  post(post: Post, signal: AbortSignal): Promise<PostOutcome>;
  /** Searches the channel for the post since `since`, a value of `time`. Where nothing can be searched, it is absent. */
  find(post: SearchedPost, since: number, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * Opens the direct message with a person; undefined: the person takes none, or there is no access. Rejects if it should
   * be tried again. Where the app may open none, it is the person's own id.
   */
  open(owner: Owner, person: string): Promise<string | undefined>;
  /** The people who act on what concerns the whole workspace. Rejects if it should be tried again. */
  admins(owner: Owner): Promise<readonly string[]>;
  /** Replaces the message `ts` with the post's current content. */
  edit(post: Post, ts: string, signal: AbortSignal): Promise<EditOutcome>;
}
