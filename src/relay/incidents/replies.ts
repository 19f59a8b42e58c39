/** Replies in an incident's thread: what opened it, how it goes on, how it ended. Each has one key, so none comes twice. */
import type { NewPost } from '../delivery/outbox/enqueue.js';
import type { IncidentTally } from './tally.js';

/** `rules/detail.ts` parses it. */
export type ReplyContent =
  /** Ids of the latest scans that opened it. */
  | { readonly part: 'opened'; readonly scans: readonly string[] }
  /** The figures at that time. */
  | { readonly part: 'update'; readonly scans: number; readonly tally: IncidentTally }
  | { readonly part: 'over' };

/** Where an incident's post is, and the thread that it is in itself. */
export interface IncidentThread extends Pick<NewPost, 'queue' | 'parentKey'> {
  readonly postKey: string;
  readonly relayId: string;
  readonly ruleId: string | undefined;
}

export function incidentReply(thread: IncidentThread, { part, ...content }: ReplyContent, at: number): NewPost {
  const { postKey, relayId, ruleId, queue, parentKey = postKey } = thread;
  return {
    ...{ key: `${postKey}.${part === 'update' ? `u${at}` : part}`, queue, relayId, scanId: '', at, kind: 'incident' },
    ...{ ruleId, parentKey, digestKey: undefined },
    detail: JSON.stringify({ incident: { key: postKey, part, ...('scans' in content ? contentOf(content) : {}) } }),
  };
}

function contentOf(content: { readonly scans: readonly string[] | number; readonly tally?: IncidentTally }) {
  return typeof content.scans === 'number'
    ? { figures: { scans: content.scans, tally: content.tally } }
    : { scans: content.scans };
}
