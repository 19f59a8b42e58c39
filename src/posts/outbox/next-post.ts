/** A channel's next post: of its first lane with one, the open post with the lowest number that is not held. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { OutboxTable, Schema } from '../../database/schema.js';
import type { ChannelQueueKey } from './channel-queues.js';
import { isHeld } from './held-sources.js';

type Db = Kysely<Schema> | Transaction<Schema>;

/** The open posts of a queue, by the index `outbox_waiting`. */
export function openPostsIn(db: Db, { installation, team, channel }: ChannelQueueKey) {
  return db.selectFrom('outbox').where(equal({ installation, team, channel, finished_at: null }));
}

/** The queue's first open post that is not held. */
export async function headOf(db: Db, queue: ChannelQueueKey): Promise<Selectable<OutboxTable> | undefined> {
  const waiting = openPostsIn(db, queue).where((eb) => eb.not(isHeld(eb)));
  return await waiting.selectAll().orderBy('lane').orderBy('seq').limit(1).executeTakeFirst();
}

/** Whether the queue has no open post, held or not. */
export async function isEmpty(db: Db, queue: ChannelQueueKey): Promise<boolean> {
  return (await openPostsIn(db, queue).select('seq').limit(1).executeTakeFirst()) === undefined;
}
