/** Deletion of channel queues without posts. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { isEmpty } from '../outbox/next-post.js';

/** Deletes queues without open posts that have sent nothing since `idleBefore`; the next post creates them again. */
export async function pruneQueues(db: Kysely<Schema>, idleBefore: number): Promise<void> {
  const idle = (eb: ExpressionBuilder<Schema, 'channel_queues'>) =>
    eb.and([
      eb('next_at', 'is', null),
      eb('claimed_by', 'is', null),
      eb(eb.fn.coalesce('last_sent_at', eb.lit(0)), '<', idleBefore),
    ]);
  const queues = await db
    .selectFrom('channel_queues')
    .select(['installation', 'team', 'channel'])
    .where(idle)
    .execute();
  for (const queue of queues) {
    await db.transaction().execute(async (trx) => {
      // The write locks the row in either database.
      const locked = await trx
        .updateTable('channel_queues')
        .set({ next_at: null })
        .where(equal(queue))
        .where(idle)
        .executeTakeFirst();
      if (locked.numUpdatedRows > 0n && (await isEmpty(trx, queue))) {
        await trx.deleteFrom('channel_queues').where(equal(queue)).execute();
      }
    });
  }
}
