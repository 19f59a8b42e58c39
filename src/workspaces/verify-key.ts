/**
 * The check at the start that the sealing keys match the database: they must open a sealed text stored in it. With
 * other keys the process does not start, rather than fail at the first token it cannot read.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { StoreError } from '../database/errors.js';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import { codeOf } from '../errors.js';
import type { SealedKind } from './rotate-keys.js';
import type { SealContext, Sealer } from './types.js';

const namespace = 'seal-check';
const key = 'word';
const context: SealContext = { purpose: 'seal-check', installation: '', record: key };
const sealedSchema = z.object({ sealed: z.string() });
const rowsProbed = 100;

/** The declaration of the probe, so that key rotation includes it. */
export const sealProbe: SealedKind = {
  namespace,
  reseal: (_key, record, again) => ({ sealed: again(sealedSchema.parse(record).sealed, context) }),
};

/** Checks the keys, on a new database with a new probe. @throws StoreError `store.seal_key`: no key opens the probe */
export async function verifyKey(db: Kysely<Schema>, sealer: Sealer): Promise<void> {
  const probeResult = await probe(db, sealer, sealProbe);
  if (probeResult === 'closed') {
    throw new StoreError('store.seal_key', 'this database was sealed with another key');
  }
  if (probeResult === 'nothing') {
    const value = JSON.stringify({ value: { sealed: sealer.seal('scandesk', context) } });
    await db
      .insertInto('keyv')
      .values({ namespace, key, value })
      .onConflict((conflict) => conflict.columns(['namespace', 'key']).doNothing())
      .execute();
  }
}

/** Tries the keys on records of a kind. `closed`: there are sealed records, and no key opens any of those checked. */
async function probe(db: Kysely<Schema>, sealer: Sealer, kind: SealedKind): Promise<'open' | 'closed' | 'nothing'> {
  const rows = await db
    .selectFrom('keyv')
    .select(['key', 'value'])
    .where('namespace', '=', kind.namespace)
    .limit(rowsProbed)
    .execute();
  const results = rows.filter(({ key }) => key.endsWith(kind.keySuffix ?? '')).map((row) => canOpen(sealer, kind, row));
  return results.includes(true) ? 'open' : results.includes(false) ? 'closed' : 'nothing';
}

/** Whether a key opens the record; undefined: the record is malformed under any key. */
function canOpen(sealer: Sealer, kind: SealedKind, row: { key: string; value: string }): boolean | undefined {
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
