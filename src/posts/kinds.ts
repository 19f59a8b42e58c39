/** The kinds of posts, each with all that the outbox, the worker, updates and retention ask about it. */
import type { PostKind } from '../database/schema.js';

/** Order holds within a lane of a channel's queue: an alert overtakes the scans that wait before it. */
export const urgentLane = 0;
export const usualLane = 1;
/** In their order. */
export const lanes = [urgentLane, usualLane] as const;

export interface KindOfPost {
  /** A thread parent is in the lower lane, so that no reply goes before it. */
  readonly lane: (typeof lanes)[number];
  /** In a channel that is far behind, a digest stands for many of them. */
  readonly isMerged: boolean;
  /** Its message counts, and changes with every scan: updates are collected for a while. */
  readonly isCounting: boolean;
  /** A reply that is a message of its own only where its thread was never begun. */
  readonly staysInThread: boolean;
  /** Not sent within this time, it is missed, which is no dead letter. */
  readonly expiresAfterMs?: number;
  /** What it is deleted with: its scan; the count that it shows, before the scans; or what covers it. */
  readonly kept: 'scan' | 'count' | 'cover';
}

const usual = { lane: usualLane, isMerged: false, isCounting: false, staysInThread: false } as const;
const alert = { ...usual, lane: urgentLane, kept: 'cover' } as const;

export const postKinds: Readonly<Record<PostKind, KindOfPost>> = {
  scan: { ...usual, isMerged: true, kept: 'scan' },
  digest: { ...usual, kept: 'count' },
  card: { ...usual, lane: urgentLane, isCounting: true, kept: 'count' },
  burst: { ...alert, isCounting: true },
  silence: alert,
  incident: { ...alert, staysInThread: true },
  export: alert,
  notice: alert,
  report: { ...usual, expiresAfterMs: 3 * 3_600_000, kept: 'cover' },
};

export function kindsWhere(is: (kind: KindOfPost) => boolean): readonly PostKind[] {
  return (Object.keys(postKinds) as PostKind[]).filter((kind) => is(postKinds[kind]));
}
