/**
 * Crossed thresholds of lists, as incidents: `relay_id` is the list, `rule_id` its run, from one reset to the next. The
 * list decides, under its own lock, when such an incident opens and is over; no timer does.
 */

import type { Kysely, Selectable, Transaction } from 'kysely';
import { equal } from '../database/equal.js';
import type { IncidentsTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { emptyTally } from './tally.js';

type Trx = Transaction<Schema>;

export interface CrossedThreshold {
  readonly postKey: string;
  readonly percent: number;
  readonly run: string;
  readonly openedAt: number;
  /** How many were inside at `openedAt`, as known now. */
  readonly inside: number;
  readonly ended?: { readonly at: number; readonly why: 'calm' | 'rule' | 'reset' };
  readonly acknowledged?: { readonly by: string; readonly at: number };
}

/** The due time of an incident that no timer checks: it says that the incident goes on, so that its post is kept. */
const noDueTime = Date.UTC(10_000, 0, 1);
/**
 * The most thresholds read of a list. Open ones come first, since a threshold that is not known to be open would be
 * crossed again.
 */
const mostRead = 30;

function toThreshold(row: Selectable<IncidentsTable>): CrossedThreshold {
  return {
    postKey: row.post_key,
    percent: Number(row.subject_id),
    run: row.rule_id,
    openedAt: row.opened_at,
    inside: row.scans,
    ...(row.ended_at === null
      ? {}
      : { ended: { at: row.ended_at, why: row.end_reason as NonNullable<CrossedThreshold['ended']>['why'] } }),
    ...(row.acknowledged_by === null
      ? {}
      : { acknowledged: { by: row.acknowledged_by, at: row.acknowledged_at ?? 0 } }),
  };
}

/** A list's open thresholds, then those of this run, each newest first. */
export async function thresholdsOf(
  db: Kysely<Schema>,
  listId: string,
  run: string,
): Promise<readonly CrossedThreshold[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where(equal({ relay_id: listId, kind: 'threshold' }))
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('rule_id', '=', run)]))
    .orderBy((eb) => eb.case().when('ended_at', 'is', null).then(0).else(1).end())
    .orderBy('opened_at', 'desc')
    .limit(mostRead)
    .execute();
  return rows.map(toThreshold);
}

export async function findThreshold(db: Kysely<Schema>, postKey: string): Promise<CrossedThreshold | undefined> {
  const row = await db.selectFrom('incidents').selectAll().where('post_key', '=', postKey).executeTakeFirst();
  return row && toThreshold(row);
}

export async function openThreshold(
  trx: Trx,
  list: { readonly owner: Owner; readonly listId: string },
  { postKey, percent, run, openedAt, inside }: CrossedThreshold,
): Promise<void> {
  await trx
    .insertInto('incidents')
    .values({
      post_key: postKey,
      installation: list.owner.installation,
      team: list.owner.team,
      relay_id: list.listId,
      rule_id: run,
      kind: 'threshold',
      subject: 'list',
      subject_id: String(percent),
      began_at: openedAt,
      opened_at: openedAt,
      last_at: openedAt,
      scans: inside,
      tally: JSON.stringify(emptyTally),
      due_at: noDueTime,
      replied_at: openedAt,
    })
    .execute();
}

/** Corrects how many were inside at the crossing, after late scans. The caller redraws the incident's message. */
export async function recountThreshold(trx: Trx, postKey: string, inside: number): Promise<void> {
  await trx.updateTable('incidents').set({ scans: inside }).where('post_key', '=', postKey).execute();
}

/**
 * Ends the open thresholds of a list, or those of the given percents.
 * @returns their posts' keys, which the caller redraws once all incidents are written
 */
export async function endThresholds(
  trx: Trx,
  listId: string,
  { at, why }: NonNullable<CrossedThreshold['ended']>,
  percents?: readonly number[],
): Promise<readonly string[]> {
  if (percents?.length === 0) {
    return [];
  }
  const ended = await trx
    .updateTable('incidents')
    .set({ ended_at: at, end_reason: why, due_at: null })
    .where(equal({ relay_id: listId, kind: 'threshold', ended_at: null }))
    .$if(percents !== undefined, (query) => query.where('subject_id', 'in', (percents ?? []).map(String)))
    .returning('post_key')
    .execute();
  return ended.map((row) => row.post_key);
}
