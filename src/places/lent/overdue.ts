/**
 * The timer of lent things. An overdue thing becomes an incident, posted to its holder and a day later in the list's
 * channel, until it is back or extended. Each step reads the thing's place in its transaction, under the list's lock.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { inEachTransaction } from '../../database/claims/due-rows.js';
import type { Schema } from '../../database/schema.js';
import { codeOf } from '../../errors.js';
import { escalationKey, messageKeyOf } from '../../incidents/incident.js';
import {
  changeOverdue,
  nextDaily,
  type Overdue,
  openOverdue,
  overduesOf,
  recheckAhead,
  redrawOverdue,
  reopenOverdue,
  workOnOverdue,
} from '../../incidents/overdue.js';
import type { Log } from '../../log.js';
import type { Publisher } from '../../posts/index.js';
import { enqueueOnce } from '../../posts/outbox/enqueue.js';
import { findPost } from '../../posts/outbox/single-posts.js';
import { isMarked } from '../../scans/marks.js';
import { membersOf } from '../../workspaces/members.js';
import type { Store } from '../../workspaces/types.js';
import type { PlaceList } from '../list.js';
import { findList, lockList } from '../list-rows.js';
import { dueNow, dueTime, dueUnopened, firstEnd, type Place, readPlaces, soonNow } from '../place.js';
import { isDue, isSameLoan } from './loan.js';
import { isOfOther, overduePost, reminderOf } from './overdue-post.js';
import { quietUntil } from './quiet-hours.js';

export interface OverdueDeps {
  readonly store: Pick<Store, 'db' | 'keyv'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the conversation with a person. */
  readonly open: Publisher['open'];
  /** Called when a post entered the outbox, or has changed. */
  readonly onPosts: () => void;
  readonly makeId: () => string;
}

type Trx = Transaction<Schema>;
type PlaceKey = Pick<Place, 'key' | 'barcode'>;

const dayMs = 24 * 3_600_000;
/** How soon to try again while the thing's marks are being folded. */
const soonMs = 1_000;
const loansAtOnce = 50;
/** The step back from which a clock counts as set back. */
const clockStepMs = 2_000;
/** How long after a reminder failed the list's reminders are tried again. */
const failedMs = 60_000;

