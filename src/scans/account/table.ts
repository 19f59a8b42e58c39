/**
 * The account's scans as they are mirrored: read by barcode, written and deleted in batches that never block the event
 * loop for long. An older state never replaces a newer one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { RecordedScan } from '../../codereadr/types.js';
import { bulkStatement } from '../../database/bulk.js';
import { indexed } from '../../database/index-key.js';
import { asciiLower, isMixedCase, readDistinct } from '../../database/mixed-case.js';
import type { Schema } from '../../database/schema.js';
import type { Store } from '../../workspaces/types.js';
import { type BriefScan, readBrief } from './between.js';
import { readScan } from './record.js';
import { type ScanSlice, type ScanWalk, walkMirroredScans } from './walk.js';

export interface DatedScan {
  readonly scan: RecordedScan;
  /** When it was made, and changed: milliseconds. */
  readonly at: number;
  readonly modifiedAt: number;
}

export interface ScansOfValue {
  /** Newest first. */
  readonly scans: readonly RecordedScan[];
  /** There are no others in the mirror. */
  readonly complete: boolean;
  /** The last complete pass did not meet one of them: it may be deleted. */
  readonly missed: boolean;
}

export interface AccountScans {
  ofValue(mirror: { readonly id: number; readonly round: number }, value: string, most: number): Promise<ScansOfValue>;
  /** The value's spellings in mixed case, whatever the value's case. Not of long values. */
  spellings(mirrorId: number, value: string): Promise<readonly string[]>;
  walk(mirrorId: number, walk: ScanWalk): AsyncGenerator<ScanSlice, void>;
  /** The scans with these ids, where they are mirrored. */
  withIds(mirrorId: number, ids: readonly string[]): Promise<readonly BriefScan[]>;
  /** Those of the values that were scanned, by scans that the last complete pass met. One query. */
  scanned(
    mirror: { readonly id: number; readonly round: number },
    values: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Stores scans in a transaction; of two rows with one id the last one is stored. */
  put(trx: Transaction<Schema>, mirrorId: number, round: number, scans: readonly DatedScan[]): Promise<void>;
  delete(db: Kysely<Schema>, mirrorId: number, ids: readonly string[]): Promise<void>;
  /** The account has these of a value and no others: the rest is deleted. */
  keepOnly(mirrorId: number, value: string, ids: readonly string[]): Promise<void>;
  /** Deletes the scans of a barcode; returns how many. */
  forgetValue(mirrorId: number, value: string): Promise<number>;
  /** Deletes scans that no pass since `keep` has met. */
  deleteStale(mirrorId: number, keep: number): Promise<number>;
  /** Deletes scans made before. */
  deleteBefore(mirrorId: number, at: number): Promise<number>;
  deleteAll(mirrorId: number): Promise<number>;
}

const deletedAtOnce = 500;
const mostSpellings = 8;

const putScans = bulkStatement(
  {
    ...{ mirror_id: 'bigint', scan_id: 'text', key: 'text', at: 'bigint' },
    ...{ modified_at: 'bigint', record: 'text', round: 'bigint' },
  } as const,
  ({ input }) => `
    insert into mirrored_scans (mirror_id, scan_id, key, at, modified_at, record, round)
    select mirror_id, scan_id, key, at, modified_at, record, round from ${input}
    where true order by scan_id
    on conflict (mirror_id, scan_id) do update set
      key = case when excluded.modified_at < mirrored_scans.modified_at then mirrored_scans.key else excluded.key end,
      at = case when excluded.modified_at < mirrored_scans.modified_at then mirrored_scans.at else excluded.at end,
      record = case when excluded.modified_at < mirrored_scans.modified_at then mirrored_scans.record
        else excluded.record end,
      modified_at = case when excluded.modified_at < mirrored_scans.modified_at then mirrored_scans.modified_at
        else excluded.modified_at end,
      round = case when excluded.round < mirrored_scans.round then mirrored_scans.round else excluded.round end
    where excluded.record <> mirrored_scans.record or excluded.round > mirrored_scans.round`,
);

/**
 * Deletes in batches, so that no statement takes long.
 * @param stale only those that no pass since has met; all by default
 * @returns how many
 */
export async function deleteScans(
  db: Kysely<Schema>,
  mirrorId: number,
  { stale, before }: { readonly stale?: number; readonly before?: number } = {},
): Promise<number> {
  let deleted = 0;
  for (let from: string | undefined = ''; from !== undefined; await nextTurn()) {
    const next: { scan_id: string } | undefined = await db
      .selectFrom('mirrored_scans')
      .select('scan_id')
      .where('mirror_id', '=', mirrorId)
      .where('scan_id', '>=', from)
      .orderBy('scan_id')
      .offset(deletedAtOnce)
      .limit(1)
      .executeTakeFirst();
    const to: string | undefined = next?.scan_id;
    const { numDeletedRows } = await db
      .deleteFrom('mirrored_scans')
      .where('mirror_id', '=', mirrorId)
      .where('scan_id', '>=', from)
      .$if(to !== undefined, (query) => query.where('scan_id', '<', to ?? ''))
      .$if(stale !== undefined, (query) => query.where('round', '<', stale ?? 0))
      .$if(before !== undefined, (query) => query.where('at', '<', before ?? 0))
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
    from = to;
  }
  return deleted;
}

/** The values' keys as one parameter. */
const findScannedOnPostgres = {
  name: 'find_scanned_values',
  text: `select n::int as n from json_array_elements_text($1::json) with ordinality as input (key, n)
    where exists (select 1 from mirrored_scans as held
      where held.mirror_id = $2 and held.key = input.key and held.round >= $3)`,
};

export function createAccountScans({ db, reads }: Pick<Store, 'db' | 'reads'>): AccountScans {
  /** The places, from 1, of the keys that there are. */
  const findScanned = async (input: string, mirrorId: number, round: number): Promise<readonly { n: number }[]> => {
    if (reads) {
      return await reads.all<{ n: number }>(findScannedOnPostgres, [input, mirrorId, round]);
    }
    const { rows } = await sql<{ n: number }>`select input.key + 1 as n from json_each(${input}) as input
      where exists (select 1 from mirrored_scans as held
        where held.mirror_id = ${mirrorId} and held.key = input.value and held.round >= ${round})`.execute(db);
    return rows;
  };

  const idsOf = async (mirrorId: number, value: string): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('mirrored_scans')
      .select('scan_id')
      .where('mirror_id', '=', mirrorId)
      .where('key', '=', indexed(value))
      .execute();
    return rows.map(({ scan_id }) => scan_id);
  };

