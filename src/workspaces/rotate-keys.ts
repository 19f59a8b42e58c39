/** Key rotation: long-lived records are resealed with the first key. After one start with both, the old key can go. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Log } from '../log.js';
import { installationContext, installationNamespace, installationShape } from './installations.js';
import { apiKeyContext, connectionKeySuffix, connectionShape, workspaceNamespace } from './settings.js';
import type { SealContext, Sealer } from './types.js';

const rowsAtOnce = 200;

/** Returns the text sealed with the first key. @throws StoreError `store.seal_broken` */
type SealAgain = (sealed: string, context: SealContext) => string;

/** A kind of long-lived record with sealed texts in it. Records that live for minutes need not be listed. */
export interface SealedKind {
  /** The keyv namespace of the records. */
  readonly namespace: string;
  /** The ending of the keys of records that are sealed again; others are skipped. */
  readonly keySuffix?: string;
  /** The record with each sealed text passed through `again`. Throws for a malformed record. */
  reseal(key: string, record: unknown, again: SealAgain): unknown;
}

const ownKinds: readonly SealedKind[] = [
  {
    namespace: installationNamespace,
    reseal(key, record, again) {
      const installation = installationShape.parse(record);
      return { ...installation, sealed: again(installation.sealed, installationContext(key)) };
    },
  },
  {
    namespace: workspaceNamespace,
    keySuffix: connectionKeySuffix,
    reseal(key, record, again) {
      const [installation = '', team = ''] = key.split(':');
      const connection = connectionShape.parse(record);
      return { ...connection, sealedKey: again(connection.sealedKey, apiKeyContext({ installation, team })) };
    },
  },
];

interface ResealDeps {
  readonly db: Kysely<Schema>;
  readonly sealer: Sealer;
  readonly log: Log;
  /** Other kinds of records that hold sealed texts in keyv. */
  readonly kinds?: readonly SealedKind[];
}

/** Returns how many records were sealed again, and how many are malformed or do not open: these are logged and stay. */
export async function resealAll(deps: ResealDeps, rowsPerPage = rowsAtOnce) {
  const count = { resealed: 0, unreadable: 0, current: 0 };
  for (const kind of [...ownKinds, ...(deps.kinds ?? [])]) {
    let lastKey = '';
    for (;;) {
      const rows = await deps.db
        .selectFrom('keyv')
        .select(['key', 'value'])
        .where('namespace', '=', kind.namespace)
        .where('key', '>', lastKey)
        .orderBy('key')
        .limit(rowsPerPage)
        .execute();
      for (const row of rows.filter(({ key }) => key.endsWith(kind.keySuffix ?? ''))) {
        count[await reseal(deps, kind, row)]++;
      }
      if (rows.length < rowsPerPage) {
        break;
      }
      lastKey = rows.at(-1)?.key ?? lastKey;
    }
  }
  return { resealed: count.resealed, unreadable: count.unreadable };
}

async function reseal(
  { db, sealer, log }: ResealDeps,
  kind: SealedKind,
  row: { key: string; value: string },
): Promise<'resealed' | 'current' | 'unreadable'> {
  try {
    let oldCount = 0;
    const resealText: SealAgain = (sealed, context) => {
      if (sealer.isCurrent(sealed)) {
        return sealed;
      }
      oldCount += 1;
      return sealer.seal(sealer.open(sealed, context), context);
    };
    const { value: record } = readJson(z.object({ value: z.unknown() }), row.value, kind.namespace);
    const value = kind.reseal(row.key, record, resealText);
    if (oldCount === 0) {
      return 'current';
    }
    const result = await db
      .updateTable('keyv')
      .set({ value: JSON.stringify({ value }) })
      .where('namespace', '=', kind.namespace)
      .where('key', '=', row.key)
      // A record that a concurrent change has sealed with the new key already is left alone.
      .where('value', '=', row.value)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n ? 'resealed' : 'current';
  } catch (error) {
    log.warn({ err: error, namespace: kind.namespace, key: row.key }, 'a sealed record could not be resealed');
    return 'unreadable';
  }
}
