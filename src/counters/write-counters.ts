/** Writes of a commit's counts. */
import { type BulkPart, bulkStatement } from '../database/bulk.js';
import type { AdmissionsTable } from '../database/schema.js';
import { insertAdmissions } from './admissions.js';
import type { ChangedCounter } from './counter.js';

const counterColumns = {
  relay_id: 'text',
  subject: 'text',
  key: 'text',
  seen: 'bigint',
  first_at: 'bigint',
  last_at: 'bigint',
  accepted: 'bigint',
  last_accepted_at: 'bigint',
} as const;
const counterNames = Object.keys(counterColumns).join(', ');

export const putCounters = bulkStatement(
  counterColumns,
  ({ input }) => `
    insert into counters (${counterNames}) select ${counterNames} from ${input} where true
    on conflict (relay_id, subject, key) do update set seen = excluded.seen, first_at = excluded.first_at,
      last_at = excluded.last_at, accepted = excluded.accepted, last_accepted_at = excluded.last_accepted_at`,
);

export function counterWrites(
  counters: readonly ChangedCounter[],
  admissions: readonly AdmissionsTable[],
): readonly BulkPart[] {
  return [putCounters.withRows(counters.map(toRow)), insertAdmissions.withRows(admissions)];
}

export function toRow({ name: { relayId, subject, key }, count }: ChangedCounter) {
  const { seen, firstAt, lastAt, accepted, lastAcceptedAt } = count;
  const moments = { first_at: firstAt, last_at: lastAt, last_accepted_at: lastAcceptedAt };
  return { relay_id: relayId, subject, key, seen, accepted, ...moments };
}
