/**
 * Finds an unconfirmed post by its message metadata, page by page through its thread or channel. A post counts as
 * absent only after a search that reached the end.
 */
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Owner } from '../../ownership.js';
import type { AnyPost, FindOutcome } from '../../posts/index.js';
import { type PostFailure, postFailure } from './post-failure.js';

/** Margin for differences between Slack's clocks and our estimate of them. */
const clockMarginMs = 60_000;
/** Slack's maximum per call for distributed, unlisted apps. */
const historyPage = 15;
/** Searches waiting for their next page; losing one costs a call, no more. */
const maxSearches = 1_000;
/** Cursors expire: a search that resumes too late starts over. */
const expiredCursor = 'slack.invalid_cursor';
const scanEventType = 'scandesk_scan';

/** The state of a search: in a thread or in the channel, and its next page. */
interface Search {
  readonly since: number;
  /** A post made after its first page was read may be missed. */
  readonly beganAt: number;
  readonly threadTs: string | undefined;
  readonly cursor: string | undefined;
}

/** Message metadata by which a post is found again. */
export function postMetadata(key: string): { event_type: string; event_payload: { key: string } } {
  return { event_type: scanEventType, event_payload: { key } };
}

type SearchedPost = Pick<AnyPost, 'key' | 'owner' | 'channel' | 'threadTs'>;

export type FindPost = (post: SearchedPost, since: number, signal: AbortSignal) => Promise<FindOutcome>;

export function createPostSearch(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  /** The publisher's `time`. */
  now(): number;
}): FindPost {
  const { clientFor, now } = deps;
  /** Where to resume after Slack's rate limit: at one call a minute, a search would otherwise start over forever. */
  const searches = new LRUCache<string, Search>({ max: maxSearches });

  const remember = (key: string, search: Search): Search => {
    searches.set(key, search);
    return search;
  };

  const searchPages = async (
    client: WebClient,
    { key, channel }: SearchedPost,
    { cursor: from, ...search }: Search,
    signal: AbortSignal,
  ): Promise<FindOutcome> => {
    const { since, beganAt, threadTs } = search;
    let cursor = from;
    do {
      const query = {
        channel,
        oldest: slackTime(since - clockMarginMs),
        inclusive: true,
        limit: historyPage,
        include_all_metadata: true,
        ...(cursor === undefined ? {} : { cursor }),
      };
      // A channel's history has no replies.
      const page =
        threadTs === undefined
          ? await client.conversations.history(query)
          : await client.conversations.replies({ ...query, ts: threadTs });
      const found = page.messages?.find((message) => keyOf(message.metadata) === key);
      if (found?.ts !== undefined) {
        return { outcome: 'found', ts: found.ts };
      }
      cursor = page.has_more ? page.response_metadata?.next_cursor || undefined : undefined;
      if (cursor !== undefined) {
        remember(key, { ...search, cursor });
      }
    } while (cursor !== undefined && !signal.aborted);
    return cursor === undefined
      ? { outcome: 'absent', beganAt }
      : { outcome: 'retry', code: 'slack.search_goes_on', afterMs: 0 };
  };

  const find: FindPost = async (post, since, signal) => {
    const { key, owner, threadTs } = post;
    const before = searches.get(key);
    const search = before?.since === since ? before : { since, beganAt: now(), threadTs, cursor: undefined };
    try {
      const client = await clientFor(owner);
      try {
        return await searchPages(client, post, search, signal);
      } catch (error) {
        if (search.threadTs === undefined || postFailure(error).kind !== 'no_thread') {
          throw error;
        }
        // It may still be there: Slack can put a reply to a deleted message into the channel.
        return await searchPages(
          client,
          post,
          remember(key, { ...search, threadTs: undefined, cursor: undefined }),
          signal,
        );
      }
    } catch (error) {
      const failure = postFailure(error);
      if (failure.code === expiredCursor) {
        searches.delete(key);
        return { outcome: 'retry', code: failure.code };
      }
      return toFindOutcome(failure);
    }
  };

  return async (post, since, signal) => {
    const outcome = await find(post, since, signal);
    if (outcome.outcome !== 'retry') {
      searches.delete(post.key);
    }
    return outcome;
  };
}

/** Milliseconds as Slack's seconds with a fraction. */
function slackTime(at: number): string {
  return (Math.max(0, at) / 1_000).toFixed(6);
}

function keyOf(metadata: { event_type?: string; event_payload?: unknown } | undefined): unknown {
  if (metadata?.event_type !== scanEventType) {
    return undefined;
  }
  const { event_payload: payload } = metadata;
  return typeof payload === 'object' && payload !== null && 'key' in payload ? payload.key : undefined;
}

function toFindOutcome(failure: PostFailure): FindOutcome {
  switch (failure.kind) {
    case 'channel_gone':
    case 'token_revoked':
      return { outcome: 'gone', why: failure.kind, code: failure.code };
    case 'unsent':
      return {
        ...{ outcome: 'retry', code: failure.code },
        ...(failure.afterMs === undefined ? {} : { afterMs: failure.afterMs }),
      };
    case 'unknown':
      return { outcome: 'retry', code: failure.code };
    default:
      return { outcome: 'refused', code: failure.code };
  }
}
