/** Writes of a commit's counts. */
import { type BulkPart, bulkStatement } from '../database/bulk.js';
import { insertAdmissions } from './admissions.js';
import type { AdmissionRow, CounterRow } from './counter.js';

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

const putCounters = bulkStatement(
  counterColumns,
  ({ input }) => `
    insert into counters (${counterNames}) select ${counterNames} from ${input} where true
    on conflict (relay_id, subject, key) do update set seen = excluded.seen, first_at = excluded.first_at,
      last_at = excluded.last_at, accepted = excluded.accepted, last_accepted_at = excluded.last_accepted_at`,
);

export function counterWrites(
  counters: readonly CounterRow[],
  admissions: readonly AdmissionRow[],
): readonly BulkPart[] {
  return [putCounters.with(counters.map(toCounter)), insertAdmissions.with(admissions.map(toAdmission))];
}

function toCounter({ relayId, subject, key, seen, firstAt, lastAt, accepted, lastAcceptedAt }: CounterRow) {
  const moments = { first_at: firstAt, last_at: lastAt, last_accepted_at: lastAcceptedAt };
  return { relay_id: relayId, subject, key, seen, accepted, ...moments };
}

function toAdmission({ relayId, subject, key, at, scanId }: AdmissionRow) {
  return { relay_id: relayId, subject, key, at, scan_id: scanId };
}
