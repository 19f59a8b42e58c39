/** The quiet hours of a list of lent things: what is due in them is posted when they end. */
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Schema } from '../../database/schema.js';
import { holdOverdue } from '../../incidents/overdue.js';
import type { OutboxPost } from '../../posts/index.js';
import { postKinds } from '../../posts/kinds.js';
import { createSchedule } from '../../schedules/schedule.js';
import type { PlaceList } from '../list.js';
import { findList, lockList } from '../list-rows.js';
import { reminderOf } from './overdue-post.js';

/** The end of the quiet hours; undefined outside of quiet hours. */
export function quietUntil({ settings: { custody, zone } }: PlaceList, now: number): number | undefined {
  const quiet = postKinds.overdue.inQuietHours === 'later' ? custody?.quiet : undefined;
  // Quiet hours that never end hold nothing; forms refuse them, older versions did not.
  const endsSomeTime = quiet !== undefined && quiet.from !== quiet.to;
  return endsSomeTime ? createSchedule({ ...quiet, zone, days: [1, 2, 3, 4, 5, 6, 7] }).windowAt(now)?.to : undefined;
}

/**
 * Holds a reminder, or the post in the list's channel, that was surely never sent before quiet hours began, as one that
 * waited for Slack. A reminder of a thing that is due soon is sent: it would come too late.
 */
export async function holdInQuietHours(
  { store: { db }, clock }: { readonly store: { readonly db: Kysely<Schema> }; readonly clock: Clock },
  post: OutboxPost,
): Promise<void> {
  if (post.kind !== 'overdue' || post.unconfirmedAt !== undefined) {
    return;
  }
  const { part, incident } = reminderOf(post);
  const list = ['due', 'again', 'late'].includes(part) ? await findList(db, post.source.id) : undefined;
  if (list && quietUntil(list, clock.now()) !== undefined) {
    await db.transaction().execute(async (trx) => {
      await ((await lockList(trx, list.id)) && holdOverdue(trx, incident, post, clock.now()));
    });
  }
}
