/**
 * The account's scans as they are mirrored: read by barcode, written and deleted in batches that never block the event
 * loop for long. An older state never replaces a newer one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { accountTime } from '../../codereadr/account-time.js';
import { sameSpelling } from '../../codereadr/barcode-equality.js';
import type { RecordedScan } from '../../codereadr/types.js';
import { bulkStatement } from '../../database/bulk.js';
import { chunksOf } from '../../database/chunks.js';
import type { Schema } from '../../database/schema.js';
import type { Store } from '../../workspaces/types.js';
import { scanKey } from '../key.js';
import { markDeleted, markRecorded } from '../marks.js';
import { readingMoment } from '../moment.js';
import { readScan } from './record.js';

export interface DatedScan {
  readonly scan: RecordedScan;
  /** When the scan counts as made, in milliseconds; below, when it was changed. */
  readonly at: number;
  readonly modifiedAt: number;
}

const idsAtOnce = 500;

/** The round of a scan that the answer for its barcode lacked: it is deleted, or of a value that reads alike. */
export const otherText = 0;

const columns = 'connection, scan_id, key, at, scanned_at, service, user_id, modified_at, record, round';

const newer = (name: string): string =>
  `case when excluded.modified_at < account_scans.modified_at then account_scans.${name} else excluded.${name} end`;

const putScans = bulkStatement(
  {
    connection: 'bigint',
    scan_id: 'text',
    key: 'text',
    at: 'bigint',
    scanned_at: 'bigint',
    service: 'text',
    user_id: 'text',
    modified_at: 'bigint',
    record: 'text',
    round: 'bigint',
  } as const,
  ({ input }) => `
    insert into account_scans (${columns})
    select ${columns} from ${input}
    where true order by scan_id
    on conflict (connection, scan_id) do update set
      ${['key', 'at', 'scanned_at', 'service', 'user_id', 'record'].map((name) => `${name} = ${newer(name)}`).join(', ')},
      modified_at = ${newer('modified_at')},
      round = case when excluded.round < account_scans.round then account_scans.round else excluded.round end
    where excluded.record <> account_scans.record or excluded.round > account_scans.round`,
);

/**
 * Deletes scans in batches, so that no statement takes long.
 * @param options.beforeRound deletes only the scans that neither the pass of this number nor a later one has met
 * @returns how many
 */
export async function deleteScans(
  db: Kysely<Schema>,
  mirrorId: number,
  { beforeRound }: { readonly beforeRound?: number } = {},
): Promise<number> {
  let deletedCount = 0;
  const deleteRange = (trx: Kysely<Schema>, { from, to }: { readonly from: string; readonly to?: string }) =>
    trx
      .deleteFrom('account_scans')
      .where('connection', '=', mirrorId)
      .where('scan_id', '>=', from)
      .$if(to !== undefined, (query) => query.where('scan_id', '<', to ?? ''))
      .$if(beforeRound !== undefined, (query) => query.where('round', '<', beforeRound ?? 0))
      .executeTakeFirstOrThrow();
  for await (const batch of batches(db, mirrorId)) {
    const { numDeletedRows } =
      beforeRound === undefined
        ? await deleteRange(db, batch)
        : await db.transaction().execute(async (trx) => {
            const { from, to } = batch;
            const upTo = to === undefined ? sql`` : sql`and scan_id < ${to}`;
            await markDeleted(trx, mirrorId, sql`scan_id >= ${from} ${upTo} and account_scans.round < ${beforeRound}`);
            return await deleteRange(trx, batch);
          });
    deletedCount += Number(numDeletedRows);
  }
  return deletedCount;
}

/** The scans of a connection in ranges of `idsAtOnce`, in the order of their ids. */
async function* batches(db: Kysely<Schema>, mirrorId: number): AsyncGenerator<{ from: string; to?: string }> {
  for (let firstId: string | undefined = ''; firstId !== undefined; await nextTurn()) {
    const nextRow: { scan_id: string } | undefined = await db
      .selectFrom('account_scans')
      .select('scan_id')
      .where('connection', '=', mirrorId)
      .where('scan_id', '>=', firstId)
      .orderBy('scan_id')
      .offset(idsAtOnce)
      .limit(1)
      .executeTakeFirst();
    yield { from: firstId, ...(nextRow ? { to: nextRow.scan_id } : {}) };
    firstId = nextRow?.scan_id;
  }
}

/** The next connection that has scans; undefined: there is none after `after`. */
export async function nextConnection(db: Kysely<Schema>, after: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('account_scans')
    .select('connection')
    .where('connection', '>', after)
    .orderBy('connection')
    .limit(1)
    .executeTakeFirst();
  return row?.connection;
}

/** The values with their keys are passed to PostgreSQL as one parameter. */
const findScannedOnPostgres = {
  name: 'find_scanned_values',
  text: `select n::int as n from json_array_elements($1::json) with ordinality as input (scan, n)
    where exists (select 1 from account_scans as held where held.connection = $2 and held.key = input.scan ->> 'key'
      and held.record::json ->> 'value' = input.scan ->> 'value' and held.round >= $3)`,
};

