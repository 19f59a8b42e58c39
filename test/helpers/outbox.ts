/** Inserts posts into an outbox in any state, as a process that was interrupted leaves them. */

import type { OutboxState } from '../../src/database/schema.js';
import type { Owner } from '../../src/ownership.js';
import type { Store } from '../../src/workspaces/types.js';
import { owner as usualOwner } from './relay.js';

let counter = 0;

export interface PostFields {
  readonly relayId: string;
  readonly owner?: Owner;
  readonly channel?: string;
  readonly state?: OutboxState;
  readonly scanId?: string;
  readonly attempts?: number;
  readonly nextAt?: number;
  readonly firstAttemptAt?: number;
  readonly attemptAt?: number;
  readonly doubtAt?: number;
}

/** Returns its key. The channel's queue is due from 0 on. */
export async function addPost(store: Store, fields: PostFields): Promise<string> {
  counter += 1;
  const { relayId, owner = usualOwner, channel = 'C0GATE', state = 'waiting' } = fields;
  const key = `post-${counter}`;
  await store.db
    .insertInto('outbox')
    .values({
      key,
      ...owner,
      channel,
      relay_id: relayId,
      scan_id: fields.scanId ?? `scan-${counter}`,
      state,
      attempts: fields.attempts ?? 0,
      next_at: fields.nextAt ?? 0,
      first_attempt_at: fields.firstAttemptAt ?? null,
      attempt_at: fields.attemptAt ?? null,
      doubt_at: fields.doubtAt ?? null,
      finished_at: state === 'done' || state === 'aside' ? 1 : null,
    })
    .execute();
  await store.db
    .insertInto('lanes')
    .values({ ...owner, channel, next_at: 0 })
    .onConflict((conflict) => conflict.columns(['installation', 'team', 'channel']).doUpdateSet({ next_at: 0 }))
    .execute();
  return key;
}
