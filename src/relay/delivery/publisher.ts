/**
 * Publisher interface between the relay and Slack: what is posted, and the outcome. A channel is an id, a message a
 * `ts`.
 */
import type { Owner } from '../../ownership.js';
import type { Incident } from '../incidents/incident.js';
import type { IncidentTally } from '../incidents/tally.js';
import type { ReceivedScan, Relay } from '../relays/relay.js';
import type { ResultCode } from '../relays/settings.js';
import type { Mention } from '../rules/index.js';
import type { BlockedQueue } from './outbox/blocked-queues.js';
import type { UndeliveredPosts } from './outbox/undelivered-notices.js';

/** `key` is in the message's metadata, so that an unconfirmed post can be found. */
export interface AnyPost {
  /** Unique and stable over retries. */
  readonly key: string;
  /** Goes up when the post is sent again though it may have been sent before: a replay, a deleted thread parent. */
  readonly generation: number;
  readonly owner: Owner;
  readonly relay: Relay;
  readonly channel: string;
  /** Makes it a reply to that message. */
  readonly threadTs?: string;
  /** The rules that matched; empty for a relay without rules, or a watch. */
  readonly rules: readonly RuleName[];
  readonly mention: Mention;
  /** The people who watch the value in that channel. */
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
  readonly note?: string;
}

export interface ScanPost extends AnyPost {
  readonly kind: 'scan';
  readonly scan: ReceivedScan;
  readonly acknowledged?: Acknowledgement;
}

/** An incident as it is now. */
export interface IncidentFacts extends Incident {
  /** The scan that ended a silence, if it is still stored. */
  readonly endScan?: ReceivedScan;
}

/** n invalid scans within m minutes; `scan` is the last of them, unless it was deleted. */
export interface BurstPost extends AnyPost {
  readonly kind: 'burst';
  readonly scan?: ReceivedScan;
  readonly burst: { readonly n: number; readonly minutes: number };
  /** Undefined of one that an older version posted. */
  readonly incident?: IncidentFacts;
  readonly acknowledged?: Acknowledgement;
}

export interface SilenceDetail {
  readonly of: 'relay' | 'device' | 'service';
  /** The device (udid) or service. */
  readonly id?: string | undefined;
  readonly minutes: number;
  readonly since: number;
}

export interface SilencePost extends AnyPost {
  readonly kind: 'silence';
  readonly silence: SilenceDetail;
  /** Undefined of one that an older version posted. */
  readonly incident?: IncidentFacts;
  readonly acknowledged?: Acknowledgement;
}

/** A reply in an incident's thread. */
export interface IncidentPost extends AnyPost {
  readonly kind: 'incident';
  readonly incident: IncidentFacts;
  readonly reply: /** The latest scans that opened it. */
    | { readonly part: 'opened'; readonly scans: readonly ReceivedScan[] }
    /** The figures when it was made. */
    | { readonly part: 'update'; readonly scans: number; readonly tally: IncidentTally }
    | { readonly part: 'over' }
    /** The one who has it now is mentioned. */
    | { readonly part: 'handed_over'; readonly by: string }
    /** A message of its own: nobody acknowledged it for so many minutes. */
    | { readonly part: 'escalated'; readonly minutes: number };
}

/** Number of scans, by result code and service. */
export interface ScanTally {
  readonly scans: number;
  readonly findings: readonly { readonly finding: ResultCode; readonly count: number }[];
  readonly services: readonly { readonly serviceId: string | undefined; readonly count: number }[];
}

export type Alarm =
  | {
      readonly kind: 'burst';
      readonly n: number;
      readonly minutes: number;
      readonly incident?: IncidentFacts | undefined;
    }
  | ({ readonly kind: 'silence'; readonly incident?: IncidentFacts | undefined } & SilenceDetail);

