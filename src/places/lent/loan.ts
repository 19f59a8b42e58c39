/**
 * A loan: a thing from its scan out until it is back, also where it is scanned out again meanwhile. People's answers
 * about it count from their moment until the thing's next scan. A button of an old message changes nothing.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Schema } from '../../database/schema.js';
import { denialKey, findOverdue, type Overdue, recheckOverdue, redrawOverdue } from '../../incidents/overdue.js';
import type { Owner } from '../../ownership.js';
import { enqueueOnce } from '../../posts/outbox/enqueue.js';
import type { PlaceList } from '../list.js';
import { lockList } from '../list-rows.js';
import { isBackBetween, type Place, readPlaces } from '../place.js';
import { overduePost } from './overdue-post.js';

export type LoanChange =
  | { readonly says: 'back'; readonly by: string }
  | { readonly says: 'not_mine'; readonly by: string }
  | { readonly says: 'extend'; readonly by: string; readonly until: number };

/** A thing that is overdue according to a message, and its present place. */
export interface Loan {
  readonly list: PlaceList;
  readonly place: Place;
  readonly incident: Overdue;
  /** Whether the loan of the message goes on and is overdue. */
  readonly isCurrent: boolean;
}

export async function loanOf<Db extends Kysely<Schema>>(
  db: Db,
  { owner, postKey, now }: { readonly owner: Owner; readonly postKey: string; readonly now: number },
  find: (db: Db, listId: string) => Promise<PlaceList | undefined>,
): Promise<Loan | undefined> {
  const incident = await findOverdue(db, postKey);
  const list = incident && (await find(db, incident.listId));
  if (!list || list.owner.installation !== owner.installation || list.owner.team !== owner.team) {
    return undefined;
  }
  const [place] = await readPlaces(db, list, incident);
  return (
    place && {
      list,
      place,
      incident,
      // Before the thing is due, the reminder of its present due time can be answered.
      isCurrent:
        (isDue(place, now) || place.dueAt === incident.beganAt) && (await isSameLoan(db, list, place, incident)),
    }
  );
}

export function isDue({ inside, dueAt }: Place, now: number): boolean {
  return !inside && dueAt !== undefined && dueAt <= now;
}

/** Whether the thing is out in the loan that the incident is about: it was not brought back in between. */
export async function isSameLoan(
  db: Kysely<Schema>,
  list: PlaceList,
  place: Place,
  { outAt }: Pick<Overdue, 'outAt'>,
): Promise<boolean> {
  return !place.inside && !(await isBackBetween(db, list, place, [outAt, place.at]));
}

/** Changes a loan. Undefined: the thing or its list is gone. `isCurrent` false: nothing was changed. */
export async function changeLoan(
  { db, clock }: { readonly db: Kysely<Schema>; readonly clock: Clock },
  owner: Owner,
  postKey: string,
  change: LoanChange,
): Promise<Loan | undefined> {
  return await db.transaction().execute(async (trx) => {
    const loan = await loanOf(trx, { owner, postKey, now: clock.now() }, lockList);
    if (loan?.isCurrent) {
      await writeAnswer(trx, loan, change, clock.now());
    }
    return loan;
  });
}

async function writeAnswer(
  trx: Transaction<Schema>,
  { list, place, incident }: Loan,
  change: LoanChange,
  now: number,
): Promise<void> {
  const { key, barcode, at } = place;
  const { by } = change;
  const response =
    change.says === 'back'
      ? { back_by: by, back_at: now }
      : change.says === 'not_mine'
        ? { denied_by: by, denied_at: now }
        : { due_at: change.until, extended_by: by, extended_at: now };
  await trx
    .insertInto('loans')
    .values({ list_id: list.id, key, barcode, out_at: at, ...response })
    .onConflict((conflict) => conflict.columns(['list_id', 'key', 'barcode', 'out_at']).doUpdateSet(response))
    .execute();
  await recheckOverdue(trx, list.id, [place], now);
  if (change.says === 'not_mine') {
    const { channel } = list.settings.custody!;
    const denial = { key: denialKey(incident.postKey), channel, part: 'denied', incident: incident.postKey } as const;
    await enqueueOnce(trx, overduePost(list, place, denial, now));
  }
  await redrawOverdue(trx, incident.postKey, now);
}
