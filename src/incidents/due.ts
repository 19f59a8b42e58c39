/** Incidents that are due, each with its relay in one transaction under the relay's lock: one instance works on it. */
import type { Kysely, Transaction } from 'kysely';
import { kindOf } from '../database/bulk.js';
import { isDue, workOnDue } from '../database/claims/due-rows.js';
import type { Schema } from '../database/schema.js';
import type { AlertingRelay, LockAlerting } from './alerting.js';
import { type Incident, isOfRelay, toIncident } from './incident.js';

/** Works on due incidents; returns for how many `workOn` returned true. A removed relay is passed as undefined. */
export function workOnDueIncidents<Relay extends AlertingRelay>(
  db: Kysely<Schema>,
  lock: LockAlerting<Relay>,
  { at, now }: { readonly at: 'due_at' | 'escalate_at'; readonly now: number },
  workOn: (trx: Transaction<Schema>, incident: Incident, relay: Relay | undefined) => Promise<boolean>,
): Promise<number> {
  const dueRows = { table: 'incidents', at, key: ['post_key', 'relay_id'], only: isOfRelay } as const;
  return workOnDue(db, dueRows, now, async (trx, { post_key: key, relay_id: relayId }) => {
    const relay = await lock(trx, relayId);
    const row = await trx
      .selectFrom('incidents')
      .selectAll()
      .where('post_key', '=', key)
      .where(isDue(at, now))
      .$if(kindOf(trx) === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
    return row ? await workOn(trx, toIncident(row), relay) : false;
  });
}
