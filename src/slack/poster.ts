/**
 * Owns a relay's posts in Slack: sends one, finds one whose end nobody knows, changes one, tells a person of a paused relay. Never
 * sends anything twice by itself: whether to try again is the relay's decision.
 */
import type { WebClient } from '@slack/web-api';
import type { Accounts } from '../account/types.js';
import { type Clock, systemClock } from '../clock.js';
import type { Log } from '../log.js';
import type { Owner } from '../ownership.js';
import type { EditOutcome, FindOutcome, Poster, PostOutcome } from '../relay/index.js';
import type { Store } from '../store/index.js';
import { relayPaused } from './blocks/relay-paused.js';
import { relayPost } from './blocks/relay-post.js';
import { type PostFailure, postFailure } from './post-failure.js';
import { createPostNames } from './post-names.js';
import { createScanNames } from './scan-names.js';
import type { SlackClock } from './slack-clock.js';

export interface PosterDeps {
  /** Clients that do not retry by themselves and reject when Slack says to wait. */
  clientFor(owner: Owner): Promise<WebClient>;
  readonly accounts: Accounts;
  readonly store: Pick<Store, 'workspaces'>;
  readonly log: Log;
  readonly clock?: Clock;
  /** What time it is at Slack. Without it, and until Slack has answered, our own clock is believed. */
  readonly slackClock?: Pick<SlackClock, 'now'>;
}

/** In the message's metadata, with `{ key }`: by it a post is found again. */
export const scanEventType = 'scandesk_scan';

/** How far the clocks of Slack's machines may be apart, and what we make of them. */
const clockMarginMs = 60_000;
/** What Slack gives distributed, unlisted apps in one call at most. */
const historyPage = 15;
/** Searches that wait for their next page; a page more or less costs a call, no more. */
const searchesKept = 1_000;

export function createPoster(deps: PosterDeps): Poster {
  const { clientFor, accounts, store, log, clock = systemClock, slackClock } = deps;
  const findNames = createPostNames(createScanNames({ accounts, workspaces: store.workspaces, clock, log }));
  /** Where a search goes on after Slack said to wait: with one call a minute it would else begin anew for ever. */
  const searches = new Map<string, { since: number; cursor: string }>();

  return {
    async time(owner): Promise<number> {
      if (slackClock && slackClock.now() === undefined) {
        try {
          // Any answer tells the time, and the wrong time now would hide the first post if it has to be looked for.
          await (await clientFor(owner)).auth.test();
        } catch (error) {
          log.debug({ code: postFailure(error).code }, 'Slack did not tell the time');
        }
      }
      return slackClock?.now() ?? clock.now();
    },

    async post(post, signal): Promise<PostOutcome> {
      const { key, owner, channel, threadTs } = post;
      const names = await findNames(post);
      let client: WebClient;
      try {
        client = await clientFor(owner);
      } catch (error) {
        const failure = postFailure(error);
        return failure.kind === 'token_revoked'
          ? { outcome: 'gone', why: 'token_revoked', code: failure.code }
          : { outcome: 'retry', code: failure.code };
      }
      if (signal.aborted) {
        return { outcome: 'retry', code: 'slack.not_sent_in_time' };
      }
      try {
        const { ts } = await client.chat.postMessage({
          channel,
          ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
          ...relayPost(post, names),
          metadata: { event_type: scanEventType, event_payload: { key } },
        });
        return ts === undefined ? { outcome: 'doubt', code: 'slack.no_ts' } : { outcome: 'delivered', ts };
      } catch (error) {
        return toPostOutcome(postFailure(error));
      }
    },

    async find({ key, owner, channel, threadTs }, since, signal): Promise<FindOutcome> {
      const before = searches.get(key);
      let cursor = before?.since === since ? before.cursor : undefined;
      searches.delete(key);
      try {
        const client = await clientFor(owner);
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
            remember(key, { since, cursor });
          }
        } while (cursor !== undefined && !signal.aborted);
        if (cursor !== undefined) {
          return { outcome: 'retry', code: 'slack.search_goes_on', afterMs: 0 };
        }
        searches.delete(key);
        return { outcome: 'absent' };
      } catch (error) {
        return toFindOutcome(postFailure(error));
      }
    },

    async edit(post, ts, signal): Promise<EditOutcome> {
      const names = await findNames(post);
      try {
        const client = await clientFor(post.owner);
        if (signal.aborted) {
          return { outcome: 'retry', code: 'slack.not_sent_in_time' };
        }
        const { text, blocks } = relayPost(post, names);
        const metadata = { event_type: scanEventType, event_payload: { key: post.key } };
        await client.chat.update({ channel: post.channel, ts, text, blocks, metadata });
        return { outcome: 'edited' };
      } catch (error) {
        return toEditOutcome(postFailure(error));
      }
    },

    async tellPaused(relay): Promise<void> {
      try {
        const client = await clientFor(relay.owner);
        await client.chat.postMessage({ channel: relay.createdBy, ...relayPaused(relay) });
      } catch (error) {
        const failure = postFailure(error);
        if (failure.kind === 'unsent') {
          throw error;
        }
        // Without access there is nobody to tell by; App Home and /scandesk relay show it all the same.
        log.warn({ relay: relay.id, code: failure.code }, 'the person who made a paused relay could not be told');
      }
    },
  };

  function remember(key: string, search: { since: number; cursor: string }): void {
    if (searches.size >= searchesKept) {
      searches.clear();
    }
    searches.set(key, search);
  }
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

function toPostOutcome(failure: PostFailure): PostOutcome {
  switch (failure.kind) {
    case 'unsent':
      return { outcome: 'retry', ...wait(failure), code: failure.code };
    case 'unknown':
      return { outcome: 'doubt', code: failure.code };
    case 'refused':
      return { outcome: 'refused', code: failure.code };
    default:
      return { outcome: 'gone', why: failure.kind, code: failure.code };
  }
}

function toFindOutcome(failure: PostFailure): FindOutcome {
  switch (failure.kind) {
    case 'channel_gone':
    case 'token_revoked':
      return { outcome: 'gone', why: failure.kind, code: failure.code };
    case 'unsent':
      return { outcome: 'retry', ...wait(failure), code: failure.code };
    default:
      return { outcome: 'retry', code: failure.code };
  }
}

/** Without access it is tried again for a while: somebody may give it back. */
function toEditOutcome(failure: PostFailure): EditOutcome {
  switch (failure.kind) {
    case 'refused':
    case 'channel_gone':
      return { outcome: 'refused', code: failure.code };
    case 'unsent':
      return { outcome: 'retry', ...wait(failure), code: failure.code };
    default:
      return { outcome: 'retry', code: failure.code };
  }
}

function wait({ afterMs }: { afterMs?: number }): { afterMs?: number } {
  return afterMs === undefined ? {} : { afterMs };
}
