/** Acknowledgements of delivered posts, by owner. The first acknowledgement counts. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';
import { reviseMessage } from './message-updates.js';
import { type OutboxPost, toPost } from './post.js';

export interface AcknowledgementStore {
  find(owner: Owner, key: string): Promise<OutboxPost | undefined>;
  /** Only the first one counts; later calls get `first: false` and who it was. Undefined: no such post. */
  acknowledge(
    owner: Owner,
    key: string,
    who: string,
    now: number,
  ): Promise<{ readonly first: boolean; readonly by: string; readonly at: number } | undefined>;
}

export function createAcknowledgementStore(db: Kysely<Schema>): AcknowledgementStore {
  const find: AcknowledgementStore['find'] = async ({ installation, team }, key) => {
    const row = await db
      .selectFrom('outbox')
      .selectAll()
      .where('key', '=', key)
      .where('installation', '=', installation)
      .where('team', '=', team)
      .executeTakeFirst();
    return row && toPost(row);
  };

  return {
    find,

    async acknowledge(owner, key, who, now) {
      const { installation, team } = owner;
      const first = await db.transaction().execute(async (trx) => {
        const acknowledged = await trx
          .updateTable('outbox')
          .set({ ack_by: who, ack_at: now })
          .where('key', '=', key)
          .where('installation', '=', installation)
          .where('team', '=', team)
          .where('ack_by', 'is', null)
          .returning('seq')
          .executeTakeFirst();
        if (acknowledged) {
          await reviseMessage(trx, acknowledged.seq, now);
        }
        return acknowledged !== undefined;
      });
      const post = await find(owner, key);
      return post?.acknowledged && { first, ...post.acknowledged };
    },
  };
}
