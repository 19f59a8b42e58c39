/** The public interface of scans: those that relays received and those that the account recorded, each scan once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { RecordedScan, Service } from '../codereadr/types.js';
import { leastId } from '../database/ids.js';
import type { ReceivedScansTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { type DatedScan, dated } from './account/account-scan-rows.js';
import { serviceStates } from './account/services.js';
import { scanKey } from './key.js';
import { findOwner } from './owners.js';
import type { AccountSource, ScanWalk } from './slice.js';
import { type ScanSlice, walkScans } from './walk.js';

export type { DatedScan } from './account/account-scan-rows.js';
export { admitsOnce, checksDatabase, eraseServiceStates, type ServiceState, scanWas } from './account/services.js';
export type { ScanRecord } from './received/received-scan-rows.js';
export type { Scan } from './scan.js';
export type { AccountSource, ScanWalk } from './slice.js';

const mostSpelled = 2_000;
const countedAtOnce = 1_000;

export function createScans(db: Kysely<Schema>) {
  return {
    /** Walks the scans, newest first. @param account undefined: only scans that relays received */
    walk: (owner: Owner, account: AccountSource | undefined, walk: ScanWalk): AsyncGenerator<ScanSlice, void> =>
      walkScans(db, owner, account, walk),

    /** The spellings of a barcode, in any case, in its stored scans: in the newest scans, if there are very many. */
    async spellings(owner: Owner, connection: number | undefined, value: string): Promise<readonly string[]> {
      const number = await findOwner(db, owner);
      const key = scanKey(value);
      const accountRows = sql`select record from account_scans where connection = ${connection ?? 0} and key = ${key}
        order by at desc limit ${sql.lit(mostSpelled)}`;
      const [received, account] = await Promise.all([
        sql<{ value: string }>`select distinct tid as value from (select tid from received_scans
          where owner = ${number ?? 0} and key = ${key} order by at desc limit ${sql.lit(mostSpelled)}) as found`.execute(
          db,
        ),
        sql<{ record: string }>`select record from (${accountRows}) as found`.execute(db),
      ]);
      const values = account.rows.map(({ record }) => (JSON.parse(record) as Pick<RecordedScan, 'value'>).value);
      return [...new Set([...received.rows.map((row) => row.value), ...values])];
    },

    /** What the owner's services were, oldest first. A list of them in which one is otherwise is stored first. */
    serviceStates: (owner: Owner, list?: { readonly services: readonly Service[]; readonly at: number }) =>
      serviceStates(db, owner, list),

    /** How many scans a relay received from `from` until before `to` that count as made before `madeBefore`. */
    async countLate(
      owner: Owner,
      relayId: string,
      { from, to }: { readonly from: number; readonly to: number },
      madeBefore: number,
    ): Promise<number> {
      const number = await findOwner(db, owner);
      let lateCount = 0;
      let lastId: string | undefined = leastId(Math.max(0, from));
      // Scans of all relays are read, in slices: no index leads to those of one relay.
      while (lastId !== undefined) {
        const slice: Pick<ReceivedScansTable, 'id' | 'owner' | 'relay_id' | 'at' | 'test'>[] = await db
          .selectFrom('received_scans')
          .select(['id', 'owner', 'relay_id', 'at', 'test'])
          .where('id', '>', lastId)
          .where('id', '<', leastId(Math.max(0, to)))
          .orderBy('id')
          .limit(countedAtOnce)
          .execute();
        lateCount += slice.filter(
          (row) => row.owner === number && row.relay_id === relayId && row.at < madeBefore && row.test === 0,
        ).length;
        lastId = slice.length < countedAtOnce ? undefined : slice.at(-1)?.id;
        await nextTurn();
      }
      return lateCount;
    },

    /** The time before which received scans may have been deleted; 0: none were. */
    async prunedBefore(): Promise<number> {
      const row = await db.selectFrom('scans_pruned').select('before').executeTakeFirst();
      return row?.before ?? 0;
    },
  };
}

export type Scans = ReturnType<typeof createScans>;

/** The account's answer as a source of a walk. @param now the moment of a scan whose time cannot be parsed */
export function liveSource(scans: readonly RecordedScan[], now: number): { readonly live: readonly DatedScan[] } {
  return { live: scans.map((scan, n) => ({ ...dated(scan.id === '' ? { ...scan, id: `?${n}` } : scan, now) })) };
}