/** One message for many scans. */
export interface DigestPost extends AnyPost {
  readonly kind: 'digest';
  /** A rule collected them, they came in quiet hours, or the channel was far behind. */
  readonly why: 'collected' | 'quiet' | 'behind';
  /** When the first of them came. */
  readonly from: number;
  readonly tally: ScanTally;
  readonly alarms: readonly Alarm[];
  /** The first of them, in order of acceptance. */
  readonly first: readonly ReceivedScan[];
  /** For each watcher, the account's users who scanned what they watch; `by` is unset where nobody knows. */
  readonly watched: readonly { readonly who: string; readonly by?: string | undefined }[];
}

/** The thread parent of a rule's replies of one day. */
export interface CardPost extends AnyPost {
  readonly kind: 'card';
  /** `YYYY-MM-DD` in the rule's zone. */
  readonly day: string;
  readonly tally: ScanTally;
  readonly alarms: readonly Alarm[];
}

export type Post = ScanPost | BurstPost | SilencePost | IncidentPost | DigestPost | CardPost;

export type PostOutcome =
  /** `outside`: sent by itself, since the thread it replies to is gone. */
  | { readonly outcome: 'delivered'; readonly ts: string; readonly outside?: boolean }
  /** Surely not posted. `afterMs`: as Slack asked for, if it did. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** It may have been posted: call `find` before another attempt. */
  | { readonly outcome: 'unconfirmed'; readonly code: string }
  /** Slack says that it has it already. It counts once `find` has found it. */
  | { readonly outcome: 'duplicate'; readonly code: string }
  /** The channel takes no posts, or the access is gone: it can be posted once a person acts. */
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /** Nothing was posted: the thread is gone. */
  | { readonly outcome: 'no_thread'; readonly code: string }
  /** Rejected as it is, and can never succeed: it becomes a dead letter. */
  | { readonly outcome: 'refused'; readonly code: string };

export type FindOutcome =
  | { readonly outcome: 'found'; readonly ts: string }
  /** `beganAt`: by `time`, if the search began in an earlier call. Later posts may have been missed. */
  | { readonly outcome: 'absent'; readonly beganAt?: number }
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  | { readonly outcome: 'gone'; readonly why: 'channel_gone' | 'token_revoked'; readonly code: string }
  /** It can never be found out: a dead letter, searched for again when a person replays it. */
  | { readonly outcome: 'refused'; readonly code: string };

export type EditOutcome =
  | { readonly outcome: 'edited' }
  /** It may have been changed or not: repeating does no harm. */
  | { readonly outcome: 'retry'; readonly afterMs?: number; readonly code: string }
  /** The message is gone, or cannot be changed. */
  | { readonly outcome: 'refused'; readonly code: string };

export interface Publisher {
  /**
   * The time by the channel's clock (ms since the epoch), which `find` goes by: ours may be wrong, or set between
   * sending a post and searching for it. Never rejects. Without it, our own clock is used.
   */
  time?(owner: Owner): Promise<number>;
  post(post: Post, signal: AbortSignal): Promise<PostOutcome>;
  /** Searches the channel for the post since `since`, a value of `time`. */
  find(post: Post, since: number, signal: AbortSignal): Promise<FindOutcome>;
  /** Replaces the message `ts` with the post's current content. */
  edit(post: Post, ts: string, signal: AbortSignal): Promise<EditOutcome>;
  /** Notifies the relay's creator in private, once, why it was paused. */
  notifyPaused(relay: Relay): Promise<void>;
  /**
   * Sends an escalation that its channel refused to the relay's creator and the admins in private. Rejects if it should be
   * sent again: nobody gets it twice.
   */
  notifyEscalated(post: Post): Promise<void>;
  /**
   * Notifies the creators of these relays, which post in the channel, and the admins in private that it takes no posts.
   * Rejects if it should be sent again: nobody gets it twice.
   */
  notifyBlocked(queue: BlockedQueue, relays: readonly Relay[]): Promise<void>;
  /** Notifies the relay's creator in private which posts were not delivered and why. Rejects if it was not delivered. */
  notifyUndelivered(relay: Relay, posts: readonly UndeliveredPosts[]): Promise<void>;
}
