/**
 * Finds an unconfirmed post by its message metadata, page by page through its thread or channel. A post counts as
 * absent only after a search that read to the end.
 */
import type { ConversationsHistoryResponse, WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { AnyPost, CallBudgets, FindOutcome, SearchedPost } from '../../posts/index.js';
import { type PostFailure, postFailure } from '../channel-posts/post-failure.js';

/** How far Slack's clocks may differ from Scandesk's estimate of Slack's time. */
const clockMarginMs = 60_000;
/** How far the order of messages in a channel may differ from the order in which they were sent. */
const tsMarginMs = 1_000;
const usualPage = 200;
/**
 * The page size for apps that are commercially distributed and not listed: Slack allows them this many messages, and
 * one call a minute in a workspace.
 */
const limitedPage = 15;
const limitedGapMs = 60_000;
/** The shortest wait asked by Slack that shows that it limits the app in this way. */
const limitedWaitMs = 30_000;
/** How long a limit once found is assumed: the app may be listed by then. */
const limitedForMs = 10 * 60_000;
/** How much longer a search for a usual post waits than one for an urgent post, which so gets the next call. */
const behindAlertsMs = 2_000;
/** The most searches that wait for their next page; a search that is dropped starts over. */
const maxSearches = 1_000;
/** Slack's error for an expired cursor: a search that resumes too late starts over. */
const expiredCursor = 'slack.invalid_cursor';
const pageRefused = /^slack\.invalid_(arguments|limit)$/;
export const postEventType = 'scandesk_scan';

/** The state of a search: in a thread or in the channel, and its next page. */
interface Search {
  readonly since: number;
  /** When the search began: a post made after its first page was read may be missed. */
  readonly beganAt: number;
  readonly threadTs: string | undefined;
  readonly cursor: string | undefined;
}

/** The message metadata by which a search finds a post. Messages of older versions have no generation. */
export function postMetadata({ key, generation }: Pick<AnyPost, 'key' | 'generation'>) {
  return { event_type: postEventType, event_payload: { key, generation } };
}

type PostToFind = Omit<SearchedPost, 'generation'>;

export type FindPost = (post: PostToFind, since: number, signal: AbortSignal) => Promise<FindOutcome>;

export function createPostSearch(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  /** Slack's time as far as known, else Scandesk's own. */
  now(): number;
  readonly clock: Clock;
  readonly budgets: CallBudgets;
}): FindPost {
  const { clientFor, now, clock, budgets } = deps;
  /** Where to resume after Slack's rate limit: at one call a minute, a search would otherwise start over forever. */
  const searches = new LRUCache<string, Search>({ max: maxSearches });
  const limitedOwners = new LRUCache<string, true>({ max: maxSearches, ttl: limitedForMs });

  const remember = (key: string, search: Search): Search => {
    searches.set(key, search);
    return search;
  };

  const retryAfter = ({ isUrgent }: PostToFind, waitMs: number): FindOutcome => ({
    outcome: 'retry',
    code: 'slack.ratelimited',
    afterMs: waitMs + (isUrgent || waitMs < behindAlertsMs ? 0 : behindAlertsMs),
  });

  const readPage = async (
    client: WebClient,
    post: PostToFind,
    { since, threadTs, cursor }: Search,
  ): Promise<ConversationsHistoryResponse | FindOutcome> => {
    const { owner, channel, afterTs } = post;
    const key = ownerKey(owner);
    const method = threadTs === undefined ? 'conversations.history' : 'conversations.replies';
    const waitMs = await budgets.take(owner, method, clock.now(), { gapMs: limitedOwners.has(key) ? limitedGapMs : 0 });
    if (waitMs > 0) {
      return retryAfter(post, waitMs);
    }
    const pageLimit = limitedOwners.has(key) ? limitedPage : usualPage;
    const query = {
      channel,
      limit: pageLimit,
      include_all_metadata: true,
      oldest: slackTime(Math.max(since - clockMarginMs, Number(afterTs ?? 0) * 1_000 - tsMarginMs)),
      ...(cursor === undefined ? {} : { cursor }),
    };
    try {
      // Replies are read from their thread: a channel's history has only replies that were also sent to the channel.
      const page =
        threadTs === undefined
          ? await client.conversations.history(query)
          : await client.conversations.replies({ ...query, ts: threadTs });
      if (page.has_more && pageLimit > limitedPage && page.messages?.length === limitedPage) {
        limitedOwners.set(key, true);
        await budgets.exhaust(owner, method, clock.now(), limitedGapMs);
      }
      return page;
    } catch (error) {
      const failure = postFailure(error);
      if (failure.kind === 'unsent' && failure.afterMs !== undefined) {
        if (failure.afterMs >= limitedWaitMs) {
          limitedOwners.set(key, true);
        }
        await budgets.exhaust(owner, method, clock.now(), failure.afterMs);
        return retryAfter(post, failure.afterMs);
      }
      if (pageLimit > limitedPage && pageRefused.test(failure.code)) {
        limitedOwners.set(key, true);
        return { outcome: 'retry', code: failure.code };
      }
      throw error;
    }
  };

  const searchPages = async (
    client: WebClient,
    post: PostToFind,
    firstSearch: Search,
    signal: AbortSignal,
  ): Promise<FindOutcome> => {
    for (let search = firstSearch; !signal.aborted; ) {
      const page = await readPage(client, post, search);
      if ('outcome' in page) {
        return page as FindOutcome;
      }
      const foundMessage = page.messages?.find((message) => keyOf(message.metadata) === post.key);
      if (foundMessage?.ts !== undefined) {
        return { outcome: 'found', ts: foundMessage.ts };
      }
      const cursor = page.has_more ? page.response_metadata?.next_cursor || undefined : undefined;
      if (cursor === undefined) {
        return { outcome: 'absent', beganAt: firstSearch.beganAt };
      }
      search = remember(post.key, { ...search, cursor });
    }
    return { outcome: 'retry', code: 'slack.search_goes_on', afterMs: 0 };
  };

  const find: FindPost = async (post, since, signal) => {
    const { key, owner, threadTs } = post;
    const earlierSearch = searches.get(key);
    const search =
      earlierSearch?.since === since ? earlierSearch : { since, beganAt: now(), threadTs, cursor: undefined };
    try {
      const client = await clientFor(owner);
      try {
        return await searchPages(client, post, search, signal);
      } catch (error) {
        if (search.threadTs === undefined || postFailure(error).kind !== 'no_thread') {
          throw error;
        }
        // The reply may still be in the channel: Slack can put a reply to a deleted message into the channel.
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

/** A time in milliseconds as Slack writes it: seconds with a fraction. */
function slackTime(at: number): string {
  return (Math.max(0, at) / 1_000).toFixed(6);
}

function keyOf(metadata: { event_type?: string; event_payload?: unknown } | undefined): unknown {
  if (metadata?.event_type !== postEventType) {
    return undefined;
  }
  const { event_payload: payload } = metadata;
  return typeof payload === 'object' && payload !== null && 'key' in payload ? payload.key : undefined;
}

function toFindOutcome({ kind, code, afterMs }: PostFailure): FindOutcome {
  switch (kind) {
    case 'channel_gone':
    case 'token_revoked':
      return { outcome: 'gone', why: kind, code };
    case 'unsent':
    case 'unknown':
      return { outcome: 'retry', code, afterMs };
    default:
      return { outcome: 'refused', code };
  }
}
