/**
 * Relays that refuse scans, and whose creator has not been notified of it: at most one notice for a relay a day, and
 * only after a delay, so that its first minutes are told together.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { type RelayRecord, toRelay } from '../record/records.js';

/** A relay whose creator has been notified of refusals that began up to `notifiedAt`. */
export interface RefusingRelay {
  readonly relay: RelayRecord;
  readonly notifiedAt: number;
}

const dayMs = 24 * 3_600_000;
const gatherMs = 5 * 60_000;

export function createRefusalNotices(db: Kysely<Schema>) {
  return {
    /** Relays whose creator must be notified now. */
    async due(now: number): Promise<readonly RefusingRelay[]> {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('removed_at', 'is', null)
        // Without the app in the workspace there is no token to send the notice with.
        .where((eb) => eb.or([eb('paused_why', 'is', null), eb('paused_why', '<>', 'uninstalled')]))
        .where((eb) => eb.or([eb('refused_notified_at', 'is', null), eb('refused_notified_at', '<=', now - dayMs)]))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('relay_refusals')
              .select('relay_refusals.code')
              .whereRef('relay_refusals.relay_id', '=', 'relays.id')
              .where('relay_refusals.first_at', '<=', now - gatherMs)
              .where('relay_refusals.first_at', '>', eb.fn.coalesce('relays.refused_notified_at', sql.lit(0))),
          ),
        )
        .execute();
      return rows.map((row) => ({ relay: toRelay(row), notifiedAt: row.refused_notified_at ?? 0 }));
    },

    /** Records that the creator was notified at `at`, unless another instance did so meanwhile. */
    async sent({ relay: { id }, notifiedAt }: RefusingRelay, at: number): Promise<void> {
      await db
        .updateTable('relays')
        .set({ refused_notified_at: at })
        .where('id', '=', id)
        .where((eb) => eb(eb.fn.coalesce('refused_notified_at', sql.lit(0)), '=', notifiedAt))
        .execute();
    },
  };
}
