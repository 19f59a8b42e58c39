/**
 * Owns the change of the sealing key: what an older key sealed is sealed again with the first one, so that after one
 * start with both keys the old one can go.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Log } from '../log.js';
import { installationContext, installationNamespace, installationShape } from './installations.js';
import { apiKeyContext, connectionKeySuffix, connectionShape, workspaceNamespace } from './settings.js';
import type { SealContext, Sealer } from './types.js';

const rowsAtOnce = 200;

/** Gives the text back sealed with the first key. @throws StoreError `store.seal_broken` */
type SealAgain = (sealed: string, context: SealContext) => string;

/** A kind of stored record with sealed texts in it that last. What lives for minutes alone need not be named. */
export interface SealedKind {
  /** Of keyv. */
  readonly namespace: string;
  /** Only records whose keys end so. */
  readonly keySuffix?: string;
  /** The record with each sealed text given back by `again`. Throws for what is no such record. */
  reseal(key: string, record: unknown, again: SealAgain): unknown;
}

export const ownKinds: readonly SealedKind[] = [
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

export interface ResealReport {
  /** Records sealed again with the first key. */
  readonly resealed: number;
  /** Records that do not open or are no records; each is in the log and stays as it is: the rest must not wait for it. */
  readonly unreadable: number;
}

interface ResealDeps {
  readonly db: Kysely<Schema>;
  readonly sealer: Sealer;
  readonly log: Log;
  /** What other rooms have sealed in keyv. */
  readonly kinds?: readonly SealedKind[];
}

export async function resealAll(deps: ResealDeps, page = rowsAtOnce): Promise<ResealReport> {
  const count = { resealed: 0, unreadable: 0, current: 0 };
  for (const kind of [...ownKinds, ...(deps.kinds ?? [])]) {
    let after = '';
    for (;;) {
      const rows = await deps.db
        .selectFrom('keyv')
        .select(['key', 'value'])
        .where('namespace', '=', kind.namespace)
        .where('key', '>', after)
        .orderBy('key')
        .limit(page)
        .execute();
      for (const row of rows.filter(({ key }) => key.endsWith(kind.keySuffix ?? ''))) {
        count[await reseal(deps, kind, row)]++;
      }
      if (rows.length < page) {
        break;
      }
      after = rows.at(-1)?.key ?? after;
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
    let old = 0;
    const again: SealAgain = (sealed, context) => {
      if (sealer.isCurrent(sealed)) {
        return sealed;
      }
      old += 1;
      return sealer.seal(sealer.open(sealed, context), context);
    };
    const { value: record } = readJson(z.object({ value: z.unknown() }), row.value, kind.namespace);
    const value = kind.reseal(row.key, record, again);
    if (old === 0) {
      return 'current';
    }
    const result = await db
      .updateTable('keyv')
      .set({ value: JSON.stringify({ value }) })
      .where('namespace', '=', kind.namespace)
      .where('key', '=', row.key)
      // Changed meanwhile: whoever changed it sealed it with the new key.
      .where('value', '=', row.value)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n ? 'resealed' : 'current';
  } catch (error) {
    log.warn({ err: error, namespace: kind.namespace, key: row.key }, 'a sealed record could not be sealed again');
    return 'unreadable';
  }
}
