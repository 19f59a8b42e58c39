/** A post of the outbox as it is read. */
import type { Selectable } from 'kysely';
import { present } from '../../database/present.js';
import type { OutboxTable, PostKind, PostState, SourceKind } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';

/** The source of a post. Posts are paused, withdrawn and replayed by source. */
export interface PostSource {
  readonly kind: SourceKind;
  readonly id: string;
}

/** The posts of one source. */
export interface PostsOf {
  readonly owner: Owner;
  readonly source: PostSource;
}

export interface OutboxPost {
  readonly seq: number;
  readonly key: string;
  readonly owner: Owner;
  readonly channel: string;
  readonly source: PostSource;
  /** The scan that the post is about; empty if the post is not about a single one. */
  readonly scanId: string;
  readonly state: PostState;
  /** The number of attempts, which also tells one attempt from the next. */
  readonly attempts: number;
  /** The number of replays and of reposts as a deleted thread parent, which tells sendings apart; retries keep it. */
  readonly generation: number;
  readonly nextAt: number;
  readonly firstAttemptAt?: number;
  /** The time of the post's last sending, by the channel's clock. */
  readonly attemptAt?: number;
  /** The first unconfirmed attempt, by the channel's clock. */
  readonly unconfirmedAt?: number;
  /** The last message known in the channel before the first unconfirmed attempt. */
  readonly afterTs?: string;
  /** When the post came to a final state. */
  readonly finishedAt?: number;
  /** The error code of the last state change. */
  readonly lastCode?: string;
  /** The moment after which an unsent post is missed. */
  readonly expiresAt?: number;
  readonly kind: PostKind;
  readonly ruleId?: string;
  /** The post's content besides the scan: JSON of its source. */
  readonly detail?: string;
  /** The key of the thread parent that the post goes under. */
  readonly parentKey?: string;
  /** The thread that the post was sent to. */
  readonly threadTs?: string;
  readonly acknowledged?: { readonly by: string; readonly at: number; readonly note?: string };
}

export function toPost(row: Selectable<OutboxTable>): OutboxPost {
  return {
    seq: row.seq,
    key: row.key,
    owner: { installation: row.installation, team: row.team },
    channel: row.channel,
    source: { kind: row.source, id: row.source_id },
    scanId: row.scan_id ?? '',
    state: row.state,
    attempts: row.attempts,
    generation: row.generation,
    nextAt: row.next_at,
    kind: row.kind === 'incident' ? (row.parent_key === null ? 'escalation' : 'reply') : row.kind,
    ...present({
      firstAttemptAt: row.first_attempt_at,
      attemptAt: row.attempt_at,
      unconfirmedAt: row.unconfirmed_at,
      afterTs: row.after_ts,
      finishedAt: row.finished_at,
      lastCode: row.last_code,
      expiresAt: row.expires_at,
      ruleId: row.rule_id,
      detail: row.detail,
      parentKey: row.parent_key,
      threadTs: row.thread_ts,
      acknowledged:
        row.ack_by === null ? null : { by: row.ack_by, at: row.ack_at ?? 0, ...present({ note: row.ack_note }) },
    }),
  };
}
