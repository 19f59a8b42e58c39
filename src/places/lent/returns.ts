/**
 * The messages to people who wait for a lent thing. A watch ends in the transaction that adds its message, so that each
 * is sent once, also where the scan that brought the thing back comes late or the thing is out again by then.
 */
import { type RawBuilder, sql } from 'kysely';
import { codeOf } from '../../errors.js';
import { enqueueOnce } from '../../posts/outbox/enqueue.js';
import { isMarked } from '../../scans/marks.js';
import { endLoanWatches } from '../../watches/watch-and-mute-rows.js';
import { doublePrefix } from '../doubles.js';
import { findList, lockList } from '../list-rows.js';
import { loanEnds, readPlaces } from '../place.js';
import type { OverdueDeps } from './overdue.js';

interface Returned {
  readonly id: string;
  readonly list: string;
  readonly who: string;
  readonly value: string;
  readonly key: string;
  readonly barcode: string;
  /** When the thing was brought back first, by a scan or a person. */
  readonly at: number | string;
}

const [list, run, key, barcode, outAt] = ['l.id', 'p.run', 'p.key', 'p.barcode', 'w.out_at'].map((name) =>
  sql.ref(name),
);
const ends = loanEnds({ list, run, key, barcode, outAt });

/**
 * The watches of things that are back, or were in between. A list that counts anew does not know yet. The joins are
 * cross joins, which on SQLite begin with the few watches: any other may read all places.
 */
const returned = (now: number): RawBuilder<Returned> => sql`select * from (
  select w.id, w.list_id as list, w.who, w.value, w.place_key as key, w.barcode,
    coalesce((select min(ends.at) from (${ends}) as ends), case when p.inside = 1 then p.at end) as at
  from watches as w cross join place_lists as l cross join places as p
  where l.id = w.list_id and p.run = l.run and p.key = w.place_key and p.barcode = w.barcode
    and w.list_id is not null and w.until > ${now} and l.fill_to is null
    and not ${isMarked(sql.ref('l.id'), sql.ref('p.key'))}) as watched where at is not null`;

const failedMs = 60_000;

export function createReturns({ store, clock, log, open, onPosts }: Omit<OverdueDeps, 'makeId'>) {
  const { db } = store;
  const failedAt = new Map<string, number>();

  const tell = async ({ id, list: listId, who }: Returned): Promise<void> => {
    const list = await findList(db, listId);
    // A person who left gets no message, and waits no longer.
    const channel = list && (await open(list.owner, who));
    await db.transaction().execute(async (trx) => {
      const now = clock.now();
      const locked = await lockList(trx, listId);
      const { rows } = await sql<Returned>`select * from (${returned(now)}) as again where id = ${id}`.execute(trx);
      const [found] = rows;
      if (!locked || !found) {
        return;
      }
      await endLoanWatches(trx, 'id', [id]);
      const [place] = await readPlaces(trx, locked, found);
      const { value, at } = found;
      const outAt = place?.inside === false ? place.at : undefined;
      const detail = { what: 'returned', list: locked.name, value, at: Number(at), outAt };
      await (channel !== undefined &&
        enqueueOnce(trx, {
          key: `${doublePrefix(listId, value)}.back.${id}`,
          queue: { ...locked.owner, channel },
          source: { kind: 'list', id: listId },
          kind: 'notice',
          at: now,
          detail: JSON.stringify(detail),
        }));
    });
    onPosts();
  };

  return {
    async check(): Promise<void> {
      const now = clock.now();
      for (const watch of (await returned(now).execute(db)).rows) {
        if (now - (failedAt.get(watch.list) ?? 0) < failedMs) {
          continue;
        }
        try {
          await tell(watch);
        } catch (error) {
          failedAt.set(watch.list, now);
          log.warn({ list: watch.list, err: error, code: codeOf(error) }, 'somebody could not hear of a return yet');
        }
      }
    },
  };
}
