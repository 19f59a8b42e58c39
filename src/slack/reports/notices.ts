/** Notices about reports: their makers learn why one is paused. */
import type { WebClient } from '@slack/web-api';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { Report, ReportNotices } from '../../reports/index.js';
import { type Message, message } from '../block-kit/elements.js';
import { bold, code, richText, textElement } from '../block-kit/text.js';
import { channelElement } from '../channel-posts/describe/describe-relay.js';
import { postFailure } from '../channel-posts/post-failure.js';

export function createReportNotices({
  clientFor,
  log,
}: {
  clientFor(owner: Owner): Promise<WebClient>;
  readonly log: Log;
}): ReportNotices {
  return {
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
