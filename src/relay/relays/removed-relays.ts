/**
 * What a removed relay leaves behind: counters, admissions and secrets, deleted in slices. Its row stays, so that its
 * scans and posts have a name.
 */
import type { Clock } from '../../clock.js';
import { eraseSomeCounts } from '../../counters/erase-counts.js';
import { createPace } from '../../database/pace.js';
import type { Store } from '../../workspaces/types.js';

const leftTables = ['counters', 'admissions', 'relay_secrets'] as const;

export interface RemovedRelays {
  /** Deletes until nothing is left or `stop` ends it. */
  purge(stop: AbortSignal): Promise<void>;
}

export function createRemovedRelays(store: Pick<Store, 'db' | 'kind'>, clock: Clock): RemovedRelays {
  return {
    async purge(stop) {
      const removed = await store.db
        .selectFrom('relays')
        .select('id')
        .where('removed_at', 'is not', null)
        .where((eb) =>
          eb.or(
            leftTables.map((table) =>
              eb.exists(
                eb.selectFrom(table).select(`${table}.relay_id`).whereRef(`${table}.relay_id`, '=', 'relays.id'),
              ),
            ),
          ),
        )
        .execute();
      const pace = createPace(store, clock, stop);
      for (const { id: relayId } of removed) {
        for (const table of ['counters', 'admissions'] as const) {
          for (let more = true; more && !stop.aborted; ) {
            more = await pace.slice((trx, limit) => eraseSomeCounts(trx, table, { relayId }, limit));
          }
        }
        await store.db.deleteFrom('relay_secrets').where('relay_id', '=', relayId).execute();
      }
    },
  };
}
