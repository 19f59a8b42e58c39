/**
 * The erasure of an installation's or a team's mirrors. Once a mirror's row is deleted, its values and scans are no
 * longer read; slices delete them afterwards.
 */
import type { Kysely } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { deleteScans, nextConnection } from '../../scans/account/account-scan-rows.js';
import type { EraseHook } from '../../workspaces/types.js';
import { forgetChanges, type Parent, sweepChanges } from './changes.js';
import { deleteStaleValues, nextDatabase } from './values.js';

export const eraseMirrors: EraseHook = async (installation, trx, team) => {
  const drop = async (parent: Parent): Promise<readonly number[]> => {
    const rows = await trx.deleteFrom(parent).where(equal({ installation, team })).returning('id').execute();
    return rows.map(({ id }) => id);
  };
  const [databases, mirrors] = [await drop('mirrored_databases'), await drop('mirrors')];
  for (const id of databases) {
    await forgetChanges(trx, 'values', id);
  }
  for (const id of mirrors) {
    await forgetChanges(trx, 'scans', id);
  }
  return async (db) => {
    for (const id of databases) {
      await deleteStaleValues(db, id);
    }
    for (const id of mirrors) {
      await deleteScans(db, id);
    }
  };
};

/** Deletes values and scans that belong to no mirror: a process died while it deleted them. */
export async function sweepOrphans(db: Kysely<Schema>): Promise<void> {
  for await (const id of orphans(db, (after) => nextDatabase(db, after), 'mirrored_databases')) {
    await deleteStaleValues(db, id);
  }
  for await (const id of orphans(db, (after) => nextConnection(db, after), 'mirrors')) {
    await deleteScans(db, id);
  }
  await sweepChanges(db);
}

/** Finds the ids of deleted mirrors that still have values or scans, from one id to the next by the index. */
async function* orphans(
  db: Kysely<Schema>,
  nextOf: (after: number) => Promise<number | undefined>,
  parent: Parent,
): AsyncGenerator<number> {
  for (let id = await nextOf(0); id !== undefined; id = await nextOf(id)) {
    const row = await db.selectFrom(parent).select('id').where('id', '=', id).executeTakeFirst();
    if (!row) {
      yield id;
    }
  }
}
