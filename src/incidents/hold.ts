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
  { key, kind }: Pick<OutboxPost, 'key' | 'kind'>,
  now: number,
): Promise<void> {
  const isEscalation = kind === 'escalation';
  const postKey = incidentKeyOf(isEscalation ? key.slice(0, -escalationKey('').length) : key);
  const incident = trx.updateTable('incidents').where(equal({ post_key: postKey }));
  // The incident's row is locked before the posts.
  const held = isEscalation
    ? await incident.set({ escalated_at: null, escalate_at: now }).returning('post_key').execute()
    : await incident.set({ escalate_at: null, due_at: now }).returning('post_key').execute();
  if (held.length === 0) {
    return;
  }
  const replies = await takeBack(trx, key);
  const opening = replies?.find((detail) => detail?.includes('"part":"opened"'));
  const shows = opening && (JSON.parse(opening) as { incident: { scans: readonly string[] } }).incident.scans;
  await (shows &&
    trx
      .updateTable('incidents')
      .set({ shows: JSON.stringify(shows) })
      .where('post_key', '=', postKey)
      .execute());
}
