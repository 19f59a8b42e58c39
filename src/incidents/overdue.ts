/** Incidents of overdue things. Code that changes such an incident holds the list's lock, and updates its messages. */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { isDue, never, workOnDue } from '../database/claims/due-rows.js';
import { equal } from '../database/equal.js';
import type { IncidentsTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { changePost, deletePostsUnder } from '../posts/outbox/single-posts.js';
import { deletePosts } from '../posts/retention/old-posts.js';
import { redrawIncidents } from './table.js';
import { emptyTally } from './tally.js';
import { openIncident } from './writes.js';

type Trx = Transaction<Schema>;

export interface Overdue {
  readonly postKey: string;
  readonly owner: Owner;
  readonly listId: string;
  /** The key by which scans of the barcode are found; `barcode`: the barcode itself as an index key. */
  readonly key: string;
  readonly barcode: string;
  /** When the thing was lent, by its newest scan when it was last overdue. */
  readonly outAt: number;
  /** When the thing was due. */
  readonly beganAt: number;
  /** When somebody was last reminded, and how often that was the case after the first time. */
  readonly remindedAt: number;
  readonly reposts: number;
  readonly ended: { readonly at: number; readonly why: Why } | undefined;
  readonly escalatedAt: number | undefined;
}
type Why = NonNullable<IncidentsTable['end_reason']>;

/** Works on due incidents, each in a transaction of its own. */
export function workOnOverdue<List>(
  db: Kysely<Schema>,
  { at, now }: { readonly at: 'due_at' | 'escalate_at'; readonly now: number },
  lock: (trx: Trx, listId: string) => Promise<List | undefined>,
  workOn: (trx: Trx, incident: Overdue, list: List | undefined) => Promise<unknown>,
): Promise<number> {
  const dueRows = { table: 'incidents', at, key: ['post_key', 'relay_id'], only: sql`kind = 'overdue'` } as const;
  return workOnDue(db, dueRows, now, async (trx, { post_key: key, relay_id: listId }) => {
    const list = await lock(trx, listId);
    const row = await trx
      .selectFrom('incidents')
      .selectAll()
      .where('post_key', '=', key)
      .where(isDue(at, now))
      .executeTakeFirst();
    await (row && workOn(trx, toOverdue(row), list));
    return row !== undefined;
  });
}

export async function findOverdue(db: Kysely<Schema>, postKey: string): Promise<Overdue | undefined> {
  const row = await db.selectFrom('incidents').selectAll().where('post_key', '=', postKey).executeTakeFirst();
  return row && toOverdue(row);
}

/** The incidents of a thing, newest first. */
export async function overduesOf(
  db: Kysely<Schema>,
  thing: Pick<Overdue, 'listId' | 'key' | 'barcode'>,
): Promise<readonly Overdue[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where(equal(subjectOf(thing)))
    .orderBy('opened_at', 'desc')
    .orderBy('post_key', 'desc')
    .execute();
  return rows.map(toOverdue);
}

export async function openOverdue(
  trx: Trx,
  incident: Pick<Overdue, 'postKey' | 'owner' | 'listId' | 'key' | 'barcode' | 'outAt' | 'beganAt'>,
  { now, escalateAt }: { readonly now: number; readonly escalateAt: number | undefined },
): Promise<void> {
  const { postKey, owner, listId, key, barcode, outAt, beganAt } = incident;
  const subject = { relayId: listId, ruleId: key, subject: 'barcode', subjectId: barcode } as const;
  const opened = {
    ...{ postKey, owner, ...subject, kind: 'overdue' as const, beganAt, openedAt: now, lastAt: outAt, scans: 0 },
    ...{ tally: emptyTally, dueAt: never, shows: [], ...(escalateAt === undefined ? {} : { escalateAt }) },
  };
  await openIncident(trx, opened);
}

/**
 * Opens the incident of a loan that is overdue again. `isReminded`: whether somebody is reminded of it anew. The caller
 * redraws its messages once that post is there.
 */
export async function reopenOverdue(
  trx: Trx,
  { postKey, outAt, beganAt }: Pick<Overdue, 'postKey' | 'outAt' | 'beganAt'>,
  { isReminded, escalateAt }: { readonly isReminded: boolean; readonly escalateAt: number | undefined },
  now: number,
): Promise<void> {
  const at = sql`cast(${escalateAt ?? null} as bigint)`;
  await trx
    .updateTable('incidents')
    .set((eb) => ({
      ...{ ended_at: null, end_reason: null, due_at: never, last_at: outAt, began_at: beganAt },
      ...(isReminded
        ? { reposts: eb('reposts', '+', 1), reposted_at: now, escalated_at: null, escalate_at: escalateAt ?? null }
        : { escalate_at: sql<number>`case when escalated_at is null then ${at} end` }),
    }))
    .where('post_key', '=', postKey)
    .execute();
}

interface Changes {
  readonly ended?: Why;
  /** When to check whether the incident is over; undefined: after a change; left out: as before. */
  readonly lookAt?: number | undefined;
  /** When to post the incident in the list's channel; undefined: never; left out: as before. */
  readonly escalateAt?: number | undefined;
  /** The incident is posted for everybody now; the caller redraws its messages once that post is there. */
  readonly escalated?: true;
}

export async function changeOverdue(
  trx: Trx,
  { postKey, ended: endBefore }: Pick<Overdue, 'postKey' | 'ended'>,
  changes: Changes,
  now: number,
): Promise<void> {
  const { ended, escalated } = changes;
  await trx
    .updateTable('incidents')
    .set({
      ...('lookAt' in changes ? { due_at: changes.lookAt ?? untilChanged(endBefore?.why) } : {}),
      ...('escalateAt' in changes ? { escalate_at: changes.escalateAt ?? null } : {}),
      ...(ended ? { ended_at: now, end_reason: ended, due_at: untilChanged(ended), escalate_at: null } : {}),
      ...(escalated ? { escalate_at: null, escalated_at: now } : {}),
    })
    .where('post_key', '=', postKey)
    .execute();
  await (ended && redrawOverdue(trx, postKey, now));
}

/** The due time until a change; null: the incident is over. A loan with a new due time goes on: its posts are kept. */
function untilChanged(ended: Why | undefined): number | null {
  return ended === undefined || ended === 'extended' || ended === 'rule' ? never : null;
}

export async function redrawOverdue(trx: Trx, postKey: string, now: number): Promise<void> {
  await redrawIncidents(trx, [postKey], now);
  await changePost(trx, denialKey(postKey), now);
}

/**
 * Makes the timer check whether incidents go on: those of the things, or all of the list. Extended incidents
 * are checked too, and incidents that a scan or a person ended, since scans may come late, or be deleted.
 */
export async function recheckOverdue(
  trx: Trx,
  listId: string,
  things: readonly Pick<Overdue, 'key' | 'barcode'>[] | undefined,
  now: number,
): Promise<void> {
  const [keys, barcodes] = [new Set(things?.map(({ key }) => key)), new Set(things?.map(({ barcode }) => barcode))];
  await trx
    .updateTable('incidents')
    .set({ due_at: now })
    .where(equal({ relay_id: listId, kind: 'overdue' }))
    .$if(things !== undefined, (query) =>
      query.where('rule_id', 'in', [...keys, '']).where('subject_id', 'in', [...barcodes, '']),
    )
    .where((eb) => eb.or([eb('due_at', '>=', 0), eb('end_reason', 'in', ['scan', 'person'])]))
    .execute();
}

/** The key of the message that somebody says the thing is not theirs. */
export function denialKey(postKey: string): string {
  return `${postKey}.denied`;
}

/** Deletes the incidents of a barcode with their posts. Messages that are in a channel already stay there. */
export async function forgetOverdue(trx: Trx, thing: Pick<Overdue, 'listId' | 'key' | 'barcode'>): Promise<void> {
  const deleted = await trx
    .deleteFrom('incidents')
    .where(equal(subjectOf(thing)))
    .returning('post_key')
    .execute();
  const keys = deleted.map(({ post_key: key }) => key);
  await deletePosts(trx, keys);
  for (const key of keys) await deletePostsUnder(trx, key);
}

function subjectOf({ listId, key, barcode }: Pick<Overdue, 'listId' | 'key' | 'barcode'>) {
  return { relay_id: listId, rule_id: key, subject: 'barcode', subject_id: barcode } as const;
}

function toOverdue(row: Selectable<IncidentsTable>): Overdue {
  return {
    ...{ postKey: row.post_key, owner: { installation: row.installation, team: row.team } },
    ...{ listId: row.relay_id, key: row.rule_id, barcode: row.subject_id, outAt: row.last_at, beganAt: row.began_at },
    ...{ remindedAt: row.reposted_at ?? row.opened_at, reposts: row.reposts },
    ended: row.ended_at === null ? undefined : { at: row.ended_at, why: row.end_reason ?? 'scan' },
    escalatedAt: row.escalated_at ?? undefined,
  };
}