  return {
    async ofValue({ id, round }, value, most) {
      const rows = await db
        .selectFrom('mirrored_scans')
        .select(['scan_id', 'record', 'round'])
        .where('mirror_id', '=', id)
        .where('key', '=', indexed(value))
        .orderBy('at', 'desc')
        .limit(most + 1)
        .execute();
      const records = rows.slice(0, most).map(({ record }) => readScan(record));
      return {
        scans: records.sort(newestFirst),
        complete: rows.length <= most,
        missed: rows.some((row) => row.round < round),
      };
    },

    async spellings(mirrorId, value) {
      const wanted = indexed(value);
      const key = sql<string>`key`;
      const next = async (after: string) => {
        const row = await db
          .selectFrom('mirrored_scans')
          .select('key')
          .where('mirror_id', '=', mirrorId)
          .where(sql<boolean>`lower(key) = ${asciiLower(wanted)}`)
          .where(sql<boolean>`substr(key, 1, 1) = '='`)
          .where(isMixedCase(key))
          .where('key', '>', after)
          .orderBy('key')
          .limit(1)
          .executeTakeFirst();
        return row?.key;
      };
      return (await readDistinct(next, mostSpellings)).map((found) => found.slice(1));
    },

    walk: (mirrorId, walk) => walkMirroredScans(db, mirrorId, walk),

    async withIds(mirrorId, ids) {
      const rows = await db
        .selectFrom('mirrored_scans')
        .select('record')
        .where('mirror_id', '=', mirrorId)
        .where('scan_id', 'in', [...new Set(ids)])
        .execute();
      return rows.map(({ record }) => readBrief(record));
    },

    async scanned({ id, round }, values) {
      const rows = await findScanned(JSON.stringify(values.map(indexed)), id, round);
      return new Set(rows.map(({ n }) => values[n - 1]!));
    },

    async put(trx, mirrorId, round, scans) {
      await putScans(
        trx,
        [...new Map(scans.map((each) => [each.scan.id, each])).values()].map(({ scan, at, modifiedAt }) => ({
          ...{ mirror_id: mirrorId, scan_id: scan.id, key: indexed(scan.value), at },
          ...{ modified_at: modifiedAt, record: JSON.stringify(scan), round },
        })),
      );
    },
    delete: deleteByIds,

    async keepOnly(mirrorId, value, ids) {
      const stay = new Set(ids);
      const stored = await idsOf(mirrorId, value);
      await deleteByIds(
        db,
        mirrorId,
        stored.filter((id) => !stay.has(id)),
      );
    },

    async forgetValue(mirrorId, value) {
      const stored = await idsOf(mirrorId, value);
      await deleteByIds(db, mirrorId, stored);
      return stored.length;
    },

    deleteStale: (mirrorId, keep) => deleteScans(db, mirrorId, { stale: keep }),
    deleteBefore: (mirrorId, at) => deleteScans(db, mirrorId, { before: at }),
    deleteAll: (mirrorId) => deleteScans(db, mirrorId),
  };
}

async function deleteByIds(db: Kysely<Schema>, mirrorId: number, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += deletedAtOnce) {
    await db
      .deleteFrom('mirrored_scans')
      .where('mirror_id', '=', mirrorId)
      .where('scan_id', 'in', ids.slice(from, from + deletedAtOnce))
      .execute();
  }
}

/** As the account orders them: by time, then by id. */
function newestFirst(one: RecordedScan, other: RecordedScan): number {
  if (one.timestamp !== other.timestamp) {
    return one.timestamp < other.timestamp ? 1 : -1;
  }
  return one.id.length === other.id.length ? (one.id < other.id ? 1 : -1) : other.id.length - one.id.length;
}
