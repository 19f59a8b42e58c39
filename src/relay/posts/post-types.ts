/** Posts of relays as a publisher gets them, with all data that the message shows. */
import type { Incident } from '../../incidents/incident.js';
import type { IncidentTally } from '../../incidents/tally.js';
import type { OutboxPost } from '../../posts/outbox/post.js';
import type { AnyPost, Mention } from '../../posts/publisher.js';
import type { ReceivedScan, Relay } from '../record/relay.js';
import type { ResultCode, WorkflowVariable } from '../record/settings.js';
import type { PostDetail } from '../rules/detail.js';

export interface AnyRelayPost extends AnyPost {
  readonly relay: Relay;
  /** The rules that matched; empty for a relay without rules, or for a watch. */
  readonly rules: readonly RuleName[];
  readonly mention: Mention;
  /** The people who watch the value in the post's channel. */
  readonly watchers: readonly string[];
}

/** The id and the name of a rule; the name may be empty. */
export type RuleName = Pick<PostDetail['rules'][number], 'id' | 'name'>;

export type Acknowledgement = NonNullable<OutboxPost['acknowledged']>;

export interface ScanPost extends AnyRelayPost {
  readonly kind: 'scan';
  readonly scan: ReceivedScan;
  readonly acknowledged?: Acknowledgement;
}

/** A post that starts the workflow whose trigger is its `channel`. */
export interface WorkflowPost extends AnyRelayPost {
  readonly kind: 'workflow';
  readonly scan: ReceivedScan;
  readonly variables: readonly WorkflowVariable[];
}

/** An incident in its current state. */
export interface IncidentFacts extends Incident {
  /** The scan that ended a silence, if it is still stored. */
  readonly endScan?: ReceivedScan;
}

/** An alert: n scans that are not valid within m minutes; `scan` is the one that opened it, unless it was deleted. */
export interface BurstPost extends AnyRelayPost {
  readonly kind: 'burst';
  readonly scan?: ReceivedScan;
  readonly burst: NonNullable<PostDetail['burst']>;
  /** The alert's incident; undefined for an alert that an older version posted. */
  readonly incident?: IncidentFacts;
  readonly acknowledged?: Acknowledgement;
}

export type SilenceDetail = NonNullable<PostDetail['silence']>;

export interface SilencePost extends AnyRelayPost {
  readonly kind: 'silence';
  readonly silence: SilenceDetail;
  /** The alert's incident; undefined for an alert that an older version posted. */
  readonly incident?: IncidentFacts;
  readonly acknowledged?: Acknowledgement;
}

/** A reply in an incident's thread. */
export interface ReplyPost extends AnyRelayPost {
  readonly kind: 'reply';
  readonly incident: IncidentFacts;
  readonly reply: /** The latest scans of those that opened the incident. */
    | { readonly part: 'opened'; readonly scans: readonly ReceivedScan[] }
    /** The figures of the incident when the reply was made. */
    | { readonly part: 'update'; readonly scans: number; readonly tally: IncidentTally }
    | { readonly part: 'over' }
    /** The handover; the reply mentions the person who has the incident now. */
    | { readonly part: 'handed_over'; readonly by: string };
}

/** The escalation of an incident that nobody acknowledged for so many minutes. */
export interface EscalationPost extends AnyRelayPost {
  readonly kind: 'escalation';
  readonly incident: IncidentFacts;
  readonly minutes: number;
}

/** How many scans there are, by result code and service. */
export interface ScanTally {
  readonly scans: number;
  readonly findings: readonly { readonly finding: ResultCode; readonly count: number }[];
  readonly services: readonly { readonly serviceId: string | undefined; readonly count: number }[];
}

export type Alarm = { readonly incident?: IncidentFacts | undefined } & (
  | ({ readonly kind: 'burst' } & BurstPost['burst'])
  | ({ readonly kind: 'silence' } & SilenceDetail)
);

/** The message of a digest: one for all its scans. */
export interface DigestPost extends AnyRelayPost {
  readonly kind: 'digest';
  /** Why the scans are in a digest: a rule collected them, they came in quiet hours, or the channel was far behind. */
  readonly why: NonNullable<PostDetail['digest']>['why'];
  /** The time of the digest's first scan. */
  readonly from: number;
  readonly tally: ScanTally;
  readonly alarms: readonly Alarm[];
  /** The digest's first scans, in order of acceptance. */
  readonly first: readonly ReceivedScan[];
  /** For each watcher, the account's users who made the watched scans; `by` is unset where they are unknown. */
  readonly watched: PostDetail['watched'];
}

/** The thread parent of a rule's replies of one day. */
export interface CardPost extends AnyRelayPost {
  readonly kind: 'card';
  /** The day of the thread: `YYYY-MM-DD` in the rule's zone. */
  readonly day: string;
  readonly tally: ScanTally;
  readonly alarms: readonly Alarm[];
}

/** The mention of a rule that rested when another rule's post showed the scan: a reply to that post. */
export interface MentionPost extends AnyRelayPost {
  readonly kind: 'mention';
}

export type Post =
  | (ScanPost | BurstPost | SilencePost | ReplyPost | EscalationPost)
  | (DigestPost | CardPost | MentionPost);
