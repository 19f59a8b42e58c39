/** The Slack publisher: sends, finds and updates posts. The dispatcher decides on retries, once a sending has ended. */
import type { WebClient } from '@slack/web-api';
import { type Clock, systemClock } from '../../clock.js';
import type { Accounts } from '../../codereadr/types.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { CallBudgets, EditOutcome, PostOutcome, Publisher } from '../../posts/index.js';
import { isTrigger, type WorkflowTriggers } from '../../workflows/index.js';
import type { Store } from '../../workspaces/types.js';
import type { Message } from '../block-kit/elements.js';
import { adminsOf } from '../bolt/people/admins.js';
import type { SlackClock } from '../bolt/slack-clock.js';
import { type PostFailure, postFailure } from '../channel-posts/post-failure.js';
import { createWorkflowVariables } from '../channel-posts/workflow-variables.js';
import { createPostMessage } from './client-msg-id.js';
import { createPostSearch, postMetadata } from './post-search.js';
import { createRenderers, type SentPost } from './renderers.js';

export interface PublisherDeps {
  /** Clients without retries of their own, which reject when rate limited. */
  clientFor(owner: Owner): Promise<WebClient>;
  readonly accounts: Accounts;
  readonly store: Pick<Store, 'workspaces' | 'keyv' | 'revise'>;
  readonly budgets: CallBudgets;
  readonly workflows: Pick<WorkflowTriggers, 'start'>;
  readonly log: Log;
  readonly clock?: Clock;
  /** Slack's time. Without it, and until Slack has responded once, Scandesk's own clock is used. */
  readonly slackClock?: Pick<SlackClock, 'now'>;
}

export function createPublisher(deps: PublisherDeps): Publisher<SentPost> {
  const { clientFor, log, clock = systemClock, slackClock } = deps;
  const postMessage = createPostMessage(log);
  const render = createRenderers({ ...deps, clock });
  const variablesOf = createWorkflowVariables(deps);
  const search = createPostSearch({ ...deps, clock, now: () => slackClock?.now() ?? clock.now() });

  /** The failure of a call. @throws the error, if the call should be made again */
  const refusal = ({ team }: Owner, error: unknown, messageText: string): PostFailure => {
    const failure = postFailure(error);
    if (failure.kind === 'unsent' || failure.kind === 'unknown') {
      throw error;
    }
    log.warn({ team, code: failure.code }, messageText);
    return failure;
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
      if (post.kind === 'workflow') {
        return await deps.workflows.start(post.owner, post.channel, await variablesOf(post), signal);
      }
      const { owner, channel, threadTs, broadcast = false } = post;
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
      const send = async (drawnMessage: Message): Promise<PostOutcome> => {
        if (signal.aborted) {
          return { outcome: 'retry', code: 'slack.not_sent_in_time' };
        }
        try {
          const fullMessage = { channel, ...drawnMessage, metadata: postMetadata(post) };
          const reply = { ...fullMessage, thread_ts: threadTs ?? '' };
          const args =
            threadTs === undefined ? fullMessage : broadcast ? { ...reply, reply_broadcast: true as const } : reply;
          const { ts, message, channel: place } = await postMessage(client, post, args, signal);
          if (ts === undefined) {
            return { outcome: 'unconfirmed', code: 'slack.no_ts' };
          }
          // Slack may put a reply to a deleted message into the channel; the missing thread_ts is the only sign.
          const outside = threadTs !== undefined && message !== undefined && message.thread_ts === undefined;
          return {
            outcome: 'delivered',
            ts,
            ...(outside ? { outside } : {}),
            ...(isPerson(channel) && place !== undefined ? { channel: place } : {}),
          };
        } catch (error) {
          return toPostOutcome(postFailure(error));
        }
      };
      if (!content) {
        return { outcome: 'refused', code: 'slack.nothing_to_show' };
      }
      const outcome = await send(content);
      const areBlocksRefused = outcome.outcome === 'refused' && outcome.code === 'slack.invalid_blocks';
      return areBlocksRefused && plain ? await send(plain) : outcome;
    },

    // A message sent to a person's id is in no conversation that can be read: Slack has to recognize its repetition by
    // `client_msg_id`. Whether a workflow started cannot be read either: in doubt, the workflow is started again.
    find: async (post, since, signal) =>
      isPerson(post.channel) || isTrigger(post.channel) ? { outcome: 'absent' } : await search(post, since, signal),

    async edit(post, ts, signal): Promise<EditOutcome> {
      if (post.kind === 'workflow') {
        return { outcome: 'refused', code: 'slack.nothing_to_show' };
      }
      const { message: content, plain } = await render(post);
      try {
        const client = await clientFor(post.owner);
        if (signal.aborted) {
          return { outcome: 'retry', code: 'slack.not_sent_in_time' };
        }
        const { channel } = post;
        const update = ({ text, blocks }: Message) =>
          client.chat.update({ channel, ts, text, blocks, metadata: postMetadata(post) });
        const updateInWords = (error: unknown) =>
          plain && postFailure(error).code === 'slack.invalid_blocks' ? update(plain) : Promise.reject(error);
        await (content ? update(content).catch(updateInWords) : client.chat.delete({ channel, ts }));
        return { outcome: 'edited' };
      } catch (error) {
        return toEditOutcome(postFailure(error));
      }
    },

    async open(owner, person) {
      try {
        const client = await clientFor(owner);
        const { channel } = await client.conversations.open({ users: person });
        return channel?.id;
      } catch (error) {
        return refusal(owner, error, 'a direct message could not be opened').kind === 'missing_scope'
          ? person
          : undefined;
      }
    },

    async admins(owner) {
      try {
        return await adminsOf(await clientFor(owner), owner);
      } catch (error) {
        refusal(owner, error, 'the admins could not be listed: they get no notice');
        return [];
      }
    },
  };
}

/** Whether a channel is a person's id in place of a conversation's. */
function isPerson(channel: string): boolean {
  return /^[UW]/.test(channel);
}

/** How often to check whether a missing scope was added. */
const missingScopeRetryMs = 60_000;

function toPostOutcome({ kind, code, afterMs }: PostFailure): PostOutcome {
  switch (kind) {
    case 'unsent':
      return { outcome: 'retry', afterMs, code };
    case 'missing_scope':
      return { outcome: 'retry', afterMs: missingScopeRetryMs, code };
    case 'unknown':
      return { outcome: 'unconfirmed', code };
    case 'duplicate':
    case 'refused':
    case 'no_thread':
      return { outcome: kind, code };
    default:
      return { outcome: 'gone', why: kind, code };
  }
}

/** An edit's outcome. Without access, retries go on for a while: access may be restored. */
function toEditOutcome({ kind, code, afterMs }: PostFailure): EditOutcome {
  return kind === 'refused' || kind === 'no_thread' || kind === 'channel_gone'
    ? { outcome: 'refused', code }
    : { outcome: 'retry', afterMs, code };
}
