/**
 * Admissions by the moment that counts, for limits within a time. An admission is kept until no scan that may still
 * come can count it: for the limit's time plus the greatest lateness after its moment.
 */
import { sql } from 'kysely';
import type { Clock } from '../clock.js';
import { bulkStatement } from '../database/bulk.js';
import { createPace, type Purge } from '../database/pace.js';
import type { AdmissionsTable } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Store } from '../workspaces/types.js';
import { type Counting, countingShape, type Subject } from './counters.js';

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** How far the clocks of several instances may differ, the wait of a commit included. */
export const clocksDifferMs = hourMs;

/** Whether two moments are less than so many minutes apart. */
export function isWithin(moment: number, at: number, minutes: number): boolean {
  return Math.abs(moment - at) < minutes * minuteMs;
}

const columns = { relay_id: 'text', subject: 'text', key: 'text', at: 'bigint', scan_id: 'text' } as const;
const names = Object.keys(columns).join(', ');

export const insertAdmissions = bulkStatement(
  columns,
  ({ input }) => `insert into admissions (${names}) select ${names} from ${input} where true on conflict do nothing`,
);

const deleteAdmissions = bulkStatement(
  columns,
  ({ input }) => `delete from admissions where (${names}) in (select ${names} from ${input})`,
);

/** Deletes admissions that no limit counts any more. */
export function createAdmissionPurge(
  store: Pick<Store, 'db' | 'kind'>,
  clock: Clock,
  { lateHours }: { readonly lateHours: number },
): Purge {
  return async (signal) => {
    const relays = await store.db.selectFrom('relays').select(['id', 'counting']).execute();
    const countings = new Map(relays.map(({ id, counting }) => [id, readJson(countingShape, counting, 'relay')]));
    const latestAt = clock.now() - lateHours * hourMs - clocksDifferMs;
    const isOld = ({ relay_id: relayId, subject, at }: AdmissionsTable) =>
      at <= latestAt - longestMinutes(countings.get(relayId), subject as Subject) * minuteMs;
    // Nothing is deleted, and no transaction begun, where no limit counts within a time.
    if (!(await store.db.selectFrom('admissions').select('relay_id').limit(1).executeTakeFirst())) {
      return;
    }
    const first: AdmissionsTable = { relay_id: '', subject: '', key: '', at: 0, scan_id: '' };
    await createPace(store, clock, signal).walk(first, async (trx, { relay_id, subject, key, at, scan_id }, limit) => {
      const rows = await trx
        .selectFrom('admissions')
        .selectAll()
        .where(sql<boolean>`(${sql.raw(names)}) > (${sql.join([relay_id, subject, key, at, scan_id])})`)
        .orderBy(sql.raw(names))
        .limit(limit)
        .execute();
      await deleteAdmissions(trx, rows.filter(isOld));
      return rows.length < limit ? undefined : rows.at(-1);
    });
  };
}

function longestMinutes(counting: Counting | undefined, subject: Subject): number {
  return Math.max(0, ...(counting?.[subject]?.within ?? []));
}
