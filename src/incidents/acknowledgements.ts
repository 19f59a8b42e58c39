/** Acknowledgements of delivered posts, by owner. The first acknowledgement counts; its person may add a note. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { type AcknowledgementChange, acknowledgePost } from '../posts/outbox/acknowledgement.js';
import { reviseMessage } from '../posts/outbox/message-updates.js';
import { type OutboxPost, toPost } from '../posts/outbox/post.js';
import { acknowledgeIncident } from './responses.js';
import { redrawIncidents } from './table.js';

export interface AcknowledgementStore {
  find(owner: Owner, key: string): Promise<OutboxPost | undefined>;
  /**
   * Later calls get `first: false` and who it was; of the same person they change the note. Undefined: no such post.
   */
  acknowledge(
    owner: Owner,
    key: string,
    change: AcknowledgementChange,
  ): Promise<(NonNullable<OutboxPost['acknowledged']> & { readonly first: boolean }) | undefined>;
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

    async acknowledge(owner, key, change) {
      const first = await db.transaction().execute((trx) => acknowledgeIn(trx, owner, key, change));
      const post = await find(owner, key);
      return post?.acknowledged && { first, ...post.acknowledged };
    },
  };
}

/** True: it is the first one. The row of its incident, if there is one, is locked before the post's. */
export async function acknowledgeIn(
  trx: Transaction<Schema>,
  owner: Owner,
  key: string,
  change: AcknowledgementChange,
): Promise<boolean> {
  const ofIncident = await acknowledgeIncident(trx, owner, key, change);
  const changed = await acknowledgePost(trx, owner, key, change, ofIncident === 'first');
  if (changed) {
    await (ofIncident ? redrawIncidents(trx, [key], change.at) : reviseMessage(trx, changed.seq, change.at));
  }
  return changed?.first === true;
}
