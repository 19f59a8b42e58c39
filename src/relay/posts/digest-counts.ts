/**
 * Counts of the scans in a digest or under a thread parent, by result code and service. Computed on each read, never
 * stored.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { type ScanRecord, toScan } from '../../scans/received/table.js';

export interface Tally {
  readonly scans: number;
  /** The scans by result code and service; together they are all. */
  readonly groups: readonly {
    readonly valid: boolean;
    readonly finding?: string;
    readonly serviceId?: string;
    readonly count: number;
  }[];
  /** Details of the alarms among them, in order. */
  readonly alarms: readonly {
    readonly key: string;
    readonly kind: 'burst' | 'silence';
    readonly detail: string | undefined;
  }[];
}

export interface DigestCountStore {
  digest(key: string): Promise<Tally>;
  thread(key: string): Promise<Tally>;
  /** The first scans of a digest, in order of acceptance. */
  firstOf(digest: string, limit: number): Promise<readonly ScanRecord[]>;
}

type Column = 'digest_key' | 'parent_key';

export function createDigestCountStore(db: Kysely<Schema>): DigestCountStore {
  const tally = async (column: Column, key: string): Promise<Tally> => {
    const groups = await db
      .selectFrom('outbox')
      .innerJoin('received_scans as scans', 'scans.id', 'outbox.scan_id')
      .select((eb) => ['scans.valid', 'scans.finding', 'scans.sid', eb.fn.countAll().as('count')])
      .where(`outbox.${column}`, '=', key)
      .where('outbox.kind', '=', 'scan')
      .groupBy(['scans.valid', 'scans.finding', 'scans.sid'])
      .execute();
    const alarms = await db
      .selectFrom('outbox')
      .select(['key', 'kind', 'detail'])
      .where(column, '=', key)
      .where('kind', 'in', ['burst', 'silence'])
      .orderBy('seq')
      .limit(alarmsAtMost)
      .execute();
    return {
      scans: groups.reduce((sum, { count }) => sum + Number(count), 0),
      groups: groups.map(({ valid, finding, sid, count }) => ({
        valid: valid === 1,
        ...(finding === null ? {} : { finding }),
        ...(sid === null ? {} : { serviceId: sid }),
        count: Number(count),
      })),
      alarms: alarms.map(({ key, kind, detail }) => ({
        ...{ key, kind: kind as 'burst' | 'silence', detail: detail ?? undefined },
      })),
    };
  };

  return {
    digest: (key) => tally('digest_key', key),
    thread: (key) => tally('parent_key', key),

    async firstOf(digest, limit) {
      const rows = await db
        .selectFrom('outbox')
        .innerJoin('received_scans as scans', 'scans.id', 'outbox.scan_id')
        .innerJoin('relays', 'relays.id', 'outbox.relay_id')
        .selectAll('scans')
        .select(['relays.installation', 'relays.team'])
        .where('outbox.digest_key', '=', digest)
        .where('outbox.kind', '=', 'scan')
        .orderBy('outbox.seq')
        .limit(limit)
        .execute();
      return rows.map((row) => toScan(row, row));
    },
  };
}

const alarmsAtMost = 100;
