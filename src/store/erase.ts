/**
 * Owns forgetting an installation: everything of it and of all its teams, in one transaction, and nothing when the event
 * that led here is older than the installation.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { installationNamespace, installationShape, isBeforeInstallation } from './installations.js';
import { checkedId, readJson } from './records.js';
import type { Schema } from './schema.js';
import type { EraseHook, Store, StoreKind } from './types.js';

export function createErase(deps: {
  db: Kysely<Schema>;
  kind: StoreKind;
  hooks: readonly EraseHook[];
}): Store['eraseInstallation'] {
  return async (installationId, eventAt) => {
    checkedId(installationId);
    return await deps.db.transaction().execute(async (trx) => {
      if (eventAt !== undefined && (await installedAfter(trx, deps.kind, installationId, eventAt))) {
        return false;
      }
      for (const hook of deps.hooks) {
        await hook(installationId, trx);
      }
      await trx
        .deleteFrom('keyv')
        .where((eb) =>
          eb.or([
            eb('key', '=', installationId),
            // From `T1:` to before `T1;`, the next character after the colon.
            eb.and([eb('key', '>=', `${installationId}:`), eb('key', '<', `${installationId};`)]),
          ]),
        )
        .execute();
      return true;
    });
  };
}

async function installedAfter(trx: Transaction<Schema>, kind: StoreKind, id: string, eventAt: number) {
  const row = await trx
    .selectFrom('keyv')
    .select('value')
    .where('namespace', '=', installationNamespace)
    .where('key', '=', id)
    // So that an installation that is just being made again waits, or is seen. SQLite's transactions are alone anyway.
    .$if(kind === 'postgres', (query) => query.modifyEnd(sql`for update`))
    .executeTakeFirst();
  const installedAt = row && installedAtOf(row.value);
  return installedAt !== undefined && isBeforeInstallation(eventAt, installedAt);
}

/** Undefined for a record that nobody can read: it holds nothing worth keeping against an event. */
function installedAtOf(text: string): number | undefined {
  try {
    return readJson(z.object({ value: installationShape }), text, 'installation').value.installedAt;
  } catch {
    return undefined;
  }
}
