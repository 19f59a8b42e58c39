/** Inserts posts into an outbox in any state, as a process that was interrupted leaves them. */

import type { OutboxTable, PostState } from '../../src/database/schema.js';
import type { Owner } from '../../src/ownership.js';
import { finalStates } from '../../src/posts/post-states.js';
import type { Store } from '../../src/workspaces/types.js';
import { owner as usualOwner } from './relay.js';
import { storeReceived } from './scans.js';

let counter = 0;

export interface PostFields {
  readonly relayId: string;
  readonly owner?: Owner;
  readonly channel?: string;
  readonly state?: PostState;
  /** The id of a stored scan; by default, of a scan that is stored with the post. */
  readonly scanId?: string;
  readonly attempts?: number;
  readonly nextAt?: number;
  readonly firstAttemptAt?: number;
  readonly attemptAt?: number;
  readonly unconfirmedAt?: number;
}

/** Adds a post and returns its key. The channel's queue is due from 0 on. */
export async function addPost(store: Store, fields: PostFields): Promise<string> {
  counter += 1;
  const { relayId, owner = usualOwner, channel = 'C0GATE', state = 'pending' } = fields;
  const key = `post-${counter}`;
  const queue = { ...owner, channel };
  await store.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('channel_queues')
      .values({ ...queue, next_at: 0 })
      .onConflict((conflict) => conflict.columns(['installation', 'team', 'channel']).doUpdateSet({ next_at: 0 }))
      .execute();
    if (fields.scanId === undefined) {
      const row = { id: `scan-${counter}`, relay_id: relayId, ...owner, received_at: 1, tid: 'T', late: 0 };
      await storeReceived({ db: trx }, [row]);
    }
    await trx
      .insertInto('outbox')
      .values({
        ...{ key, ...queue, source: 'relay', source_id: relayId, scan_id: fields.scanId ?? `scan-${counter}`, state },
        attempts: fields.attempts ?? 0,
        next_at: fields.nextAt ?? 0,
        first_attempt_at: fields.firstAttemptAt ?? null,
        attempt_at: fields.attemptAt ?? null,
        unconfirmed_at: fields.unconfirmedAt ?? null,
        finished_at: finalStates.includes(state) ? 1 : null,
      })
      .execute();
  });
  return key;
}

/** An update of posts in any column, also the state, which only `applyEvent` may write in the product. */
export function setPosts(store: Pick<Store, 'db'>, fields: Partial<Record<keyof OutboxTable, unknown>>) {
  return store.db.updateTable('outbox').set(fields as object);
}

/** Deletes all posts and queues. */
export async function clearOutbox(store: Pick<Store, 'db'>): Promise<void> {
  for (const table of ['outbox', 'channel_queues', 'workers', 'call_budgets'] as const) {
    await store.db.deleteFrom(table).execute();
  }
}
