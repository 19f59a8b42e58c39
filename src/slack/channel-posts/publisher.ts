/**
 * Owns a relay's posts in Slack: sends one, changes one, tells a person of a paused relay. Never sends anything twice by itself:
 * whether to try again is the relay's decision.
 */
import type { WebClient } from '@slack/web-api';
import { type Clock, systemClock } from '../../clock.js';
import type { Accounts } from '../../codereadr/types.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { EditOutcome, PostOutcome, Publisher, Relay } from '../../relay/index.js';
import type { Store } from '../../workspaces/types.js';
import type { Message } from '../block-kit/elements.js';
import type { SlackClock } from '../bolt/slack-clock.js';
import { relayPaused } from './blocks/relay-paused.js';
import { relayPost } from './blocks/relay-post.js';
import { relayUndelivered } from './blocks/relay-undelivered.js';
import { createPostMessage } from './client-msg-id.js';
import { type PostFailure, postFailure } from './post-failure.js';
import { createPostNames } from './post-names.js';
import { createPostSearch, postMetadata } from './post-search.js';
import { createScanNames } from './scan-names.js';

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

export function createPublisher(deps: PosterDeps): Publisher {
  const { clientFor, accounts, store, log, clock = systemClock, slackClock } = deps;
  const postMessage = createPostMessage(log);
  const findNames = createPostNames(createScanNames({ accounts, workspaces: store.workspaces, clock, log }));

  /** Once: rejects only where it was certainly not sent. */
  async function tellOwner(relay: Relay, message: Message): Promise<void> {
    try {
      const client = await clientFor(relay.owner);
      await client.chat.postMessage({ channel: relay.createdBy, ...message });
    } catch (error) {
      const failure = postFailure(error);
      if (failure.kind === 'unsent') {
        throw error;
      }
      // Without access there is nobody to tell by; App Home and /scandesk relay show it all the same.
      log.warn({ relay: relay.id, code: failure.code }, 'the person who made a relay could not be told');
    }
  }

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
        const content = { channel, ...relayPost(post, names), metadata: postMetadata(key) };
        const whole = threadTs === undefined ? content : { ...content, thread_ts: threadTs };
        const { ts, message } = await postMessage(client, post, whole, signal);
        if (ts === undefined) {
          return { outcome: 'doubt', code: 'slack.no_ts' };
        }
        // Slack may put a reply to a message that is gone into the channel, and says so by this alone.
        const outside = threadTs !== undefined && message !== undefined && message.thread_ts === undefined;
        return { outcome: 'delivered', ts, ...(outside ? { outside } : {}) };
      } catch (error) {
        return toPostOutcome(postFailure(error));
      }
    },

    find: createPostSearch({ clientFor, now: () => slackClock?.now() ?? clock.now() }),

    async edit(post, ts, signal): Promise<EditOutcome> {
      const names = await findNames(post);
      try {
        const client = await clientFor(post.owner);
        if (signal.aborted) {
          return { outcome: 'retry', code: 'slack.not_sent_in_time' };
        }
        const { text, blocks } = relayPost(post, names);
        await client.chat.update({ channel: post.channel, ts, text, blocks, metadata: postMetadata(post.key) });
        return { outcome: 'edited' };
      } catch (error) {
        return toEditOutcome(postFailure(error));
      }
    },

    tellPaused: (relay) => tellOwner(relay, relayPaused(relay)),
    tellUndelivered: (relay, posts) => tellOwner(relay, relayUndelivered(relay, posts)),
  };
}

/** How often it is looked whether somebody added the scope without which nothing can be posted. */
const scopeAgainMs = 60_000;

function toPostOutcome(failure: PostFailure): PostOutcome {
  switch (failure.kind) {
    case 'unsent':
      return { outcome: 'retry', ...wait(failure), code: failure.code };
    case 'missing_scope':
      return { outcome: 'retry', afterMs: scopeAgainMs, code: failure.code };
    case 'unknown':
      return { outcome: 'doubt', code: failure.code };
    case 'duplicate':
    case 'refused':
    case 'no_thread':
      return { outcome: failure.kind, code: failure.code };
    default:
      return { outcome: 'gone', why: failure.kind, code: failure.code };
  }
}

/** Without access it is tried again for a while: somebody may give it back. */
function toEditOutcome(failure: PostFailure): EditOutcome {
  switch (failure.kind) {
    case 'refused':
    case 'no_thread':
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
