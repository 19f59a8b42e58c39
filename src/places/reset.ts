/** The incidents and posts that end with a list's day, and with the list. */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import { redrawIncidents } from '../incidents/incident-rows.js';
import { recheckOverdue } from '../incidents/overdue.js';
import { endThresholds } from '../incidents/thresholds.js';
import { withdrawPosts } from '../posts/outbox/source-posts.js';
import { redrawBoards, removeBoards } from './boards.js';
import type { PlaceList } from './list.js';
import { deleteLists, restart } from './list-rows.js';

type Trx = Transaction<Schema>;

type RunChange = Parameters<typeof restart>[2];

/** Makes a list count anew. Its boards say so until it has; overdue things are checked once it has. */
export async function countAnew(
  trx: Trx,
  list: PlaceList,
  change: RunChange,
  { now, endsDay = false }: { readonly now: number; readonly endsDay?: boolean },
): Promise<void> {
  await restart(trx, list, change);
  const ended = endsDay ? await endThresholds(trx, list.id, { at: now, why: 'reset' }) : [];
  // A thing whose scan is deleted meanwhile does not move in the new run.
  await recheckOverdue(trx, list.id, undefined, now);
  await redrawIncidents(trx, ended, now);
  await redrawBoards(trx, list.id, now);
}

/** Resets a list: everybody is outside, or nothing is lent, so no threshold stays crossed, and nothing is overdue. */
export const resetList = (trx: Trx, list: PlaceList, change: RunChange, now: number): Promise<void> =>
  countAnew(trx, list, change, { now, endsDay: true });

/** Deletes a list, and the messages of its boards and of overdue things. Its other alerts stay in their channels. */
export async function endList(trx: Trx, list: PlaceList, now: number): Promise<void> {
  await deleteLists(trx, { id: list.id });
  const ended = await endThresholds(trx, list.id, { at: now, why: 'rule' });
  await recheckOverdue(trx, list.id, undefined, now);
  await withdrawPosts(trx, { owner: list.owner, source: { kind: 'list', id: list.id } }, 'list.removed', now);
  await redrawIncidents(trx, ended, now);
  await removeBoards(trx, list.id, now);
}
