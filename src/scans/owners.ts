/** The numbers of owners, by which their received scans are stored and found. */
import type { Kysely, Transaction } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';

/** The owner's number; undefined: no relay was created for the owner, or all its data was erased. */
export async function findOwner(db: Kysely<Schema>, { installation, team }: Owner): Promise<number | undefined> {
  const row = await db.selectFrom('owners').select('id').where(equal({ installation, team })).executeTakeFirst();
  return row?.id;
}

/** The owner's number; a new one where it has none. */
export async function ensureOwner(db: Kysely<Schema>, owner: Owner): Promise<number> {
  const { installation, team } = owner;
  await db
    .insertInto('owners')
    .values({ installation, team })
    .onConflict((conflict) => conflict.columns(['installation', 'team']).doNothing())
    .execute();
  const id = await findOwner(db, owner);
  if (id === undefined) {
    throw new Error(`no number for the owner ${installation} ${team}`);
  }
  return id;
}

/** Deletes the number of an owner that has no relays any more. */
export async function dropOwner(trx: Transaction<Schema>, { installation, team }: Owner): Promise<void> {
  await trx
    .deleteFrom('owners')
    .where(equal({ installation, team }))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('relays').select('id').where('installation', '=', installation).where('team', '=', team))),
    )
    .execute();
}
