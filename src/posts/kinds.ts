/** The kinds of posts, each with all that the outbox, the worker, updates, rules and retention ask about it. */
import type { PostKind, StoredPostKind } from '../database/schema.js';

/** Order holds within a lane of a channel's queue: an alert overtakes the scans that wait before it. */
export const urgentLane = 0;
export const usualLane = 1;
/** In their order. */
export const lanes = [urgentLane, usualLane] as const;

/** What becomes of a post that something holds: it is posted all the same, or never, or later, or as part of a digest. */
type Fate = 'posted' | 'left_out' | 'later' | 'digested';

export interface KindOfPost {
  /** A thread parent is in the lower lane, so that no reply goes before it. */
  readonly lane: (typeof lanes)[number];
  /** Whether updates of its message go before those of scans, where the workspace's calls are few. */
  readonly updates: 'urgent' | 'usual';
  /** While its rule, its relay or its barcode is muted. A mute for a number of posts leaves out each that it counts. */
  readonly whenMuted: Fate;
  /** While its source is paused. What is in the outbox by then waits. */
  readonly whenPaused: Fate;
  /** Within the quiet hours of its rule. */
  readonly inQuietHours: Fate;
  /** While its channel is far behind. */
  readonly inBacklog: Fate;
  /** Its message counts, and changes with every scan: updates are collected for a while. */
  readonly isCounting: boolean;
  /** A reply that is a message of its own only where its thread was never begun. */
  readonly staysInThread: boolean;
  /** Not sent within this time, it is missed, which is no dead letter. */
  readonly expiresAfterMs?: number;
  /** What it is deleted with: its scan; the count that it shows, before the scans; or what covers it. */
  readonly kept: 'scan' | 'count' | 'cover';
}

const plain = { isCounting: false, staysInThread: false } as const;
const usual = { ...plain, lane: usualLane, updates: 'usual' } as const;
const urgent = { ...plain, lane: urgentLane, updates: 'urgent', kept: 'cover' } as const;

const unheld = { whenMuted: 'posted', whenPaused: 'posted', inQuietHours: 'posted', inBacklog: 'posted' } as const;
/** A digest and a count show posts that no mute left out. */
const counted = { ...unheld, whenPaused: 'later' } as const;
const alert = { whenMuted: 'later', whenPaused: 'later', inQuietHours: 'digested', inBacklog: 'posted' } as const;

export const postKinds: Readonly<Record<PostKind, KindOfPost>> = {
  scan: {
    ...{ ...usual, kept: 'scan' },
    ...{ whenMuted: 'left_out', whenPaused: 'later', inQuietHours: 'digested', inBacklog: 'digested' },
  },
  digest: { ...usual, ...counted, inQuietHours: 'later', kept: 'count' },
  card: { ...urgent, ...counted, isCounting: true, kept: 'count' },
  burst: { ...urgent, ...alert, isCounting: true },
  silence: { ...urgent, ...alert },
  reply: { ...urgent, ...unheld, whenMuted: 'left_out', whenPaused: 'left_out', staysInThread: true },
  escalation: { ...urgent, ...alert, inQuietHours: 'later' },
  // Nobody has to act on how far an export is.
  export: { ...urgent, ...unheld, updates: 'usual' },
  notice: { ...urgent, ...unheld },
  report: { ...usual, ...unheld, whenPaused: 'left_out', expiresAfterMs: 3 * 3_600_000, kept: 'cover' },
};

const storedKinds: Readonly<Record<StoredPostKind, KindOfPost>> = { ...postKinds, incident: postKinds.reply };

export function kindOfRow({ kind }: { readonly kind: StoredPostKind }): KindOfPost {
  return storedKinds[kind];
}

/** For queries of posts. */
export function kindsWhere(is: (kind: KindOfPost) => boolean): readonly StoredPostKind[] {
  return (Object.keys(storedKinds) as StoredPostKind[]).filter((kind) => is(storedKinds[kind]));
}
