/** The deletion of expired keyv entries, a batch at a time: some hold barcodes, and nothing else would remove them. */
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.js';
import type { Purge } from './pace.js';
import type { Schema } from './schema.js';

const batch = 500;

export function createRecordPurge({ db }: { readonly db: Kysely<Schema> }, clock: Clock): Purge {
  return async (stop) => {
    const now = clock.now();
    for (let hasMore = true; hasMore && !stop.aborted; ) {
      hasMore = (await pruneExpired(db, now, batch)) === batch;
    }
  };
}

/** Deletes at most one batch of expired keys, the longest expired first; returns the count. */
export async function pruneExpired(db: Kysely<Schema>, now: number, batch: number): Promise<number> {
  const result = await db
    .deleteFrom('keyv')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('namespace', 'key'),
        'in',
        selectFrom('keyv')
          .select(['namespace', 'key'])
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(batch)
          .$asTuple('namespace', 'key'),
      ),
    )
    // A row that was written again since it was selected stays.
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
