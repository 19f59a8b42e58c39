/** Counts of received scans by relay and result within a time, and what tells single scans apart. */
import { type Kysely, sql } from 'kysely';
import { leastId } from '../../database/ids.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { utcMoment } from './table.js';

export interface ReceivedCount {
  readonly relayId: string;
  readonly valid: boolean;
  /** Result code; undefined for scans from before there were any. */
  readonly finding?: string;
  /** As it was validated before it came. */
  readonly givenStatus?: string;
  readonly scans: number;
}

export interface ReceivedIdentity {
  readonly scanId?: string;
  readonly serviceId?: string;
  readonly value: string;
  /** When the device says it was scanned, else when it came. */
  readonly at: number;
  /** The device said no time. */
  readonly undated?: boolean;
}

export interface ReceivedCounts {
  /** Of all the owner's relays, removed ones included; from `from` until before `to`. */
  counts(owner: Owner, from: number, to: number): Promise<readonly ReceivedCount[]>;
  /** The scans of these values that came since. */
  identities(owner: Owner, values: readonly string[], since: number): Promise<readonly ReceivedIdentity[]>;
}

interface CountRow {
  readonly relay_id: string;
  readonly valid: number;
  readonly finding: string | null;
  readonly given_status: string | null;
  readonly n: number | string;
}

export function createReceivedCounts(db: Kysely<Schema>): ReceivedCounts {
  return {
    async counts({ installation, team }, from, to) {
      // A cross join: SQLite then goes from the relays to each one's scans of that time, as the index has them.
      const { rows } = await sql<CountRow>`
        select s.relay_id, s.valid, s.finding, s.given_status, count(*) as n
        from relays r cross join scans s
        where r.installation = ${installation} and r.team = ${team}
          and s.relay_id = r.id and s.id >= ${leastId(from)} and s.id < ${leastId(to)}
        group by s.relay_id, s.valid, s.finding, s.given_status`.execute(db);
      return rows.map((row) => ({
        relayId: row.relay_id,
        valid: row.valid === 1,
        ...(row.finding === null ? {} : { finding: row.finding }),
        ...(row.given_status === null ? {} : { givenStatus: row.given_status }),
        scans: Number(row.n),
      }));
    },

    async identities({ installation, team }, values, since) {
      if (values.length === 0) {
        return [];
      }
      const rows = await db
        .selectFrom('scans')
        .select(['scanid', 'sid', 'tid', 'scanned_at_utc', 'received_at'])
        .where('installation', '=', installation)
        .where('team', '=', team)
        // The index holds this part of a value: see the migration.
        .where(sql<string>`substr(tid, 1, 200)`, 'in', [
          ...new Set(values.map((value) => [...value].slice(0, 200).join(''))),
        ])
        .where('id', '>=', leastId(since))
        .execute();
      return rows.map((row) => {
        const madeAt = utcMoment(row.scanned_at_utc ?? undefined);
        return {
          ...(row.scanid === null ? {} : { scanId: row.scanid }),
          ...(row.sid === null ? {} : { serviceId: row.sid }),
          ...{ value: row.tid, at: madeAt ?? row.received_at },
          ...(madeAt === undefined ? { undated: true } : {}),
        };
      });
    },
  };
}