export function createOverdue({ store, clock, log, open, onPosts, makeId }: OverdueDeps): { check(): Promise<void> } {
  const { db } = store;
  const failedAt = new Map<string, number>();
  // The clock may have been set back before the process started.
  let checkedAt = Number.POSITIVE_INFINITY;

  const memberOf = async ({ owner }: PlaceList, { user }: Place) => {
    const found = user === '' ? undefined : (await membersOf({ store }, owner)).get(user);
    return found?.unchecked ? undefined : found?.id;
  };

  const remind = async (list: PlaceList, key: PlaceKey, isSoon: boolean): Promise<void> => {
    const [placeBefore] = await readPlaces(db, list, key);
    const member = placeBefore && (await memberOf(list, placeBefore));
    const direct = member === undefined ? undefined : await open(list.owner, member);
    await db.transaction().execute(async (trx) => {
      const now = clock.now();
      const locked = await lockList(trx, list.id);
      const [place] =
        locked && (await isToRemind(trx, locked, { key, isSoon }, now)) ? await readPlaces(trx, locked, key) : [];
      if (!locked || !place || place.user !== placeBefore?.user) {
        return;
      }
      const loan = { owner: list.owner, listId: list.id, ...key, outAt: place.at, beganAt: place.dueAt ?? 0 };
      const known = await incidentOf(trx, locked, place);
      const last = known && (await findPost(trx, messageKeyOf(known), list.owner));
      const isOthers = last !== undefined && isOfOther(place, reminderOf(last));
      // A holder who is reminded daily, or because somebody asks for it.
      const isAgain = known?.ended === undefined && (known?.remindAt ?? now + 1) <= now;
      // A loan that was reminded of since it became due has its reminder: its message says so again.
      const isOther = (incident: Overdue) =>
        isSoon ? loan.beganAt !== incident.beganAt : loan.beganAt > incident.remindedAt;
      const isNew = !known || isOthers || isOther(known);
      // The channel hears of nothing that is not due yet.
      const isReminded = (isNew || isAgain) && !(isSoon && direct === undefined);
      const postKey = known?.postKey ?? `overdue.${makeId()}`;
      const hasDaily = locked.settings.custody?.daily && !isSoon && (isReminded || last);
      // Without a conversation with the holder, the channel gets the reminder at once.
      const isEscalated = isSoon || direct === undefined || (!isReminded && known?.escalatedAt !== undefined);
      const reminding = {
        isReminded,
        isSoon,
        ...(isAgain && !isNew ? {} : { escalateAt: isEscalated ? undefined : now + dayMs }),
        remindAt: hasDaily ? nextDaily(isReminded || !known ? now : known.remindedAt, now) : undefined,
      };
      await (known
        ? reopenOverdue(trx, { ...loan, postKey }, reminding, now)
        : openOverdue(trx, { ...loan, postKey }, reminding, now));
      if (isReminded) {
        const part = isSoon ? 'soon' : direct === undefined ? 'late' : last && !isOthers ? 'again' : 'due';
        const messageKey = known ? messageKeyOf({ postKey, reposts: known.reposts + 1 }) : postKey;
        const channel = direct ?? locked.settings.custody!.channel;
        await enqueueOnce(trx, overduePost(locked, place, { key: messageKey, channel, part, incident: postKey }, now));
      }
      await (known && redrawOverdue(trx, postKey, now));
    });
  };

  const remindOf = async (list: PlaceList, isSoon: boolean, now: number): Promise<number> => {
    const { id } = list;
    if (quietUntil(list, now) !== undefined || now - (failedAt.get(id) ?? 0) < failedMs) {
      return 0;
    }
    const { rows } = await sql<PlaceKey>`select p.key, p.barcode from ${isSoon ? soonNow(list, now) : dueNow(now)}
      and l.id = ${id} order by ${dueTime}, p.key, p.barcode limit ${sql.lit(loansAtOnce)}`.execute(db);
    let reminded = 0;
    for (const name of rows) {
      try {
        await remind(list, name, isSoon);
        reminded += 1;
      } catch (error) {
        failedAt.set(id, now);
        log.warn({ list: id, err: error, code: codeOf(error) }, 'somebody could not be reminded yet');
      }
    }
    return reminded;
  };

  const remindAll = async (now: number): Promise<number> => {
    const dueLists = await sql<{ id: string; soon: number }>`select distinct l.id, 0 as soon from ${dueNow(now)}
      union all select id, 1 from place_lists where before_ms is not null and fill_to is null`.execute(db);
    let reminded = 0;
    for (const { id, soon } of dueLists.rows) {
      const list = await findList(db, id);
      reminded += list ? await remindOf(list, soon === 1, now) : 0;
    }
    return reminded;
  };

  const endOverdue = async (trx: Trx, incident: Overdue, list: PlaceList | undefined): Promise<void> => {
    const now = clock.now();
    if (list && (list.fillTo !== undefined || (await isWaiting(trx, list, incident)))) {
      return changeOverdue(trx, incident, { lookAt: now + soonMs }, now);
    }
    const [place] = list ? await readPlaces(trx, list, incident) : [];
    const why = !list ? 'relay' : await whyOver(trx, list, { place, incident, now });
    // Whether the message already shows the state; the new due time of an extended loan may have changed.
    const isShown = why === undefined || (why === incident.ended?.why && why !== 'extended' && why !== 'rule');
    await changeOverdue(trx, incident, isShown ? { lookAt: undefined } : { ended: why }, now);
    // The loan goes on with a later scan: its message may be to another person than the one who has the thing now.
    await (why === undefined && place && place.at !== incident.outAt && redrawOverdue(trx, incident.postKey, now));
  };

  const escalate = async (trx: Trx, incident: Overdue, list: PlaceList | undefined): Promise<void> => {
    const now = clock.now();
    // A list that counts anew does not know yet where its things are: what is due waits for the last fold.
    const waits = list && (list.fillTo !== undefined || (await isWaiting(trx, list, incident)));
    const later = waits ? now + soonMs : list && quietUntil(list, now);
    const [place] = list ? await readPlaces(trx, list, incident) : [];
    const channel = list?.settings.custody?.channel;
    const isOver = !list || (await whyOver(trx, list, { place, incident, now })) !== undefined;
    if (later !== undefined || !list || !place || !channel || isOver) {
      return changeOverdue(trx, incident, { escalateAt: later }, now);
    }
    const late = {
      key: escalationKey(messageKeyOf(incident)),
      channel,
      part: 'late',
      incident: incident.postKey,
    } as const;
    await changeOverdue(trx, incident, { escalated: true }, now);
    await enqueueOnce(trx, overduePost(list, place, late, now));
    await redrawOverdue(trx, incident.postKey, now);
  };

  const clockSetBack = async (now: number): Promise<void> => {
    const lists = await db.selectFrom('place_lists').select('id').where('kind', '=', 'custody').orderBy('id').execute();
    await inEachTransaction(db, lists, async (trx, { id }) => {
      await ((await lockList(trx, id)) && recheckAhead(trx, id, now));
      return true;
    });
  };

  return {
    async check() {
      const now = clock.now();
      const isSetBack = now < checkedAt - clockStepMs;
      checkedAt = now;
      await (isSetBack && clockSetBack(now));
      const ended = await workOnOverdue(db, { at: 'due_at', now }, lockList, endOverdue);
      const reminded = await remindAll(now);
      const posted = await workOnOverdue(db, { at: 'escalate_at', now }, lockList, escalate);
      if (ended + reminded + posted > 0) {
        onPosts();
      }
    },
  };
}

