/**
 * Owns knowing at the start whether the sealing keys are those of this database: a word is kept sealed in it. Refuses to go on
 * with others, so that nobody hears of it first from a command that cannot read a token.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { StoreError } from '../database/errors.js';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import { codeOf } from '../errors.js';
import { ownKinds, type SealedKind } from './rotate-keys.js';
import type { SealContext, Sealer } from './types.js';

const namespace = 'seal-check';
const key = 'word';
const context: SealContext = { purpose: 'seal-check', installation: '', record: key };
const shape = z.object({ sealed: z.string() });
const looksEnough = 100;

/** So that the word outlives a change of the key like everything else. */
export const sealedWord: SealedKind = {
  namespace,
  reseal: (_key, record, again) => ({ sealed: again(shape.parse(record).sealed, context) }),
};

/** @throws StoreError `store.seal_key` where what is in the database was sealed with none of the keys */
export async function checkSeal(db: Kysely<Schema>, sealer: Sealer): Promise<void> {
  const word = await look(db, sealer, sealedWord);
  // A version before this one kept no word: then what it sealed has to do.
  const looks = word === 'nothing' ? await Promise.all(ownKinds.map((kind) => look(db, sealer, kind))) : [word];
  if (looks.includes('closed') && !looks.includes('open')) {
    throw new StoreError('store.seal_key', 'this database was sealed with another key');
  }
  if (word === 'nothing') {
    const value = JSON.stringify({ value: { sealed: sealer.seal('scandesk', context) } });
    await db
      .insertInto('keyv')
      .values({ namespace, key, value })
      .onConflict((conflict) => conflict.columns(['namespace', 'key']).doNothing())
      .execute();
  }
}

/** `closed`: there are some, and none of the keys opens any of those looked at. */
async function look(db: Kysely<Schema>, sealer: Sealer, kind: SealedKind): Promise<'open' | 'closed' | 'nothing'> {
  const rows = await db
    .selectFrom('keyv')
    .select(['key', 'value'])
    .where('namespace', '=', kind.namespace)
    .limit(looksEnough)
    .execute();
  const results = rows.filter(({ key }) => key.endsWith(kind.keySuffix ?? '')).map((row) => opens(sealer, kind, row));
  return results.includes(true) ? 'open' : results.includes(false) ? 'closed' : 'nothing';
}

/** Undefined: it is no such record, whatever the key. */
function opens(sealer: Sealer, kind: SealedKind, row: { key: string; value: string }): boolean | undefined {
  try {
    const { value } = readJson(z.object({ value: z.unknown() }), row.value, kind.namespace);
    kind.reseal(row.key, value, (sealed, context) => {
      sealer.open(sealed, context);
      return sealed;
    });
    return true;
  } catch (error) {
    return codeOf(error) === 'store.seal_broken' ? false : undefined;
  }
}
