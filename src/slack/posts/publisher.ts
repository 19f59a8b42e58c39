/**
 * The Slack publisher: sends and updates posts, and notifies people in private of what they have to act on. It never
 * resends by itself; the dispatcher decides on retries.
 */
import type { WebClient } from '@slack/web-api';
import { type Clock, systemClock } from '../../clock.js';
import type { Accounts } from '../../codereadr/types.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { EditOutcome, PostOutcome, Publisher } from '../../posts/index.js';
import type { Relay, RelayPublisher } from '../../relay/index.js';
import type { Store } from '../../workspaces/types.js';
import type { Message } from '../block-kit/elements.js';
import { adminsOf } from '../bolt/people/admins.js';
import type { SlackClock } from '../bolt/slack-clock.js';
import {
  channelBlocked,
  escalationUndelivered,
  relayPaused,
  relayUndelivered,
} from '../channel-posts/blocks/relay-notices.js';
import { createPostMessage, type Sending } from '../channel-posts/client-msg-id.js';
import { type PostFailure, postFailure } from '../channel-posts/post-failure.js';
import { createPostSearch, postMetadata } from '../channel-posts/post-search.js';
import { createRenderers, type SentPost } from './renderers.js';

export interface PublisherDeps {
  /** Clients without retries of their own, which reject when rate limited. */
  clientFor(owner: Owner): Promise<WebClient>;
  readonly accounts: Accounts;
  readonly store: Pick<Store, 'workspaces' | 'keyv'>;
  readonly log: Log;
  readonly clock?: Clock;
  /** Slack's time. Without it, and until Slack has responded once, our own clock is used. */
  readonly slackClock?: Pick<SlackClock, 'now'>;
}

export function createPublisher(deps: PublisherDeps): RelayPublisher & Publisher<SentPost> {
  const { clientFor, log, clock = systemClock, slackClock } = deps;
  const postMessage = createPostMessage(log);
  const render = createRenderers(deps);

  /** One attempt; rejects only if nothing was done. */
  async function notify<T>(owner: Owner, work: (client: WebClient) => Promise<T>): Promise<T | undefined> {
    try {
      return await work(await clientFor(owner));
    } catch (error) {
      const failure = postFailure(error);
      if (failure.kind === 'unsent') {
        throw error;
      }
      // Without access nobody can be notified; App Home and /scandesk relay show it anyway.
      log.warn({ team: owner.team, code: failure.code }, 'somebody could not be notified about a relay');
      return undefined;
    }
  }

  const notifyOwner = async (relay: Relay, message: Message): Promise<void> => {
    await notify(relay.owner, (client) => client.chat.postMessage({ channel: relay.createdBy, ...message }));
  };

  /** Nobody gets it twice: Slack takes a repeated sending for the one it has. */
  const notifyWithAdmins = async (
    owner: Owner,
    creators: readonly string[],
    message: Message,
    { key, generation }: Sending,
  ): Promise<void> => {
    const told = new Set<string>();
    const tell = async (people: readonly string[]) => {
      for (const channel of people.filter((one) => !told.has(one))) {
        told.add(channel);
        const sending = { key: `${key}.${channel}`, generation };
        await notify(owner, (client) =>
          postMessage(client, sending, { channel, ...message }, new AbortController().signal),
        );
      }
    };
    await tell(creators);
    await tell((await notify(owner, adminsOf)) ?? []);
  };

  return {
    async time(owner): Promise<number> {
      if (slackClock && slackClock.now() === undefined) {
        try {
          // Any response gives the time. A wrong time now would hide the first post from a search.
          await (await clientFor(owner)).auth.test();
        } catch (error) {
          log.debug({ code: postFailure(error).code }, 'Slack’s time could not be read');
        }
      }
      return slackClock?.now() ?? clock.now();
    },

    async post(post, signal): Promise<PostOutcome> {
      const { key, owner, channel, threadTs } = post;
      const { message: content, plain } = await render(post);
      let client: WebClient;
      try {
        client = await clientFor(owner);
      } catch (error) {
        const failure = postFailure(error);
        return failure.kind === 'token_revoked'
          ? { outcome: 'gone', why: 'token_revoked', code: failure.code }
          : { outcome: 'retry', code: failure.code };
      }
      const send = async (drawn: Message): Promise<PostOutcome> => {
        if (signal.aborted) {
          return { outcome: 'retry', code: 'slack.not_sent_in_time' };
        }
        try {
          const whole = { channel, ...drawn, metadata: postMetadata(key) };
          const args = threadTs === undefined ? whole : { ...whole, thread_ts: threadTs };
          const { ts, message } = await postMessage(client, post, args, signal);
          if (ts === undefined) {
            return { outcome: 'unconfirmed', code: 'slack.no_ts' };
          }
          // Slack may put a reply to a deleted message into the channel; the missing thread_ts is the only sign.
          const outside = threadTs !== undefined && message !== undefined && message.thread_ts === undefined;
          return { outcome: 'delivered', ts, ...(outside ? { outside } : {}) };
        } catch (error) {
          return toPostOutcome(postFailure(error));
        }
      };
      const outcome = await send(content);
      const isDrawing = outcome.outcome === 'refused' && outcome.code === 'slack.invalid_blocks';
      return isDrawing && plain ? await send(plain) : outcome;
    },

    find: createPostSearch({ clientFor, now: () => slackClock?.now() ?? clock.now() }),

    async edit(post, ts, signal): Promise<EditOutcome> {
      const { message: content } = await render(post);
      try {
        const client = await clientFor(post.owner);
        if (signal.aborted) {
          return { outcome: 'retry', code: 'slack.not_sent_in_time' };
        }
        const { text, blocks } = content;
        await client.chat.update({ channel: post.channel, ts, text, blocks, metadata: postMetadata(post.key) });
        return { outcome: 'edited' };
      } catch (error) {
        return toEditOutcome(postFailure(error));
      }
    },

    async notifyEscalated(post) {
      const content = escalationUndelivered(post, (await render(post)).message);
      await notifyWithAdmins(post.owner, [post.relay.createdBy], content, post);
    },

    async notifyBlocked(queue, relays) {
      const creators = [...new Set(relays.map(({ createdBy }) => createdBy))];
      const sending = { key: `blocked.${queue.channel}.${queue.at}`, generation: 0 };
      await notifyWithAdmins(queue, creators, channelBlocked(queue, relays), sending);
    },

    notifyPaused: (relay) => notifyOwner(relay, relayPaused(relay)),
    notifyUndelivered: (relay, posts) => notifyOwner(relay, relayUndelivered(relay, posts)),
  };
}

/** How often to check whether a missing scope was added. */
const missingScopeRetryMs = 60_000;

function toPostOutcome(failure: PostFailure): PostOutcome {
  switch (failure.kind) {
    case 'unsent':
      return { outcome: 'retry', ...wait(failure), code: failure.code };
    case 'missing_scope':
      return { outcome: 'retry', afterMs: missingScopeRetryMs, code: failure.code };
    case 'unknown':
      return { outcome: 'unconfirmed', code: failure.code };
    case 'duplicate':
    case 'refused':
    case 'no_thread':
      return { outcome: failure.kind, code: failure.code };
    default:
      return { outcome: 'gone', why: failure.kind, code: failure.code };
  }
}

/** Without access, retries go on for a while: it may be restored. */
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
