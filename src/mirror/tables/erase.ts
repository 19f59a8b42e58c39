/**
 * The erasure of mirrors with the installation, or the team, whose account they are of. What they hold is no longer read
 * once their rows are deleted; it is deleted after that, in slices.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { deleteScans } from '../../scans/account/table.js';
import type { EraseHook } from '../../workspaces/types.js';
import { forgetChanges, type Parent, sweepChanges } from './changes.js';
import { deleteStaleValues } from './values.js';

type Child = 'mirrored_scans' | 'mirrored_values';

export const eraseMirrors: EraseHook = async (installation, trx, team) => {
  const gone = { installation, ...(team === undefined ? {} : { team }) };
  const drop = async (parent: Parent): Promise<readonly number[]> => {
    const rows = await trx
      .deleteFrom(parent)
      .where((eb) => eb.and(gone))
      .returning('id')
      .execute();
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

/** Deletes values and scans that belong to no mirror: somebody died while it was deleted. */
export async function sweepOrphans(db: Kysely<Schema>): Promise<void> {
  for await (const id of orphans(db, 'mirrored_values', 'mirrored_databases')) {
    await deleteStaleValues(db, id);
  }
  for await (const id of orphans(db, 'mirrored_scans', 'mirrors')) {
    await deleteScans(db, id);
  }
  await sweepChanges(db);
}

/** From one mirror to the next by the index, however much each holds. */
async function* orphans(db: Kysely<Schema>, child: Child, parent: Parent): AsyncGenerator<number> {
  for (let last = 0; ; ) {
    const next = await db
      .selectFrom(child)
      .select('mirror_id')
      .where('mirror_id', '>', last)
      .orderBy('mirror_id')
      .limit(1)
      .executeTakeFirst();
    if (!next) {
      return;
    }
    last = next.mirror_id;
    const row = await db.selectFrom(parent).select('id').where('id', '=', last).executeTakeFirst();
    if (!row) {
      yield last;
    }
  }
}
