/**
 * Owns forgetting an installation, or one of its teams: in one transaction, and nothing when the event that led here is older
 * than the installation. What goes is what would let somebody in, and what people have set up: tokens, API keys, settings and
 * all else in keyv, copies of the account's databases, watches and mutes. What stays: the audit, relays (paused, with the
 * hashes of their secrets) and their counters, scans and posts, so that an installation made again finds them; see
 * relay/relays/erase.ts and, for how long scans stay, retention.ts.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../database/schema.js';
import { checkedId, readJson } from '../database/stored-json.js';
import type { StoreKind } from '../database/types.js';
import { ownerKey } from '../ownership.js';
import { installationNamespace, installationShape, isBeforeInstallation } from './installations.js';
import type { EraseHook, Store } from './types.js';

export function createErase(deps: {
  db: Kysely<Schema>;
  kind: StoreKind;
  hooks: readonly EraseHook[];
}): Pick<Store, 'eraseInstallation' | 'eraseTeam'> {
  const erase = async (installationId: string, team: string | undefined, eventAt: number | undefined) => {
    const key =
      team === undefined
        ? checkedId(installationId)
        : ownerKey({ installation: checkedId(installationId), team: checkedId(team) });
    return await deps.db.transaction().execute(async (trx) => {
      if (eventAt !== undefined && (await installedAfter(trx, deps.kind, installationId, eventAt))) {
        return false;
      }
      for (const hook of deps.hooks) {
        await hook(installationId, trx, team);
      }
      await trx
        .deleteFrom('keyv')
        .where((eb) =>
          eb.or([
            eb('key', '=', key),
            // From `T1:` to before `T1;`, the next character after the colon.
            eb.and([eb('key', '>=', `${key}:`), eb('key', '<', `${key};`)]),
          ]),
        )
        .execute();
      return true;
    });
  };
  return {
    eraseInstallation: (installationId, eventAt) => erase(installationId, undefined, eventAt),
    eraseTeam: ({ installation, team }, eventAt) => erase(installation, team, eventAt),
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
