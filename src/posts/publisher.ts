/**
 * Publisher interface between the outbox and Slack: the fields of every post, and the outcome of each call. Channels
 * are named by their id at Slack, messages by their `ts`.
 */
import type { Owner } from '../ownership.js';

/** The fields of every post. `key` is in the message's metadata, so that an unconfirmed post can be found. */
export interface AnyPost {
  /** The post's key: unique, and stable over retries. */
  readonly key: string;
  /** The number of times that the post was replayed, or posted again as a deleted thread parent; retries keep it. */
  readonly generation: number;
  readonly owner: Owner;
  readonly channel: string;
  /** The message that the post replies to. */
  readonly threadTs?: string;
  /** Whether the channel shows the reply too. */
  readonly broadcast?: boolean;
}

/** People and user groups that a post mentions. */
export interface Mention {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** A direct message about the subject in `notice`. */
export interface NoticePost<About = unknown> extends AnyPost {
  readonly kind: 'notice';
  readonly notice: About;
}

/** A post in doubt, to be searched for. */
export interface SearchedPost extends AnyPost {
  /** The channel's last message that is known to be earlier. */
  readonly afterTs?: string;
  /** Whether the post is searched for before others, where searches have to wait. */
  readonly isUrgent?: boolean;
}

export type PostOutcome =
  /**
   * The post was delivered. `ts`: absent for a workflow. `outside`: the reply was sent by itself, since its thread is
   * gone. `channel`: the conversation, if it was sent to a person's id.
   */
  | { readonly outcome: 'delivered'; readonly ts?: string; readonly outside?: boolean; readonly channel?: string }
  /** The post was surely not posted. `afterMs`: the wait that Slack asked for, if it did. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** The post may be in the channel: call `find` before another attempt. */
  | { readonly outcome: 'unconfirmed'; readonly code: string }
  /** Slack says that it has the post already, which is believed once `find` has found it. */
  | { readonly outcome: 'duplicate'; readonly code: string }
  /** The channel takes no posts, or the access is gone: the post can be sent once a person acts. */
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /** Nothing was posted: the thread is gone. */
  | { readonly outcome: 'no_thread'; readonly code: string }
  /** Slack refused the post for good: it becomes a dead letter. */
  | { readonly outcome: 'refused'; readonly code: string };

export type FindOutcome =
  | { readonly outcome: 'found'; readonly ts: string }
  /** `beganAt`: when the search began, by `time`, if in an earlier call. A post sent since may have been missed. */
  | { readonly outcome: 'absent'; readonly beganAt?: number }
  /**
   * `refused`: the post's outcome can never be found out. It becomes a dead letter, searched for again when a person
   * replays it.
   */
  | Extract<PostOutcome, { outcome: 'retry' | 'gone' | 'refused' }>;

export type EditOutcome =
  | { readonly outcome: 'edited' }
  /**
   * `retry`: the message may have been changed or not: to repeat the edit does no harm. `refused`: the message is gone,
   * or cannot be changed.
   */
  | Extract<PostOutcome, { outcome: 'retry' | 'refused' }>;

export interface Publisher<Post extends AnyPost = AnyPost> {
  /**
   * The time by the channel's clock (ms since the epoch), which `find` uses: Scandesk's own clock may be wrong, or be
   * set between sending and searching. Never rejects. Without this function, Scandesk's own clock is used.
   */
  time?(owner: Owner): Promise<number>;
  /** Rejects only where the post could not be drawn: nothing was sent. */
  post(post: Post, signal: AbortSignal): Promise<PostOutcome>;
  /** Searches the channel for the post since `since`, a value of `time`. Where nothing can be searched, it is absent. */
  find(post: SearchedPost, since: number, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * Opens the direct message with a person; undefined: the person takes no messages, or there is no access. Rejects if
   * it must be tried again. If the app may not open it, returns the person's own id.
   */
  open(owner: Owner, person: string): Promise<string | undefined>;
  /** The people who act on problems of the whole workspace. Rejects if it must be tried again. */
  admins(owner: Owner): Promise<readonly string[]>;
  /** Replaces the message `ts` with the post's current content. Rejects where the post could not be drawn. */
  edit(post: Post, ts: string, signal: AbortSignal): Promise<EditOutcome>;
}
