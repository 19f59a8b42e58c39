/**
 * Optimistic updates of one keyv record: it is read, changed, and written if nobody changed it meanwhile; else retried.
 * Two instances that update a record at once both succeed.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { equal } from './equal.js';
import { StoreError } from './errors.js';
import type { Schema } from './schema.js';
import { readJson } from './stored-json.js';
import type { Revise } from './types.js';

/** The most tries: in each round, one of the concurrent writers succeeds, and no realistic load has more writers. */
const mostTries = 100;

const storedSchema = z.object({ value: z.unknown().optional() });

export function createRevise({ db, clock }: { db: Kysely<Schema>; clock: Clock }): Revise {
  return async (namespace, key, change, { ttlMs } = {}) => {
    for (let tries = 0; tries < mostTries; tries++) {
      const row = await db
        .selectFrom('keyv')
        .select(['value', 'expires_at'])
        .where(equal({ namespace, key }))
        .executeTakeFirst();
      const isExpired = row !== undefined && row.expires_at !== null && row.expires_at <= clock.now();
      const oldValue =
        row === undefined || isExpired ? undefined : readJson(storedSchema, row.value, `${namespace} entry`).value;
      const newValue = change(oldValue);
      if (newValue === undefined && row === undefined) {
        return newValue;
      }
      if (
        await swap(
          db,
          { namespace, key, expiresAt: ttlMs === undefined ? null : clock.now() + ttlMs },
          row?.value,
          newValue === undefined ? undefined : JSON.stringify({ value: newValue }),
        )
      ) {
        return newValue;
      }
    }
    throw new StoreError('store.busy', 'a record could not be updated: it kept changing');
  };
}

/** Compares and swaps; false when the record has changed. Undefined stands for no record. */
async function swap(
  db: Kysely<Schema>,
  {
    namespace,
    key,
    expiresAt,
  }: { readonly namespace: string; readonly key: string; readonly expiresAt: number | null },
  oldJson: string | undefined,
  newJson: string | undefined,
): Promise<boolean> {
  if (oldJson === undefined) {
    const inserted = await db
      .insertInto('keyv')
      .values({ namespace, key, value: newJson ?? '', expires_at: expiresAt })
      .onConflict((conflict) => conflict.columns(['namespace', 'key']).doNothing())
      .executeTakeFirst();
    return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  if (newJson === undefined) {
    const deleted = await db
      .deleteFrom('keyv')
      .where(equal({ namespace, key, value: oldJson }))
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }
  const changed = await db
    .updateTable('keyv')
    .set({ value: newJson, expires_at: expiresAt })
    .where(equal({ namespace, key, value: oldJson }))
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}
