/**
 * The deletion of a removed relay's counters, admissions and secrets, in slices. The relay's row stays, so that scans
 * and posts have its name.
 */
import type { Clock } from '../../clock.js';
import { eraseCounts } from '../../counters/erase-counts.js';
import { createPace, type Purge } from '../../database/pace.js';
import type { Store } from '../../workspaces/types.js';

const leftTables = ['counters', 'admissions', 'relay_secrets'] as const;

export function createRemovedRelayPurge(store: Pick<Store, 'db' | 'kind'>, clock: Clock): Purge {
  return async (signal) => {
    const removedRelays = await store.db
      .selectFrom('relays')
      .select('id')
      .where('removed_at', 'is not', null)
      .where((eb) =>
        eb.or(
          leftTables.map((table) =>
            eb.exists(eb.selectFrom(table).select(`${table}.relay_id`).whereRef(`${table}.relay_id`, '=', 'relays.id')),
          ),
        ),
      )
      .execute();
    const pace = createPace(store, clock, signal);
    for (const { id } of removedRelays) {
      await eraseCounts(pace, id);
      await store.db.deleteFrom('relay_secrets').where('relay_id', '=', id).execute();
    }
  };
}
