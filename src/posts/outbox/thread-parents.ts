/** Thread parents that replies go under, and their repost when somebody deletes a parent's message. */
import type { Kysely, Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { applyEvent } from '../post-states.js';
import { wakeQueues } from './channel-queues.js';
import type { OutboxPost } from './post.js';

/** A reply, and the thread it was sent to. */
type SentReply = Pick<OutboxPost, 'parentKey' | 'owner' | 'channel' | 'threadTs'>;

export function createThreadParents(db: Kysely<Schema>) {
  return {
    /** The `ts` of the thread parent's message; undefined if the parent has none in that channel. */
    async parentTs(parentKey: string, channel: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('outbox')
        .select('ts')
        .where(equal({ key: parentKey, channel, state: 'delivered' }))
        .executeTakeFirst();
      return row?.ts ?? undefined;
    },

    /**
     * Posts the thread's parent again, before the pending replies, since the parent's message is gone. Nothing changes
     * if the parent has another message by now.
     * @param postedBefore the time before which the parent must have been posted
     */
    repostParent: (reply: SentReply, now: number, postedBefore: number = now): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { owner, channel, parentKey = '', threadTs = '' } = reply;
        await wakeQueues(trx, [{ ...owner, channel }], now);
        const repostedParent = await applyEvent(trx, 'repost', now)
          .set((eb) => ({
            ts: null,
            next_at: now,
            attempts: 0,
            first_attempt_at: null,
            attempt_at: null,
            unconfirmed_at: null,
            generation: eb('generation', '+', 1),
          }))
          .where(equal({ key: parentKey, channel, ts: threadTs }))
          .where('finished_at', '<=', postedBefore)
          .returning('seq')
          .executeTakeFirst();
        if (repostedParent) {
          await dropUpdate(trx, repostedParent.seq);
        }
      }),

    /** Ends a thread: the replies under its parent are posted by themselves from now on. */
    dropParent: ({ channel, parentKey = '', threadTs = '' }: SentReply): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const dropped = await trx
          .updateTable('outbox')
          .set({ ts: null })
          .where(equal({ key: parentKey, channel, state: 'delivered', ts: threadTs }))
          .returning('seq')
          .executeTakeFirst();
        if (dropped) {
          await dropUpdate(trx, dropped.seq);
        }
      }),
  };
}

/** Drops the updates of a message that is gone. */
async function dropUpdate(trx: Transaction<Schema>, seq: number): Promise<void> {
  await trx.updateTable('message_updates').set({ due_at: null, failures: 0 }).where('post_seq', '=', seq).execute();
}