export function createAccountScans({ db, reads }: Pick<Store, 'db' | 'reads'>) {
  /** The places, from 1, of the values that were scanned. */
  const findScanned = async (input: string, mirrorId: number, round: number): Promise<readonly { n: number }[]> => {
    if (reads) {
      return await reads.all<{ n: number }>(findScannedOnPostgres, [input, mirrorId, round]);
    }
    const { rows } = await sql<{ n: number }>`select input.key + 1 as n from json_each(${input}) as input
      where exists (select 1 from account_scans as held
        where held.connection = ${mirrorId} and held.key = input.value ->> 'key'
          and held.record ->> 'value' = input.value ->> 'value' and held.round >= ${round})`.execute(db);
    return rows;
  };

  const idsOf = async (mirrorId: number, value: string): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom('account_scans')
      .select(['scan_id', 'record'])
      .where('connection', '=', mirrorId)
      .where('key', '=', scanKey(value))
      .execute();
    return rows.filter(({ record }) => sameSpelling(value, readScan(record).value)).map(({ scan_id }) => scan_id);
  };

  return {
    /** Which of the values were scanned, by scans that the last complete pass met. One query. */
    async scanned(
      { id, round }: { readonly id: number; readonly round: number },
      values: readonly string[],
    ): Promise<ReadonlySet<string>> {
      const rows = await findScanned(
        JSON.stringify(values.map((value) => ({ key: scanKey(value), value }))),
        id,
        round,
      );
      return new Set(rows.map(({ n }) => values[n - 1]!));
    },

    /** Stores scans in a transaction; of two rows with one id the last one is stored. */
    async put(trx: Transaction<Schema>, mirrorId: number, round: number, scans: readonly DatedScan[]): Promise<void> {
      const last = new Map(scans.map((each) => [each.scan.id, each]));
      const rows = [...last.values()].map((each) => toRow(mirrorId, round, each));
      await markRecorded(trx, mirrorId, rows);
      await putScans(trx, rows);
    },
    async delete(db: Kysely<Schema>, mirrorId: number, ids: readonly string[]): Promise<void> {
      for (const chunk of chunksOf(ids, idsAtOnce)) {
        await markDeleted(db, mirrorId, sql`scan_id in (${sql.join(chunk)})`);
      }
      await deleteByIds(db, mirrorId, ids);
    },

    /** Records that the account has these scans of a value and no others: the rest is marked as of another text. */
    async markOthers(mirrorId: number, value: string, ids: readonly string[]): Promise<void> {
      const known = new Set(ids);
      const others = (await idsOf(mirrorId, value)).filter((id) => !known.has(id));
      for (const chunk of chunksOf(others, idsAtOnce)) {
        await db
          .updateTable('account_scans')
          .set({ round: otherText })
          .where('connection', '=', mirrorId)
          .where('scan_id', 'in', chunk)
          .execute();
      }
    },

    /** Deletes the scans of a barcode; returns how many. */
    async forgetValue(mirrorId: number, value: string): Promise<number> {
      const stored = await idsOf(mirrorId, value);
      await deleteByIds(db, mirrorId, stored);
      return stored.length;
    },

    /** Deletes the scans that neither pass number `round` nor a later one has met. */
    deleteStale: (mirrorId: number, round: number): Promise<number> =>
      deleteScans(db, mirrorId, { beforeRound: round }),
    /** Whether a scan is stored that neither pass number `round` nor a later one has met. */
    async hasStale(mirrorId: number, round: number): Promise<boolean> {
      for await (const { from, to } of batches(db, mirrorId)) {
        const row = await db
          .selectFrom('account_scans')
          .select('scan_id')
          .where('connection', '=', mirrorId)
          .where('scan_id', '>=', from)
          .$if(to !== undefined, (query) => query.where('scan_id', '<', to ?? ''))
          .where('round', '<', round)
          .limit(1)
          .executeTakeFirst();
        if (row) {
          return true;
        }
      }
      return false;
    },
    /** Deletes scans made before a moment, the oldest first. A range of ids would read all scans of that age. */
    async deleteBefore(mirrorId: number, at: number): Promise<number> {
      for (let deleted = 0; ; await nextTurn()) {
        const { numDeletedRows } = await db
          .deleteFrom('account_scans')
          .where('connection', '=', mirrorId)
          .where('scan_id', 'in', ({ selectFrom }) =>
            selectFrom('account_scans')
              .select('scan_id')
              .where('connection', '=', mirrorId)
              .where('at', '<', at)
              .orderBy('at')
              .limit(idsAtOnce),
          )
          .executeTakeFirstOrThrow();
        deleted += Number(numDeletedRows);
        if (numDeletedRows < idsAtOnce) {
          return deleted;
        }
      }
    },
    deleteAll: (mirrorId: number): Promise<number> => deleteScans(db, mirrorId),
  };
}

/**
 * A scan of the account with its times. One without a plausible time counts as made when the account received or
 * changed it. A time of change in the future counts as now: otherwise a pass would leave out all changes until then.
 */
export function dated(scan: RecordedScan, now: number): DatedScan {
  const received = accountTime(scan.timestampReceived ?? '');
  const changed = Math.max(accountTime(scan.timestampModified ?? '') ?? 0, received ?? 0);
  const modifiedAt = Math.min(changed, now);
  const { timestampReceived: _, timestampModified: __, ...shown } = scan;
  const at = readingMoment(accountTime(scan.timestamp), received ?? (modifiedAt || now));
  return { scan: shown, at, modifiedAt };
}

export function toRow(connection: number, round: number, { scan, at, modifiedAt }: DatedScan) {
  return {
    connection,
    scan_id: scan.id,
    key: scanKey(scan.value),
    at,
    scanned_at: accountTime(scan.timestamp) ?? null,
    service: scan.service.id,
    user_id: scan.user.id,
    modified_at: modifiedAt,
    record: JSON.stringify(scan),
    round,
  };
}

async function deleteByIds(db: Kysely<Schema>, mirrorId: number, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids, idsAtOnce)) {
    await db.deleteFrom('account_scans').where('connection', '=', mirrorId).where('scan_id', 'in', chunk).execute();
  }
}
