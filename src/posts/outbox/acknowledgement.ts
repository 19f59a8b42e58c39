/** Acknowledgement of a delivered post: the first one counts, and only the person who made it may change its note. */
import type { Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';

export interface AcknowledgementChange {
  readonly who: string;
  readonly at: number;
  /** The note; undefined leaves it unchanged, an empty text removes it. */
  readonly note?: string | undefined;
}

/** Acknowledges a post. `isNew`: an earlier acknowledgement no longer counts. Returns undefined if nothing changed. */
export async function acknowledgePost(
  trx: Transaction<Schema>,
  { installation, team }: Owner,
  key: string,
  { who, at, note }: AcknowledgementChange,
  isNew: boolean,
): Promise<{ readonly seq: number; readonly first: boolean } | undefined> {
  const post = trx.updateTable('outbox').where(equal({ key, installation, team }));
  const firstUpdate = await post
    .set({ ack_by: who, ack_at: at, ack_note: note || null })
    .$if(!isNew, (query) => query.where('ack_by', 'is', null))
    .returning('seq')
    .executeTakeFirst();
  if (firstUpdate || note === undefined) {
    return firstUpdate && { ...firstUpdate, first: true };
  }
  const noted = await post
    .set({ ack_note: note || null })
    .where('ack_by', '=', who)
    .returning('seq')
    .executeTakeFirst();
  return noted && { ...noted, first: false };
}
