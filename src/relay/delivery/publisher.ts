/**
 * Publisher interface between the relay and Slack: what is posted, and the outcome. A channel is an id, a message a
 * `ts`.
 */
import type { Owner } from '../../ownership.js';
import type { ReceivedScan, Relay } from '../relays/relay.js';
import type { ResultCode } from '../relays/settings.js';
import type { Mention } from '../rules/index.js';
import type { UndeliveredPosts } from './outbox/undelivered-notices.js';

/** `key` is in the message's metadata, so that a post in doubt is found. */
export interface AnyPost {
  /** Unique and stable over retries. */
  readonly key: string;
  /** Goes up when it is to be sent anew though it may have been sent before: a replay, a card that was taken away. */
  readonly generation: number;
  readonly owner: Owner;
  readonly relay: Relay;
  readonly channel: string;
  /** It is a reply to that message. */
  readonly threadTs?: string;
  /** The rules by which it came; none of a relay without rules, or of a watch. */
  readonly rules: readonly RuleName[];
  readonly mention: Mention;
  /** Who watches the value from that channel. */
  readonly watchers: readonly string[];
}

export interface RuleName {
  readonly id: string;
  /** May be empty. */
  readonly name: string;
}

export interface Acknowledgement {
  readonly by: string;
  readonly at: number;
}

export interface ScanPost extends AnyPost {
  readonly kind: 'scan';
  readonly scan: ReceivedScan;
  readonly acknowledged?: Acknowledgement;
}

/** So many invalid scans within so many minutes; `scan` is the last of them. */
export interface BurstPost extends AnyPost {
  readonly kind: 'burst';
  readonly scan: ReceivedScan;
  readonly burst: { readonly n: number; readonly minutes: number };
  readonly acknowledged?: Acknowledgement;
}

export interface SilenceTold {
  readonly of: 'relay' | 'device' | 'service';
  /** Of which device (udid) or service. */
  readonly id?: string | undefined;
  readonly minutes: number;
  readonly since: number;
}

export interface SilencePost extends AnyPost {
  readonly kind: 'silence';
  readonly silence: SilenceTold;
  readonly acknowledged?: Acknowledgement;
}

/** How many scans, by what was found and by service. */
export interface ScanTally {
  readonly scans: number;
  readonly findings: readonly { readonly finding: ResultCode; readonly count: number }[];
  readonly services: readonly { readonly serviceId: string | undefined; readonly count: number }[];
}

export type Alarm =
  | { readonly kind: 'burst'; readonly n: number; readonly minutes: number }
  | ({ readonly kind: 'silence' } & SilenceTold);

/** One message for many scans. */
export interface DigestPost extends AnyPost {
  readonly kind: 'digest';
  /** They were collected, came in quiet hours, or the channel could not keep up. */
  readonly why: 'collected' | 'quiet' | 'behind';
  /** When the first of them came. */
  readonly from: number;
  readonly tally: ScanTally;
  readonly alarms: readonly Alarm[];
  /** The first of them, in the order in which they came. */
  readonly first: readonly ReceivedScan[];
}

/** The parent of a rule's replies of one day. */
export interface CardPost extends AnyPost {
  readonly kind: 'card';
  /** `YYYY-MM-DD` in the rule's zone. */
  readonly day: string;
  readonly tally: ScanTally;
  readonly alarms: readonly Alarm[];
}

export type Post = ScanPost | BurstPost | SilencePost | DigestPost | CardPost;

export type PostOutcome =
  /** `outside`: it was to be a reply, and stands by itself: what it replies to is gone. */
  | { readonly outcome: 'delivered'; readonly ts: string; readonly outside?: boolean }
  /** Nothing was posted for certain. `afterMs`: what the other side asked for, where it did. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** It may have been posted: ask `find` before another attempt. */
  | { readonly outcome: 'doubt'; readonly code: string }
  /** The other side says that it has it already. It counts once `find` has found it. */
  | { readonly outcome: 'duplicate'; readonly code: string }
  /** The channel or the access is gone: nothing of this relay can be posted until a person acts. */
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /** Nothing was posted: what it replies to is gone. */
  | { readonly outcome: 'no_thread'; readonly code: string }
  /** This post can never succeed (refused as it is). It is set aside. */
  | { readonly outcome: 'refused'; readonly code: string };

export type FindOutcome =
  | { readonly outcome: 'found'; readonly ts: string }
  /** `beganAt`: by `time`, where the search began in an earlier call. What came after that may have been missed. */
  | { readonly outcome: 'absent'; readonly beganAt?: number }
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /** It can never be found out. The post is set aside, and looked for again when a person replays it. */
  | { readonly outcome: 'refused'; readonly code: string };

export type EditOutcome =
  | { readonly outcome: 'edited' }
  /** It may have been changed or not: the same again does no harm. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** The message is gone, or cannot be changed. */
  | { readonly outcome: 'refused'; readonly code: string };

export interface Publisher {
  /**
   * What time it is where the owner's posts go (ms since the epoch): what `find` is asked by. Ours may be wrong, or be set
   * between sending a post and looking for it. Never rejects. Without it, our own clock is believed.
   */
  time?(owner: Owner): Promise<number>;
  post(post: Post, signal: AbortSignal): Promise<PostOutcome>;
  /** Looks for the post in the channel among what came since `since`, a moment that `time` told. */
  find(post: Post, since: number, signal: AbortSignal): Promise<FindOutcome>;
  /** Puts the post as it is now in the place of the message `ts`. */
  edit(post: Post, ts: string, signal: AbortSignal): Promise<EditOutcome>;
  /** Tells the person who made the relay, in private, once, why it was paused. */
  tellPaused(relay: Relay): Promise<void>;
  /** Tells the same person, in private, what was set aside and why. Rejects where it did not get through. */
  tellUndelivered(relay: Relay, posts: readonly UndeliveredPosts[]): Promise<void>;
}
