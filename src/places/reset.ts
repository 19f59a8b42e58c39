/** The incidents and posts that end with a list's day, and with the list. */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import { recheckOverdue } from '../incidents/overdue.js';
import { redrawIncidents } from '../incidents/table.js';
import { endThresholds } from '../incidents/thresholds.js';
import { withdrawPosts } from '../posts/outbox/source-posts.js';
import { boardsOf, removeBoards } from './boards.js';
import type { PlaceList } from './list.js';
import { deleteLists, restart } from './table.js';

type Trx = Transaction<Schema>;

/** Resets a list: everybody is outside, or nothing is lent, so no threshold stays crossed, and nothing is overdue. */
export async function resetList(
  trx: Trx,
  list: PlaceList,
  change: Parameters<typeof restart>[2],
  now: number,
): Promise<void> {
  await restart(trx, list, change);
  const ended = await endThresholds(trx, list.id, { at: now, why: 'reset' });
  await recheckOverdue(trx, list.id, undefined, now);
  await redrawIncidents(trx, ended, now);
}

/** Deletes a list, and the messages of its boards and of overdue things. Its other alerts stay in their channels. */
export async function endList(trx: Trx, list: PlaceList, now: number): Promise<void> {
  const boards = await boardsOf(trx, list.id);
  await deleteLists(trx, { id: list.id });
  const ended = await endThresholds(trx, list.id, { at: now, why: 'rule' });
  await recheckOverdue(trx, list.id, undefined, now);
  await withdrawPosts(trx, { owner: list.owner, source: { kind: 'list', id: list.id } }, 'list.removed', now);
  await redrawIncidents(trx, ended, now);
  await removeBoards(
    trx,
    boards.map(({ key }) => key),
    now,
  );
}
