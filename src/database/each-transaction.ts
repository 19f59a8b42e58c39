/** Due rows, each worked in a transaction of its own: one that fails does not block those behind it. */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.js';

/**
 * Returns how many of them `work` answered true for.
 * @throws the first failure, after all of them
 */
export async function inEachTransaction<Item>(
  db: Kysely<Schema>,
  items: readonly Item[],
  work: (trx: Transaction<Schema>, item: Item) => Promise<boolean>,
): Promise<number> {
  const failures: unknown[] = [];
  let done = 0;
  for (const item of items) {
    try {
      done += (await db.transaction().execute((trx) => work(trx, item))) ? 1 : 0;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return done;
}
