/** The kinds of posts, each with the facts by which the outbox, the worker, updates, rules and retention treat it. */
import type { PostKind, StoredPostKind } from '../database/schema.js';

/** The lane of urgent posts. Order holds within a lane of a channel's queue: an alert overtakes the scans that wait. */
export const urgentLane = 0;
export const usualLane = 1;
/** The lanes, the urgent one first. */
export const lanes = [urgentLane, usualLane] as const;

/** The fate of a held post: posted all the same, never, later, or as part of a digest. */
type Fate = 'posted' | 'left_out' | 'later' | 'digested';

export interface KindOfPost {
  /**
   * How the post is delivered. `workflow`: it starts a workflow. Its queue is a trigger's, not a channel's. No message
   * shows it, so nothing is updated, and where its outcome is in doubt the workflow is started again.
   */
  readonly delivery: 'message' | 'workflow';
  /** The lane of the post. A thread parent is urgent, so that no reply goes before it. */
  readonly lane: (typeof lanes)[number];
  /** Whether updates of the post's message go before updates of scans, where the workspace's calls are few. */
  readonly updates: 'urgent' | 'usual';
  /**
   * The fate of the post while its rule, relay or barcode is muted. A mute for a number of posts leaves out each post
   * that it counts.
   */
  readonly whenMuted: Fate;
  /**
   * The fate of the post while its source is paused. Posts in the outbox wait too, but for those of a kind that is
   * posted all the same.
   */
  readonly whenPaused: Fate;
  /** The fate of the post within the quiet hours of its rule, or its list. */
  readonly inQuietHours: Fate;
  /** The fate of the post while its channel is far behind. */
  readonly inBacklog: Fate;
  /**
   * Whether updates are collected for a while, since the message changes with every scan: `counting` at equal
   * intervals, `yielding` at longer ones while other posts of the workspace wait.
   */
  readonly collects: 'never' | 'counting' | 'yielding';
  /** Whether a reply is a message of its own only where its thread was never begun. */
  readonly staysInThread: boolean;
  /** How long the post may wait to be sent; after that it is missed, which is no dead letter. */
  readonly expiresAfterMs?: number;
  /**
   * The record with which the post is deleted: its scan; the count that it shows, before the scans of that count; the
   * digest or thread parent that covers it; or its source, which touches the post as long as the source goes on.
   */
  readonly kept: 'scan' | 'count' | 'cover' | 'source';
}

const plainKind = { delivery: 'message', collects: 'never', staysInThread: false } as const;
const usualKind = { ...plainKind, lane: usualLane, updates: 'usual' } as const;
const urgentKind = { ...plainKind, lane: urgentLane, updates: 'urgent', kept: 'cover' } as const;

const unheldKind = { whenMuted: 'posted', whenPaused: 'posted', inQuietHours: 'posted', inBacklog: 'posted' } as const;
/** Digests and counts show posts that no mute left out, so mutes do not hold them. */
const countedKind = { ...unheldKind, whenPaused: 'later' } as const;
const alertKind = { whenMuted: 'later', whenPaused: 'later', inQuietHours: 'digested', inBacklog: 'posted' } as const;

export const postKinds: Readonly<Record<PostKind, KindOfPost>> = {
  scan: {
    ...usualKind,
    kept: 'scan',
    whenMuted: 'left_out',
    whenPaused: 'later',
    inQuietHours: 'digested',
    inBacklog: 'digested',
  },
  digest: { ...usualKind, ...countedKind, inQuietHours: 'later', kept: 'count' },
  card: { ...urgentKind, ...countedKind, collects: 'counting', kept: 'count' },
  mention: {
    ...usualKind,
    kept: 'cover',
    whenMuted: 'left_out',
    whenPaused: 'later',
    inQuietHours: 'later',
    inBacklog: 'posted',
  },
  burst: { ...urgentKind, ...alertKind, collects: 'counting' },
  silence: { ...urgentKind, ...alertKind },
  reply: { ...urgentKind, ...unheldKind, whenMuted: 'left_out', staysInThread: true },
  escalation: { ...urgentKind, ...alertKind, inQuietHours: 'later' },
  // Updates of an export are not urgent: nobody has to act on its progress.
  export: { ...urgentKind, ...unheldKind, updates: 'usual' },
  // A board is edited as long as its channel shows the list, though it was sent long ago.
  board: { ...usualKind, ...unheldKind, collects: 'yielding', kept: 'source' },
  threshold: { ...urgentKind, ...unheldKind },
  double: { ...urgentKind, ...unheldKind },
  notice: { ...urgentKind, ...unheldKind },
  overdue: { ...urgentKind, ...unheldKind, inQuietHours: 'later' },
  // Workflows have no mutes, backlogs and quiet hours: these are for channels that people read.
  workflow: { ...usualKind, ...unheldKind, delivery: 'workflow', whenPaused: 'later', kept: 'scan' },
  report: { ...usualKind, ...unheldKind, whenPaused: 'left_out', expiresAfterMs: 3 * 3_600_000, kept: 'cover' },
};

const storedKinds: Readonly<Record<StoredPostKind, KindOfPost>> = { ...postKinds, incident: postKinds.reply };

export function kindOfRow({ kind }: { readonly kind: StoredPostKind }): KindOfPost {
  return storedKinds[kind];
}

/** The kinds that meet a condition, for queries of posts. */
export function kindsWhere(is: (kind: KindOfPost) => boolean): readonly StoredPostKind[] {
  return (Object.keys(storedKinds) as StoredPostKind[]).filter((kind) => is(storedKinds[kind]));
}
