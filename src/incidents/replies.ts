/**
 * Replies in an incident's thread: its opening scans, its figures, its assignee, its end. Its escalation is a message
 * of its own. Each reply has one key, so none is posted twice.
 */
import type { NewPost } from '../posts/outbox/enqueue.js';
import type { Mention } from '../posts/publisher.js';
import { escalationKey, type Incident, messageKeyOf } from './incident.js';
import type { IncidentTally } from './tally.js';

/** The content of a reply; `relay/rules/detail.ts` parses it. */
export type ReplyContent =
  /** Ids of the latest scans that opened the incident. */
  | { readonly part: 'opened'; readonly scans: readonly string[] }
  /** The figures of the incident at the time of the reply. */
  | { readonly part: 'update'; readonly scans: number; readonly tally: IncidentTally }
  | { readonly part: 'over' }
  | { readonly part: 'handed_over'; readonly to: string; readonly by: string }
  /** Nobody acknowledged the incident for so many minutes. */
  | { readonly part: 'escalated'; readonly minutes: number; readonly mention: Mention };

/** The place of an incident's last post, and the thread that this post is in. */
export interface IncidentThread
  extends Pick<NewPost, 'queue' | 'parentKey'>,
    Pick<Incident, 'postKey' | 'relayId' | 'reposts'> {
  readonly ruleId: string | undefined;
}

export function incidentReply(thread: IncidentThread, content: ReplyContent, repliedAt: number): NewPost {
  const alertKey = messageKeyOf(thread);
  const { postKey, relayId, ruleId, queue, parentKey = alertKey } = thread;
  const { part } = content;
  const partName = part === 'update' ? `u${repliedAt}` : part === 'handed_over' ? `h${repliedAt}.${content.to}` : part;
  const key = part === 'escalated' ? escalationKey(alertKey) : `${postKey}.${partName}`;
  return {
    ...{ key, queue, source: { kind: 'relay', id: relayId }, at: repliedAt },
    ...{ kind: part === 'escalated' ? 'escalation' : 'reply', ruleId },
    parentKey: part === 'escalated' ? undefined : parentKey,
    detail: JSON.stringify({
      ...(mentionOf(content) ?? {}),
      incident: { key: postKey, part, ...contentOf(content) },
    }),
  };
}

function mentionOf(content: ReplyContent): { readonly mention: Mention } | undefined {
  switch (content.part) {
    case 'handed_over':
      return { mention: { users: [content.to], groups: [] } };
    case 'escalated':
      return { mention: content.mention };
    default:
      return undefined;
  }
}

function contentOf(content: ReplyContent): object {
  switch (content.part) {
    case 'opened':
      return { scans: content.scans };
    case 'update':
      return { figures: { scans: content.scans, tally: content.tally } };
    case 'over':
      return {};
    case 'handed_over':
      return { by: content.by };
    case 'escalated':
      return { minutes: content.minutes };
  }
}
