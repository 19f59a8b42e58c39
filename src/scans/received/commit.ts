/**
 * Bulk statements of a commit on received scans: the writes, and the earlier scans that decide on a new one. The commit
 * holds the relays' locks.
 */
import type { Kysely } from 'kysely';
import { bulkInsert, bulkStatement } from '../../database/bulk.js';
import type { Schema } from '../../database/schema.js';
import { scanKey } from '../key.js';
import { scanColumns } from './columns.js';
import { moment, ofValue } from './of-value.js';

export const insertReceived = bulkInsert('received_scans', scanColumns);

/** Writes the additions of a second submit to a scan. */
export const completeReceived = bulkStatement(
  { id: 'text', scanid: 'text', answers: 'text', properties: 'text', raw: 'text' },
  ({ input }) => `
    update received_scans set scanid = input.scanid, answers = input.answers, properties = input.properties, raw = input.raw
    from ${input} where received_scans.id = input.id`,
);

/**
 * Finds scans by their repeat key: by the index on barcodes where the scan's moment is that of the device's clock, else
 * by the small index on the key.
 */
export const receivedByRepeatKey = bulkStatement(
  { relay_id: 'text', owner: 'bigint', key: 'text', scanned_at: 'bigint', repeat_key: 'text' },
  ({ input }) => `
    select scans.* from ${input} cross join received_scans as scans
    where scans.owner = input.owner and scans.key = input.key
      and scans.at = input.scanned_at and scans.at = scans.scanned_at
      and scans.relay_id = input.relay_id and scans.repeat_key = input.repeat_key
    union all
    select scans.* from ${input} cross join received_scans as scans
    where scans.relay_id = input.relay_id and scans.repeat_key = input.repeat_key
      and scans.repeat_key is not null and (scans.scanned_at is null or scans.at <> scans.scanned_at)`,
);

/** Finds scans by their scan id: the relay's (`own`: 1), or the account's. */
export const receivedByScanId = bulkStatement(
  { relay_id: 'text', owner: 'bigint', scanid: 'text' },
  ({ input }) => `
    select scans.*, input.scanid as input_id, 1 as own from ${input} cross join received_scans as scans
    where scans.id = input.scanid and scans.relay_id = input.relay_id
    union all
    select scans.*, input.scanid as input_id, 0 as own from ${input} cross join received_scans as scans
    where scans.owner = input.owner and scans.relay_id = input.relay_id
      and substr(scans.scanid, 1, 200) = substr(input.scanid, 1, 200)
      and scans.scanid = input.scanid and scans.scanid is not null`,
);

/** The most rows of one spelling that `oldestReceived` reads. */
export const mostOldest = 101;
const oldestColumns = 'scans.valid, scans.sid, scans.userid, scans.udid, scans.scanned_at_utc, scans.received_at';

/** The oldest scans of a barcode. SQLite runs the statement once a row, so that the limit applies to each row. */
export const oldestReceived = bulkStatement({ relay_id: 'text', key: 'text', tid: 'text' }, ({ kind, input }) =>
  kind === 'sqlite'
    ? `select input.n, ${oldestColumns} from ${input} cross join relays cross join received_scans as scans
        where relays.id = input.relay_id and ${ofValue} order by scans.id limit ${mostOldest}`
    : `select input.n, oldest.* from ${input} join relays on relays.id = input.relay_id
        cross join lateral (
          select ${oldestColumns} from received_scans as scans where ${ofValue} order by scans.id limit ${mostOldest}
        ) as oldest`,
);

/** Admitted scans of a barcode with an id from `least` on, received before `upto`, that count between two moments. */
export const acceptedBetween = bulkStatement(
  { relay_id: 'text', key: 'text', tid: 'text', after: 'bigint', before: 'bigint', least: 'text', upto: 'bigint' },
  ({ input }) => `
    select input.n, scans.id, ${moment} as at from ${input} cross join relays cross join received_scans as scans
    where relays.id = input.relay_id and ${ofValue} and scans.valid = 1
      and scans.id >= input.least and scans.received_at < input.upto
      and ${moment} > input.after and ${moment} < input.before`,
);

/** The number of scans of one barcode at one relay, with times in ms since the epoch. */
export interface ReceivedCount {
  readonly seen: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly accepted: number;
  readonly lastAcceptedAt: number | undefined;
}

type CountRow = Omit<ReceivedCount, 'lastAcceptedAt'> & { readonly n: number; readonly lastAcceptedAt: number | null };

const countRows = bulkStatement(
  { relay_id: 'text', key: 'text', tid: 'text' },
  ({ input }) => `
    select input.n, count(*) as seen, min(${moment}) as "firstAt", max(${moment}) as "lastAt",
      sum(scans.valid) as accepted, max(case when scans.valid = 1 then ${moment} end) as "lastAcceptedAt"
    from ${input} cross join relays cross join received_scans as scans
    where relays.id = input.relay_id and ${ofValue}
    group by input.n`,
);

/** The counts of each barcode's scans in all its spellings; a barcode without scans is left out. */
export async function countReceived<
  Barcode extends { readonly relayId: string; readonly spellings: readonly string[] },
>(trx: Kysely<Schema>, barcodes: readonly Barcode[]): Promise<ReadonlyMap<Barcode, ReceivedCount>> {
  const spelledBarcodes = barcodes.flatMap((barcode) =>
    barcode.spellings.map((tid) => ({ barcode, relay_id: barcode.relayId, key: scanKey(tid), tid })),
  );
  const counts = new Map<Barcode, ReceivedCount>();
  for (const row of await countRows<CountRow>(trx, spelledBarcodes)) {
    const { barcode } = spelledBarcodes[row.n]!;
    counts.set(barcode, mergeCounts(counts.get(barcode), row));
  }
  return counts;
}

function mergeCounts(before: ReceivedCount | undefined, row: CountRow): ReceivedCount {
  const admissions = [before?.lastAcceptedAt, row.lastAcceptedAt].flatMap((at) => at ?? []);
  return {
    seen: (before?.seen ?? 0) + row.seen,
    firstAt: Math.min(before?.firstAt ?? row.firstAt, row.firstAt),
    lastAt: Math.max(before?.lastAt ?? row.lastAt, row.lastAt),
    accepted: (before?.accepted ?? 0) + row.accepted,
    lastAcceptedAt: admissions.length === 0 ? undefined : Math.max(...admissions),
  };
}
