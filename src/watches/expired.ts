/** The deletion of expired watches and mutes, in slices: they hold barcodes. */
import type { Clock } from '../clock.js';
import { createPace, type Purge } from '../database/pace.js';
import type { Store } from '../workspaces/types.js';

export function createWatchPurge(store: Pick<Store, 'db' | 'kind'>, clock: Clock): Purge {
  return async (stopping) => {
    const pace = createPace(store, clock, stopping);
    for (const table of ['watches', 'mutes'] as const) {
      const now = clock.now();
      if (await store.db.selectFrom(table).select('id').where('until', '<=', now).limit(1).executeTakeFirst()) {
        await pace.repeat(async (trx, limit) => {
          const { numDeletedRows } = await trx
            .deleteFrom(table)
            .where('until', '<=', now)
            .where('id', 'in', (eb) => eb.selectFrom(table).select('id').where('until', '<=', now).limit(limit))
            .executeTakeFirstOrThrow();
          return numDeletedRows > 0n;
        });
      }
    }
  };
}
