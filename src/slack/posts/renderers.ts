/** The renderers of posts as messages, by kind. They draw ids where names, and defaults where settings, are missing. */
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../clock.js';
import type { Accounts } from '../../codereadr/types.js';
import type { PostKind } from '../../database/schema.js';
import { codeOf } from '../../errors.js';
import type { ExportNotice, ExportPost } from '../../exports/index.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { PlacesNotice, PlacesPost } from '../../places/index.js';
import type { NoticePost } from '../../posts/index.js';
import type { Post, RelayNotice, WorkflowPost } from '../../relay/index.js';
import type { ReportNotice, ReportPost } from '../../reports/index.js';
import type { Store } from '../../workspaces/types.js';
import type { Message } from '../block-kit/elements.js';
import { createPersonNames } from '../bolt/people/person-names.js';
import { appearanceOf, defaultAppearance } from '../channel-posts/appearance/appearance.js';
import {
  channelBlocked,
  escalationUndelivered,
  relayPaused,
  relayRefuses,
  relayUndelivered,
  wrongClock,
} from '../channel-posts/blocks/relay-notices.js';
import { relayPost } from '../channel-posts/blocks/relay-post.js';
import { createPostNames } from '../channel-posts/scan-names.js';
import { endedMessage, movedMessage, progressMessage } from '../export/export-message.js';
import { erasedMessage } from '../forget/erase-view.js';
import type { ErasedNotice } from '../forget/erased-notice.js';
import { createPlacesMessages } from '../places/post-messages.js';
import { missingMessage, pausedMessage, reportMessage } from '../reports/report-message.js';

/** A post that is drawn as a message. */
export type DrawnPost =
  | Post
  | ReportPost
  | ExportPost
  | PlacesPost
  | NoticePost<RelayNotice | ReportNotice | ExportNotice | PlacesNotice | ErasedNotice>;

export type SentPost = DrawnPost | WorkflowPost;

interface Drawn {
  /** The message; undefined if nothing is left to show, and the message is deleted. */
  readonly message: Message | undefined;
  /** The message in words, where Slack may not take the blocks of a table or chart. */
  readonly plain?: Message;
}

type Renderers = {
  readonly [Kind in Exclude<PostKind, WorkflowPost['kind']>]: (
    post: Extract<DrawnPost, { readonly kind: Kind }>,
  ) => Promise<Drawn>;
};

export function createRenderers(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  readonly accounts: Accounts;
  readonly store: Pick<Store, 'workspaces' | 'keyv' | 'revise'>;
  readonly log: Log;
  readonly clock: Clock;
}): (post: DrawnPost) => Promise<Drawn> {
  const { store, log } = deps;
  const findNames = createPostNames(deps, createPersonNames(deps));
  const placesMessages = createPlacesMessages(deps);

  const drawRelayPost = async (post: Post): Promise<Drawn & { readonly message: Message }> => {
    const [names, appearance] = await Promise.all([
      findNames(post),
      appearanceOf({ store }, post.owner, post.channel).catch((error: unknown) => {
        log.warn({ err: error, code: codeOf(error) }, 'the appearance of a channel’s posts could not be read');
        return defaultAppearance;
      }),
    ]);
    return { message: relayPost(post, names, appearance) };
  };

  const drawReport = async ({ report, content }: ReportPost): Promise<Drawn> =>
    'missing' in content
      ? { message: missingMessage(report, content.missing) }
      : {
          message: reportMessage(report, content, { rich: true }),
          plain: reportMessage(report, content, { rich: false }),
        };

  const exportMessage = (post: ExportPost): Message | undefined => {
    switch (post.shows) {
      case 'progress':
        return progressMessage(post.record);
      case 'moved':
        return movedMessage(post.who);
      case 'ended':
        return endedMessage(post.record);
      case 'gone':
        return undefined;
    }
  };

  const noticeMessage = async ({ notice }: Extract<DrawnPost, { readonly kind: 'notice' }>): Promise<Message> => {
    switch (notice.what) {
      case 'relay_paused':
        return relayPaused(notice.relay);
      case 'undelivered':
        return relayUndelivered(notice.relay, notice.posts);
      case 'refusing':
        return relayRefuses(notice.relay, notice.refused);
      case 'escalated':
        return escalationUndelivered(notice.post, (await drawRelayPost(notice.post)).message);
      case 'wrong_clock':
        return wrongClock(notice, await findNames.deviceOf(notice.relay.owner, notice.device));
      case 'blocked':
        return channelBlocked(notice.queue, notice.relays);
      case 'report_paused':
        return pausedMessage(notice.report);
      case 'export_ended':
        return endedMessage(notice.record);
      case 'board_lost':
      case 'alert_undelivered':
      case 'returned':
        return placesMessages.notice(notice);
      case 'erased':
        return erasedMessage(notice.at);
    }
  };

  const renderers: Renderers = {
    scan: drawRelayPost,
    digest: drawRelayPost,
    card: drawRelayPost,
    mention: drawRelayPost,
    burst: drawRelayPost,
    silence: drawRelayPost,
    reply: drawRelayPost,
    escalation: drawRelayPost,
    report: drawReport,
    export: async (post) => ({ message: exportMessage(post) }),
    board: placesMessages.draw,
    threshold: placesMessages.draw,
    double: placesMessages.draw,
    overdue: placesMessages.draw,
    notice: async (post) => ({ message: await noticeMessage(post) }),
  };
  return (post) => (renderers[post.kind] as (post: DrawnPost) => Promise<Drawn>)(post);
}
