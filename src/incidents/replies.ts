/**
 * Replies in an incident's thread: its opening scans, its figures, its assignee, its end. Its escalation is a message
 * of its own. Each reply has one key, so none is posted twice.
 */
import type { NewPost } from '../posts/outbox/enqueue.js';
import type { Mention } from '../posts/publisher.js';
import { escalationKey, type Incident, messageKeyOf } from './incident.js';

/** The content of a reply, as it is stored; `relay/rules/detail.ts` parses it. */
export type ReplyContent =
  /** Ids of the latest scans that opened the incident. */
  | { readonly part: 'opened'; readonly scans: readonly string[]; readonly mention?: undefined }
  /** The figures of the incident at the time of the reply. */
  | { readonly part: 'update'; readonly figures: Pick<Incident, 'scans' | 'tally'>; readonly mention?: undefined }
  | { readonly part: 'over'; readonly mention?: undefined }
  /** `by`: the person who handed the incident over to the one who is mentioned. */
  | { readonly part: 'handed_over'; readonly by: string; readonly mention: Mention }
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
  const { mention, ...reply } = content;
  const { part } = reply;
  const partName =
    part === 'update' ? `u${repliedAt}` : part === 'handed_over' ? `h${repliedAt}.${mention?.users[0]}` : part;
  const key = part === 'escalated' ? escalationKey(alertKey) : `${postKey}.${partName}`;
  return {
    key,
    queue,
    source: { kind: 'relay', id: relayId },
    at: repliedAt,
    kind: part === 'escalated' ? 'escalation' : 'reply',
    ruleId,
    parentKey: part === 'escalated' ? undefined : parentKey,
    detail: JSON.stringify({ mention, incident: { key: postKey, ...reply } }),
  };
}
