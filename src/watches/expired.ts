/** Expired watches and mutes, deleted in slices: they hold barcodes. */
import type { Clock } from '../clock.js';
import { createPace } from '../database/pace.js';
import type { Store } from '../workspaces/types.js';

export interface ExpiredWatches {
  /** Deletes until none is left or `stop` ends it. */
  purge(stop: AbortSignal): Promise<void>;
}

export function createExpiredWatches(store: Pick<Store, 'db' | 'kind'>, clock: Clock): ExpiredWatches {
  return {
    async purge(stop) {
      const pace = createPace(store, clock, stop);
      for (const table of ['watches', 'mutes'] as const) {
        const now = clock.now();
        const any = await store.db.selectFrom(table).select('id').where('until', '<=', now).limit(1).executeTakeFirst();
        for (let more = any !== undefined; more && !stop.aborted; ) {
          more = await pace.slice(async (trx, limit) => {
            const { numDeletedRows } = await trx
              .deleteFrom(table)
              .where('until', '<=', now)
              .where('id', 'in', (eb) => eb.selectFrom(table).select('id').where('until', '<=', now).limit(limit))
              .executeTakeFirstOrThrow();
            return numDeletedRows > 0n;
          });
        }
      }
    },
  };
}
