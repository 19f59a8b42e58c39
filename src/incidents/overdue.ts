/** Incidents of overdue things. Code that changes such an incident holds the list's lock, and updates its messages. */
import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { isDue, never, workOnDue } from '../database/claims/due-rows.js';
import { equal } from '../database/equal.js';
import type { IncidentsTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import type { OutboxPost } from '../posts/outbox/post.js';
import { changePost, deletePostsUnder, takeBack } from '../posts/outbox/single-posts.js';
import { deletePosts } from '../posts/retention/old-posts.js';
import { escalationKey, messageKey } from './incident.js';
import { redrawIncidents } from './incident-rows.js';
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
  /** When the holder is reminded again. */
  readonly remindAt: number | undefined;
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

/** What is known of an incident's thing, and who hears of it. */
export interface Reminding {
  /** Whether somebody is reminded of the loan anew, if the incident was there already. */
  readonly isReminded: boolean;
  /** Whether the thing is not due yet: its incident is no open one before it is. */
  readonly isSoon?: boolean;
  /** When the loan is posted in the list's channel; undefined: never; left out: as before. */
  readonly escalateAt?: number | undefined;
  readonly remindAt: number | undefined;
}

type Thing = Pick<Overdue, 'postKey' | 'owner' | 'listId' | 'key' | 'barcode' | 'outAt' | 'beganAt'>;

export async function openOverdue(trx: Trx, incident: Thing, reminding: Reminding, now: number): Promise<void> {
  const { postKey, owner, listId, key, barcode, outAt, beganAt } = incident;
  const subject = { relayId: listId, ruleId: key, subject: 'barcode', subjectId: barcode } as const;
  await openIncident(trx, {
    postKey,
    owner,
    ...subject,
    kind: 'overdue',
    beganAt,
    openedAt: now,
    lastAt: outAt,
    scans: 0,
    tally: emptyTally,
    dueAt: never,
    shows: [],
  });
  await reopenOverdue(trx, incident, { ...reminding, isReminded: false }, now);
}

/** Opens the incident of a loan that is overdue again. The caller redraws its messages once its new post is there. */
export async function reopenOverdue(
  trx: Trx,
  { postKey, outAt, beganAt }: Pick<Overdue, 'postKey' | 'outAt' | 'beganAt'>,
  reminding: Reminding,
  now: number,
): Promise<void> {
  const { isReminded, isSoon, escalateAt, remindAt = null } = reminding;
  await trx
    .updateTable('incidents')
    .set((eb) => ({
      due_at: never,
      last_at: outAt,
      began_at: beganAt,
      remind_at: remindAt,
      ...(isSoon ? { ended_at: now, end_reason: 'soon' } : { ended_at: null, end_reason: null }),
      ...(isReminded ? { reposts: eb('reposts', '+', 1), reposted_at: now } : {}),
      ...('escalateAt' in reminding ? { escalate_at: escalateAt ?? null } : {}),
      ...(isReminded && 'escalateAt' in reminding ? { escalated_at: null } : {}),
    }))
    .where('post_key', '=', postKey)
    .execute();
}

const dayMs = 24 * 3_600_000;

/** When a holder who is reminded once a day is next reminded. */
export function nextDaily(remindedAt: number, now: number): number {
  return remindedAt + dayMs * (1 + Math.floor(Math.max(0, now - remindedAt) / dayMs));
}

const remindedAt = sql`coalesce(reposted_at, opened_at)`;
const hasMessage = sql<boolean>`exists (select 1 from outbox where outbox.key = ${messageKey})`;
const openOf = (listId: string) => equal({ relay_id: listId, kind: 'overdue' as const, ended_at: null });

/** Begins or ends the daily reminders of a list: what was posted is reminded of again at its own time of the day. */
export async function remindDaily(trx: Trx, listId: string, isDaily: boolean, now: number): Promise<void> {
  const daysSince = sql`cast((${now} - ${remindedAt}) / ${dayMs} as bigint)`;
  await trx
    .updateTable('incidents')
    .set({ remind_at: isDaily ? sql<number>`${remindedAt} + ${dayMs} * (1 + ${daysSince})` : null })
    .where(openOf(listId))
    .$if(isDaily, (query) => query.where(hasMessage))
    .execute();
}

/** The least time between two reminders that people ask for. */
const leastMs = 3_600_000;

/** Makes the timer remind of overdue things now. @returns of how many: the others were reminded of lately */
export async function remindNow(trx: Trx, listId: string, things: readonly ThingKey[], now: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('incidents')
    .set({ remind_at: now })
    .where(openOf(listId))
    .where(isOfThings(things))
    .where(sql<boolean>`(${remindedAt} <= ${now - leastMs} or not ${hasMessage})`)
    .where((eb) => eb.or([eb('remind_at', 'is', null), eb('remind_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

type ThingKey = Pick<Overdue, 'key' | 'barcode'>;

function isOfThings(things: readonly ThingKey[]) {
  const [keys, barcodes] = [new Set(things.map(({ key }) => key)), new Set(things.map(({ barcode }) => barcode))];
  return (eb: ExpressionBuilder<Schema, 'incidents'>) =>
    eb.and([eb('rule_id', 'in', [...keys, '']), eb('subject_id', 'in', [...barcodes, ''])]);
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
  return ended === undefined || ['extended', 'rule', 'soon'].includes(ended) ? never : null;
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
  things: readonly ThingKey[] | undefined,
  now: number,
): Promise<void> {
  await trx
    .updateTable('incidents')
    .set({ due_at: now })
    .where(equal({ relay_id: listId, kind: 'overdue' }))
    .$if(things !== undefined, (query) => query.where(isOfThings(things ?? [])))
    .where((eb) => eb.or([eb('due_at', '>=', 0), eb('end_reason', 'in', ['scan', 'person'])]))
    .execute();
}

/**
 * Takes a reminder, or the post in the list's channel, out of the outbox if it was surely never sent: the timer posts it
 * again at its next time. One of an incident that is over goes.
 */
export async function holdOverdue(trx: Trx, postKey: string, { key }: Pick<OutboxPost, 'key'>, now: number) {
  const isEscalation = key.endsWith(escalationKey(''));
  const held = await trx
    .updateTable('incidents')
    .set(isEscalation ? { escalated_at: null, escalate_at: now } : { remind_at: now })
    .where(equal({ post_key: postKey, ended_at: null }))
    .executeTakeFirst();
  await (held.numUpdatedRows > 0n && takeBack(trx, key));
}

/**
 * Makes the timer check, once the clock was set back, whether a list's incidents of the time ahead go on. No reminder, and
 * nothing that follows from one, is later than if the holder had been reminded now.
 */
export async function recheckAhead(trx: Trx, listId: string, now: number): Promise<void> {
  const atMost = (column: 'opened_at' | 'reposted_at' | 'escalate_at' | 'remind_at', latest: number) => {
    const at = sql.ref<number>(column);
    return { [column]: sql<number>`case when ${at} > ${latest} then ${latest} else ${at} end` };
  };
  await trx
    .updateTable('incidents')
    .set({
      due_at: now,
      ...atMost('opened_at', now),
      ...atMost('reposted_at', now),
      ...atMost('escalate_at', now + dayMs),
      ...atMost('remind_at', now + dayMs),
    })
    .where(equal({ relay_id: listId, kind: 'overdue' }))
    .where('due_at', 'is not', null)
    .where(sql<boolean>`${remindedAt} > ${now}`)
    .execute();
}

/** The key of the message that somebody says the thing is not theirs. */
export function denialKey(postKey: string): string {
  return `${postKey}.denied`;
}

/** Deletes a list's incidents of a barcode, or of all, with their posts. Messages that are in a channel stay there. */
export async function forgetOverdue(
  trx: Trx,
  which: Pick<Overdue, 'listId'> & Partial<Pick<Overdue, 'key' | 'barcode'>>,
): Promise<void> {
  const deleted = await trx
    .deleteFrom('incidents')
    .where(equal(subjectOf(which)))
    .returning('post_key')
    .execute();
  const keys = deleted.map(({ post_key: key }) => key);
  await deletePosts(trx, keys);
  for (const key of keys) await deletePostsUnder(trx, key);
}

function subjectOf({ listId, key, barcode }: Parameters<typeof forgetOverdue>[1]) {
  return { relay_id: listId, rule_id: key, subject: 'barcode', subject_id: barcode } as const;
}

function toOverdue(row: Selectable<IncidentsTable>): Overdue {
  return {
    postKey: row.post_key,
    owner: { installation: row.installation, team: row.team },
    listId: row.relay_id,
    key: row.rule_id,
    barcode: row.subject_id,
    outAt: row.last_at,
    beganAt: row.began_at,
    remindedAt: row.reposted_at ?? row.opened_at,
    reposts: row.reposts,
    remindAt: row.remind_at ?? undefined,
    ended: row.ended_at === null ? undefined : { at: row.ended_at, why: row.end_reason ?? 'scan' },
    escalatedAt: row.escalated_at ?? undefined,
  };
}
