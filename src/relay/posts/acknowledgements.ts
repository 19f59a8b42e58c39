/** Acknowledgements of delivered posts, by owner. The first acknowledgement counts; its person may add a note. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { reviseMessage } from '../../posts/outbox/message-updates.js';
import { type OutboxPost, toPost } from '../../posts/outbox/post.js';
import { acknowledgeIncident } from '../incidents/responses.js';
import { redrawIncidents } from '../incidents/table.js';

export interface AcknowledgementChange {
  readonly who: string;
  readonly at: number;
  /** Undefined: none is given; empty: the one that was given is taken back. */
  readonly note?: string | undefined;
}

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
  const { who, at, note } = change;
  const ofIncident = await acknowledgeIncident(trx, owner, key, change);
  const { installation, team } = owner;
  const post = trx.updateTable('outbox').where((eb) => eb.and({ key, installation, team }));
  const first = await post
    .set({ ack_by: who, ack_at: at, ack_note: note || null })
    .$if(ofIncident !== 'first', (query) => query.where('ack_by', 'is', null))
    .returning('seq')
    .executeTakeFirst();
  const changed =
    first ??
    (note === undefined
      ? undefined
      : await post
          .set({ ack_note: note || null })
          .where('ack_by', '=', who)
          .returning('seq')
          .executeTakeFirst());
  if (changed) {
    await (ofIncident ? redrawIncidents(trx, [key], at) : reviseMessage(trx, changed.seq, at));
  }
  return first !== undefined;
}
