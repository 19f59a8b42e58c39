/**
 * Scans of one device. PostgreSQL has an index; on SQLite scans are indexed by device in batches after the commit,
 * since an index would make each commit write one more page. Reads index what is missing first.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ScansTable, Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import { type ScanRecord, toScan } from './table.js';

export interface DeviceScans {
  /** The owner's scans of one device, newest first, at most `limit`. */
  of(owner: Owner, udid: string, limit: number): Promise<readonly ScanRecord[]>;
  /** Indexes scans since the last run; returns how many. Other work runs in between. */
  file(): Promise<number>;
}

/** Some milliseconds of work: nothing waits longer. */
const filedAtOnce = 2_000;

export function createDeviceScans({ db, kind }: Pick<Store, 'db' | 'kind'>): DeviceScans {
  const file = async (): Promise<number> => {
    let all = 0;
    for (let filed = kind === 'sqlite' ? filedAtOnce : 0; filed >= filedAtOnce; all += filed) {
      filed = await fileSome(db);
      // SQLite's promises never yield to the event loop: without this, no request would be read meanwhile.
      await nextTurn();
    }
    return all;
  };

  return {
    file,

    async of(owner, udid, limit) {
      await file();
      const ids =
        kind === 'sqlite'
          ? sql<string>`select id from device_scans where installation = ${owner.installation} and team = ${owner.team}
              and udid = ${udid} order by id desc limit ${limit}`
          : sql<string>`select id from scans where installation = ${owner.installation} and team = ${owner.team}
              and substr(udid, 1, 200) = substr(cast(${udid} as text), 1, 200) and udid = ${udid}
              order by id desc limit ${limit}`;
      const rows = await db
        .selectFrom('scans')
        .selectAll()
        .where('id', 'in', sql<string>`(${ids})`)
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toScan);
    },
  };
}

/** By row number: on SQLite, with one writer at a time, it grows in the order of the commits. */
async function fileSome(db: Kysely<Schema>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ upto: number; last: number | null }>`
      select upto, (select max(rowid) from (
        select rowid from scans where rowid > upto order by rowid limit ${sql.lit(filedAtOnce)}
      )) as last from device_scans_filed`.execute(trx);
    const { upto, last } = rows[0] ?? { upto: 0, last: null };
    if (last === null) {
      return 0;
    }
    await sql`insert into device_scans (installation, team, udid, id)
      select installation, team, udid, id from scans
      where rowid > ${upto} and rowid <= ${last} and udid is not null
      order by installation, team, udid, id`.execute(trx);
    await sql`update device_scans_filed set upto = ${last}`.execute(trx);
    return last - upto;
  });
}

/**
 * On SQLite, call it in the transaction that deletes scans. SQLite reuses a table's largest row numbers once their rows
 * are gone: new scans must not look as if they were indexed already.
 */
export async function unfile(
  trx: Transaction<Schema>,
  scans: readonly Pick<ScansTable, 'installation' | 'team' | 'udid' | 'id'>[],
): Promise<void> {
  const filed = scans
    .filter(({ udid }) => udid !== null)
    .map(({ installation, team, udid, id }) => sql`(${installation}, ${team}, ${udid}, ${id})`);
  if (filed.length > 0) {
    await sql`delete from device_scans
      where (installation, team, udid, id) in (values ${sql.join(filed)})`.execute(trx);
  }
  await sql`update device_scans_filed set upto = min(upto, coalesce((select max(rowid) from scans), 0))`.execute(trx);
}