/** Why the incident's loan is not overdue; undefined: it is. */
async function whyOver(
  trx: Trx,
  list: PlaceList,
  { place, incident, now }: { readonly place: Place | undefined; readonly incident: Overdue; readonly now: number },
): Promise<'person' | 'extended' | 'rule' | 'scan' | 'soon' | undefined> {
  if (!place || !(await isSameLoan(trx, list, place, incident))) {
    return await firstEnd(trx, list, incident);
  }
  if (isDue(place, now)) {
    // A reminder of another due time or of somebody else is due: the timer makes it.
    return place.at > incident.outAt && place.dueAt! > incident.remindedAt ? 'scan' : undefined;
  }
  return place.dueAt === incident.beganAt
    ? 'soon'
    : place.extendedBy !== undefined
      ? 'extended'
      : place.at > incident.outAt
        ? 'scan'
        : 'rule';
}

/** The incident of a loan, whose messages are about it. */
async function incidentOf(trx: Trx, list: PlaceList, place: Place): Promise<Overdue | undefined> {
  for (const incident of await overduesOf(trx, { listId: list.id, ...place })) {
    if (await isSameLoan(trx, list, place, incident)) {
      return incident;
    }
  }
  return undefined;
}

/**
 * Opens incidents without messages for loans that a list which counted anew found to be overdue by `to`, so that a list
 * that is turned on or edited posts nothing of what was due before. A loan that was reminded of keeps its incident.
 */
export async function openSilently(
  trx: Trx,
  list: PlaceList,
  { to, now, makeId }: { readonly to: number; readonly now: number; readonly makeId: () => string },
): Promise<void> {
  const { rows } = await sql<PlaceKey>`select p.key, p.barcode from ${dueUnopened(to)} and l.id = ${list.id}`.execute(
    trx,
  );
  for (const key of rows) {
    const [place] = await readPlaces(trx, list, key);
    if (place && isDue(place, to) && !(await incidentOf(trx, list, place))) {
      const loan = { owner: list.owner, listId: list.id, ...key, outAt: place.at, beganAt: place.dueAt ?? 0 };
      await openOverdue(
        trx,
        { ...loan, postKey: `overdue.${makeId()}` },
        { isReminded: false, remindAt: undefined },
        now,
      );
    }
  }
}

/** The time from which what becomes due is posted, of a list that is about to count anew: what waits stays due. */
export async function quietTo(trx: Trx, list: PlaceList, now: number): Promise<number> {
  const oldest = sql<{ oldest: number | string | null }>`select min(${dueTime}) as oldest from ${dueUnopened(now)}
    and l.id = ${list.id}`;
  const waiting = (await oldest.execute(trx)).rows[0]?.oldest ?? null;
  return list.quietTo ?? (waiting === null ? now : Number(waiting) - 1);
}

/** Whether the thing's barcode has to be folded first. */
async function isWaiting(trx: Kysely<Schema>, { id }: PlaceList, { key }: Pick<PlaceKey, 'key'>): Promise<boolean> {
  const { rows } = await sql`select 1 as waits where ${isMarked(sql`${id}`, sql`cast(${key} as text)`)}`.execute(trx);
  return rows.length > 0;
}

async function isToRemind(
  trx: Kysely<Schema>,
  list: PlaceList,
  { key: { key, barcode }, isSoon }: { readonly key: PlaceKey; readonly isSoon: boolean },
  now: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 as due from ${isSoon ? soonNow(list, now) : dueNow(now)}
    and l.id = ${list.id} and p.run = ${list.run} and p.key = ${key} and p.barcode = ${barcode}`.execute(trx);
  return rows.length > 0;
}
