/** Alerts and escalations that were to be posted, and wait again, since what holds them came before they were sent. */
import type { Transaction } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import type { OutboxPost } from '../posts/outbox/post.js';
import { takeBack } from '../posts/outbox/single-posts.js';
import { escalationKey, incidentKeyOf } from './incident.js';

/**
 * Takes an alert with its replies, or an escalation, out of the outbox if it was surely never sent. The incident is as
 * before its posting, and is checked again. Call it with the relay locked.
 */
export async function holdAlert(
  trx: Transaction<Schema>,
  { key, kind, unconfirmedAt }: Pick<OutboxPost, 'key' | 'kind' | 'unconfirmedAt'>,
  now: number,
): Promise<void> {
  if (unconfirmedAt !== undefined) {
    return;
  }
  const isEscalation = kind === 'escalation';
  const postKey = incidentKeyOf(isEscalation ? key.slice(0, -escalationKey('').length) : key);
  // The incident's row is locked before the posts.
  const held = await trx
    .updateTable('incidents')
    .set(isEscalation ? { escalated_at: null, escalate_at: now } : { escalate_at: null, due_at: now })
    .where(equal({ post_key: postKey }))
    .executeTakeFirst();
  await (held.numUpdatedRows > 0n && takeBack(trx, key));
}
