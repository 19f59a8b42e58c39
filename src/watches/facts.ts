/** The facts on watches and mutes that decide on posts. Pure. */
import type { MutesTable } from '../database/schema.js';
import type { Watch } from './watch-and-mute-rows.js';

export type WatchFact = Pick<Watch, 'channel' | 'who'>;

export interface MuteFact {
  readonly channel: string;
  readonly what: 'value' | 'relay' | { readonly rule: string };
  /** Set for a mute that ends after so many more posts. */
  readonly limit?: { readonly id: string; readonly posts: number };
}

/** A mute for a number of posts, and how many it left out. */
export interface MutedPosts {
  readonly id: string;
  readonly posts: number;
}

export function toMute(row: Pick<MutesTable, 'id' | 'channel' | 'what' | 'rule_id' | 'remaining'>): MuteFact {
  const { id, channel, what, rule_id: ruleId, remaining: posts } = row;
  return {
    channel,
    what: what === 'rule' ? { rule: ruleId ?? '' } : what,
    ...(posts === null ? {} : { limit: { id, posts } }),
  };
}

/** The mutes that are left after these posts. */
export function mutesAfter(mutes: readonly MuteFact[], posts: ReadonlyMap<string, number>): readonly MuteFact[] {
  if (posts.size === 0) {
    return mutes;
  }
  return mutes.flatMap((mute) => {
    const { limit } = mute;
    const left = limit && limit.posts - (posts.get(limit.id) ?? 0);
    return !limit || left === undefined ? [mute] : left > 0 ? [{ ...mute, limit: { ...limit, posts: left } }] : [];
  });
}
