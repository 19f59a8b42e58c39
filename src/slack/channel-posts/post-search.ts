/**
 * Owns finding a post whose end nobody knows: what a message carries to be found by, and the search for it, page by page. What
 * cannot be looked through to the end is never called absent.
 */
import type { WebClient } from '@slack/web-api';
import type { Owner } from '../../ownership.js';
import type { FindOutcome, Post, Publisher } from '../../relay/index.js';
import { type PostFailure, postFailure } from './post-failure.js';

/** How far the clocks of Slack's machines may be apart, and what we make of them. */
const clockMarginMs = 60_000;
/** What Slack gives distributed, unlisted apps in one call at most. */
const historyPage = 15;
/** Searches that wait for their next page; a page more or less costs a call, no more. */
const searchesKept = 1_000;
/** Pages end: whoever comes back too late begins again. */
const oldCursor = 'slack.invalid_cursor';
const scanEventType = 'scandesk_scan';

/** Where a search is: in a thread or beside all threads, and from which page on. */
interface Search {
  readonly since: number;
  /** What is posted after its first page was read may be missed. */
  readonly beganAt: number;
  readonly threadTs: string | undefined;
  readonly cursor: string | undefined;
}

/** In the message's metadata: by it a post is found again. */
export function postMetadata(key: string): { event_type: string; event_payload: { key: string } } {
  return { event_type: scanEventType, event_payload: { key } };
}

export function createPostSearch(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  /** As the poster's `time` tells it. */
  now(): number;
}): Publisher['find'] {
  const { clientFor, now } = deps;
  /** Where a search goes on after Slack said to wait: with one call a minute it would else begin anew for ever. */
  const searches = new Map<string, Search>();

  const remember = (key: string, search: Search): Search => {
    if (searches.size >= searchesKept) {
      searches.clear();
    }
    searches.set(key, search);
    return search;
  };

  const goOn = async (
    client: WebClient,
    { key, channel }: Post,
    { cursor: from, ...search }: Search,
    signal: AbortSignal,
  ): Promise<FindOutcome> => {
    const { since, beganAt, threadTs } = search;
    let cursor = from;
    do {
      const asked = {
        channel,
        oldest: slackTime(since - clockMarginMs),
        inclusive: true,
        limit: historyPage,
        include_all_metadata: true,
        ...(cursor === undefined ? {} : { cursor }),
      };
      // A channel's history has no replies in it.
      const page =
        threadTs === undefined
          ? await client.conversations.history(asked)
          : await client.conversations.replies({ ...asked, ts: threadTs });
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

  const find: Publisher['find'] = async (post, since, signal) => {
    const { key, owner, threadTs } = post;
    const before = searches.get(key);
    const search = before?.since === since ? before : { since, beganAt: now(), threadTs, cursor: undefined };
    try {
      const client = await clientFor(owner);
      try {
        return await goOn(client, post, search, signal);
      } catch (error) {
        if (search.threadTs === undefined || postFailure(error).kind !== 'no_thread') {
          throw error;
        }
        // It may have come all the same: Slack may put a reply to a message that is gone into the channel.
        return await goOn(client, post, remember(key, { ...search, threadTs: undefined, cursor: undefined }), signal);
      }
    } catch (error) {
      const failure = postFailure(error);
      if (failure.code === oldCursor) {
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
