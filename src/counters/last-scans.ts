/** The time of a device's or a service's last scan, in its counter. */
import type { Transaction } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema, SilencesTable } from '../database/schema.js';
import { countKey } from './counters.js';

export async function lastScanAt(
  trx: Transaction<Schema>,
  { relay_id, subject, subject_id }: Pick<SilencesTable, 'relay_id' | 'subject' | 'subject_id'>,
): Promise<number | undefined> {
  const key = countKey(subject, { tid: '', udid: subject_id, sid: subject_id });
  const row = await trx
    .selectFrom('counters')
    .select('last_at')
    .where(equal({ relay_id, subject, key: key ?? '' }))
    .executeTakeFirst();
  return row?.last_at;
}

/** Sets last scans with a time in the future to now, after the clock was set back. */
export async function setLastScansBack(trx: Transaction<Schema>, relayId: string, now: number): Promise<void> {
  await trx
    .updateTable('counters')
    .set({ last_at: now })
    .where('relay_id', '=', relayId)
    .where('subject', 'in', ['device', 'service'])
    .where('last_at', '>', now)
    .execute();
}
