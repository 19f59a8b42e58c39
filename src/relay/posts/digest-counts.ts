/** Counts of the scans in a digest or under a thread parent, by result code and service. Never stored. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { createScanStore, type ScanRecord } from '../../scans/received/received-scan-rows.js';
import { type ReceivedGroup, tallyReceived } from '../../scans/received/tally.js';

export interface Tally {
  readonly scans: number;
  /** The scans counted by result code and service; the groups together are all scans. */
  readonly groups: readonly ReceivedGroup[];
  /** The first alarms in the digest or thread with their details, in order of acceptance. */
  readonly alarms: readonly { readonly key: string; readonly detail: string | null }[];
}

export function createDigestCountStore(db: Kysely<Schema>) {
  const scans = createScanStore(db);
  return {
    /** The scans of the digest (`digest_key`) or under the thread parent (`parent_key`) with this key. */
    async tally(column: 'digest_key' | 'parent_key', key: string): Promise<Tally> {
      const posts = db.selectFrom('outbox').select('scan_id').where(column, '=', key).where('kind', '=', 'scan');
      const groups = await tallyReceived(db, posts.$castTo<{ scan_id: string }>());
      const alarms = await db
        .selectFrom('outbox')
        .select(['key', 'detail'])
        .where(column, '=', key)
        .where('kind', 'in', ['burst', 'silence'])
        .orderBy('seq')
        .limit(alarmsAtMost)
        .execute();
      return { scans: groups.reduce((sum, { count }) => sum + count, 0), groups, alarms };
    },

    /** The first scans of a digest, in order of acceptance. */
    async firstOf(digest: string, maxScans: number): Promise<readonly ScanRecord[]> {
      const rows = await db
        .selectFrom('outbox')
        .select('scan_id')
        .where('digest_key', '=', digest)
        .where('kind', '=', 'scan')
        .orderBy('seq')
        .limit(maxScans)
        .execute();
      const foundScans = await Promise.all(rows.map(({ scan_id: id }) => scans.find(id ?? '')));
      return foundScans.filter((scan) => scan !== undefined);
    },
  };
}

const alarmsAtMost = 100;
