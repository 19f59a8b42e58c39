/** Posts reports into channels, and tells their makers when one is paused. */
import type { WebClient } from '@slack/web-api';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { PostOutcome } from '../../posts/index.js';
import type { Report, ReportPost, ReportPublisher } from '../../reports/index.js';
import { type Message, message } from '../block-kit/elements.js';
import { bold, code, richText, textElement } from '../block-kit/text.js';
import { createPostMessage } from '../channel-posts/client-msg-id.js';
import { channelElement } from '../channel-posts/describe/describe-relay.js';
import { postFailure } from '../channel-posts/post-failure.js';
import { createPostSearch, postMetadata } from '../channel-posts/post-search.js';
import { toPostOutcome } from '../channel-posts/publisher.js';
import { missingMessage, reportMessage } from './report-message.js';

export function createReportPublisher(deps: {
  /** Clients without retries of their own, which reject when rate limited. */
  clientFor(owner: Owner): Promise<WebClient>;
  /** Slack's, or ours where Slack's is not known. */
  time(owner: Owner): Promise<number>;
  readonly now: () => number;
  readonly log: Log;
}): ReportPublisher {
  const { clientFor, time, now, log } = deps;
  const postMessage = createPostMessage(log);

  const send = async (post: ReportPost, content: Message, signal: AbortSignal): Promise<PostOutcome> => {
    if (signal.aborted) {
      return { outcome: 'retry', code: 'slack.not_sent_in_time' };
    }
    try {
      const client = await clientFor(post.owner);
      const args = { channel: post.channel, ...content, metadata: postMetadata(post.key) };
      const { ts } = await postMessage(client, post, args, signal);
      return ts === undefined ? { outcome: 'unconfirmed', code: 'slack.no_ts' } : { outcome: 'delivered', ts };
    } catch (error) {
      return toPostOutcome(postFailure(error));
    }
  };

  return {
    time,

    async post(post, signal) {
      const { report, content } = post;
      if ('missing' in content) {
        return send(post, missingMessage(report, content.missing), signal);
      }
      const outcome = await send(post, reportMessage(report, content, { rich: true }), signal);
      return outcome.outcome === 'refused' && outcome.code === 'slack.invalid_blocks'
        ? send(post, reportMessage(report, content, { rich: false }), signal)
        : outcome;
    },

    find: createPostSearch({ clientFor, now }),

    async notifyPaused(report) {
      try {
        const client = await clientFor(report.owner);
        await client.chat.postMessage({ channel: report.createdBy, ...pausedMessage(report) });
      } catch (error) {
        const failure = postFailure(error);
        if (failure.kind === 'unsent') {
          throw error;
        }
        log.warn({ report: report.id, code: failure.code }, 'the maker of a report could not be notified');
      }
    },
  };
}

function pausedMessage({ channel, paused }: Report): Message {
  const why =
    paused?.why === 'failing'
      ? ': Slack refused it three days in a row.'
      : ': it was archived, or Scandesk was removed from it. Invite Scandesk again, or choose another channel.';
  return message('⏸ Your daily report is paused.', [
    richText(
      [bold('⏸ Your daily report'), textElement(' in '), channelElement(channel), textElement(` is paused${why}`)],
      [textElement('Then press Resume in '), code('/scandesk reports'), textElement('.')],
    ),
  ]);
}
