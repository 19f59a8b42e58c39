/**
 * The mutes that apply to one scan, or to one silence. A mute for a number of posts counts those it leaves out, and
 * stops none after the last; a scan makes at most one post in a channel, so it counts once. Pure.
 */
import type { PostKind } from '../database/schema.js';
import { postKinds } from '../posts/kinds.js';
import type { MutedPosts, MuteFact } from './facts.js';

export interface Muting {
  /** Whether mutes stop a post of a rule, or of a relay without rules. A barcode's mute stops posts of scans alone. */
  stops(kind: PostKind, channel: string, ruleId?: string): boolean;
  /** Whether mutes stop a watch's post. Only the barcode's do: a watch belongs to no rule and no relay. */
  stopsWatch(channel: string): boolean;
  /** The counts of the mutes for a number of posts. */
  readonly counted: readonly MutedPosts[];
}

const noMuting: Muting = { stops: () => false, stopsWatch: () => false, counted: [] };

export function createMuting(mutes: readonly MuteFact[]): Muting {
  if (mutes.length === 0) {
    return noMuting;
  }
  const posts = new Map<string, number>();
  const countedForScan = new Set<string>();

  const stopsOne = ({ limit }: MuteFact, ofScan: boolean): boolean => {
    if (!limit || (ofScan && countedForScan.has(limit.id))) {
      return true;
    }
    const countBefore = posts.get(limit.id) ?? 0;
    if (countBefore >= limit.posts) {
      return false;
    }
    posts.set(limit.id, countBefore + 1);
    if (ofScan) {
      countedForScan.add(limit.id);
    }
    return true;
  };
  // Every mute that applies counts the post, also when another has stopped it already.
  const isStopped = (channel: string, applies: (what: MuteFact['what']) => boolean, ofScan = true): boolean =>
    mutes.filter((mute) => mute.channel === channel && applies(mute.what) && stopsOne(mute, ofScan)).length > 0;
  const isRule = (muted: MuteFact['what'], ruleId: string | undefined) =>
    typeof muted === 'object' && ruleId !== undefined && muted.rule === ruleId;

  return {
    stops: (kind, channel, ruleId) =>
      postKinds[kind].whenMuted !== 'posted' &&
      isStopped(
        channel,
        (muted) => muted === 'relay' || (muted === 'value' && kind === 'scan') || isRule(muted, ruleId),
        kind === 'scan',
      ),
    stopsWatch: (channel) => isStopped(channel, (muted) => muted === 'value'),
    get counted() {
      return [...posts].map(([id, n]) => ({ id, posts: n }));
    },
  };
}
