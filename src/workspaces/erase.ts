/**
 * The erasure of an installation, or of one of its teams; an event older than the installation is ignored. Deleted: all
 * keyv records (tokens, API keys) and what `onErase` hooks delete. Kept for some days, for a reinstallation: the audit,
 * relays (paused), counters, scans and posts; see relay/relays/erase.ts and uninstalled.ts.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { Schema } from '../database/schema.js';
import { checkedId, readJson } from '../database/stored-json.js';
import type { StoreKind } from '../database/types.js';
import { ownerKey } from '../ownership.js';
import { installationNamespace, installationShape, isBeforeInstallation } from './installations.js';
import type { EraseHook, Store } from './types.js';
import { noteUninstalled } from './uninstalled.js';

export function createErase(deps: {
  db: Kysely<Schema>;
  kind: StoreKind;
  clock: Clock;
  hooks: readonly EraseHook[];
}): Pick<Store, 'eraseInstallation' | 'eraseTeam'> {
  const erase = async (installationId: string, team: string | undefined, eventAt: number | undefined) => {
    const key =
      team === undefined
        ? checkedId(installationId)
        : ownerKey({ installation: checkedId(installationId), team: checkedId(team) });
    const laterSteps: ((db: Kysely<Schema>) => Promise<void>)[] = [];
    const erased = await deps.db.transaction().execute(async (trx) => {
      if (eventAt !== undefined && (await isInstalledAfter(trx, deps.kind, installationId, eventAt))) {
        return false;
      }
      for (const hook of deps.hooks) {
        const laterStep = await hook(installationId, trx, team);
        laterSteps.push(...(laterStep ? [laterStep] : []));
      }
      await trx
        .deleteFrom('keyv')
        .where((eb) =>
          eb.or([
            eb('key', '=', key),
            // The keys from `T1:` to before `T1;`: the semicolon is the next character after the colon.
            eb.and([eb('key', '>=', `${key}:`), eb('key', '<', `${key};`)]),
          ]),
        )
        .execute();
      const at = deps.clock.now();
      await noteUninstalled(trx, { installation: installationId, at, ...(team === undefined ? {} : { team }) });
      return true;
    });
    for (const laterStep of laterSteps) {
      await laterStep(deps.db);
    }
    return erased;
  };
  return {
    eraseInstallation: (installationId, eventAt) => erase(installationId, undefined, eventAt),
    eraseTeam: ({ installation, team }, eventAt) => erase(installation, team, eventAt),
  };
}

async function isInstalledAfter(trx: Transaction<Schema>, kind: StoreKind, id: string, eventAt: number) {
  const row = await trx
    .selectFrom('keyv')
    .select('value')
    .where('namespace', '=', installationNamespace)
    .where('key', '=', id)
    // The lock makes a concurrent reinstallation wait. SQLite's write transactions run alone anyway.
    .$if(kind === 'postgres', (query) => query.modifyEnd(sql`for update`))
    .executeTakeFirst();
  const installedAt = row && installedAtOf(row.value);
  return installedAt !== undefined && isBeforeInstallation(eventAt, installedAt);
}

/** The time of the installation; undefined for an unreadable record, which an uninstall event may erase at any time. */
function installedAtOf(text: string): number | undefined {
  try {
    return readJson(z.object({ value: installationShape }), text, 'installation').value.installedAt;
  } catch {
    return undefined;
  }
}
