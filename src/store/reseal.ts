/**
 * Owns the change of the sealing key: what an older key sealed is sealed again with the first one, so that after one
 * start with both keys the old one can go.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Log } from '../log.js';
import { installationContext, installationNamespace, installationShape } from './installations.js';
import { readJson } from './records.js';
import type { Schema } from './schema.js';
import type { SealContext, Sealer } from './types.js';
import { apiKeyContext, connectionKeySuffix, connectionShape, workspaceNamespace } from './workspaces.js';

const rowsAtOnce = 200;

/** A kind of stored record with one sealed text in it. */
interface Kind {
  readonly namespace: string;
  readonly keySuffix: string;
  readonly shape: z.ZodType<Record<string, unknown>>;
  readonly field: string;
  context(key: string): SealContext;
}

const kinds: readonly Kind[] = [
  {
    namespace: installationNamespace,
    keySuffix: '',
    shape: installationShape,
    field: 'sealed',
    context: installationContext,
  },
  {
    namespace: workspaceNamespace,
    keySuffix: connectionKeySuffix,
    shape: connectionShape,
    field: 'sealedKey',
    context: (key) => {
      const [installation = '', team = ''] = key.split(':');
      return apiKeyContext({ installation, team });
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
}

export async function resealAll(deps: ResealDeps, page = rowsAtOnce): Promise<ResealReport> {
  const count = { resealed: 0, unreadable: 0, current: 0 };
  for (const kind of kinds) {
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
      for (const row of rows.filter(({ key }) => key.endsWith(kind.keySuffix))) {
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
  kind: Kind,
  row: { key: string; value: string },
): Promise<'resealed' | 'current' | 'unreadable'> {
  try {
    const { value: record } = readJson(z.object({ value: kind.shape }), row.value, kind.namespace);
    const sealed = String(record[kind.field]);
    if (sealer.isCurrent(sealed)) {
      return 'current';
    }
    const context = kind.context(row.key);
    const again = { ...record, [kind.field]: sealer.seal(sealer.open(sealed, context), context) };
    const result = await db
      .updateTable('keyv')
      .set({ value: JSON.stringify({ value: again }) })
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
