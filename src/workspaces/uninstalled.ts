/**
 * The data that an uninstalled app leaves for a new installation: it is deleted some days later, unless the app is used
 * again by then. A second deletion does no harm, so an interrupted run is just repeated.
 */
import type { Kysely, Transaction } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { installationNamespace } from './installations.js';
import type { Store } from './types.js';

export interface Uninstalled {
  readonly installation: string;
  /** The team that uninstalled; undefined: the whole installation. */
  readonly team?: string;
  readonly at: number;
}

/** Deletes all that is left of an owner. */
export type PurgeStep = (owner: Owner, stopping: AbortSignal) => Promise<unknown>;

/** Only a change recorded later than this after the event counts as a use: an earlier one may have been under way. */
const graceMs = 60_000;

export async function noteUninstalled(trx: Transaction<Schema>, { installation, team = '', at }: Uninstalled) {
  await trx
    .insertInto('uninstalled')
    .values({ installation, team, at })
    .onConflict((conflict) => conflict.columns(['installation', 'team']).doUpdateSet({ at }))
    .execute();
}

/** Purges installations and teams uninstalled before the given time; returns their number. */
export function createUninstalledPurge(deps: {
  readonly store: Pick<Store, 'db'>;
  readonly steps: readonly PurgeStep[];
  /** Whether the app has access to this installation. Rejects where that is not known. */
  readonly isInstalled: (installation: string) => Promise<boolean>;
}) {
  const { db } = deps.store;

  const isBack = async (app: Uninstalled): Promise<boolean> =>
    (app.team === undefined && (await deps.isInstalled(app.installation))) || (await wasUsedSince(db, app));

  return async (before: number, stopping: AbortSignal): Promise<number> => {
    const rows = await db.selectFrom('uninstalled').selectAll().where('at', '<', before).execute();
    let purged = 0;
    for (const { installation, team, at } of rows) {
      const uninstalledOwner = { installation, at, ...(team === '' ? {} : { team }) };
      if (!(await isBack(uninstalledOwner))) {
        for (const owner of await ownersIn(db, uninstalledOwner)) {
          for (const step of deps.steps) {
            await step(owner, stopping);
          }
        }
        purged += stopping.aborted ? 0 : 1;
      }
      if (stopping.aborted) {
        return purged;
      }
      // An app that was uninstalled once more meanwhile has a row with a new time, which stays.
      await db.deleteFrom('uninstalled').where(equal({ installation, team, at })).execute();
    }
    return purged;
  };
}

/** Whether there is an installation or a connection again, or a person has changed something since. */
async function wasUsedSince(db: Kysely<Schema>, { installation, team, at }: Uninstalled): Promise<boolean> {
  const key = team === undefined ? installation : `${installation}:${team}`;
  const [change, record] = await Promise.all([
    db
      .selectFrom('audit')
      .select('id')
      .where(equal({ installation, team }))
      .where('at', '>', at + graceMs)
      .where('who', '<>', 'system')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('keyv')
      .select('key')
      .where((eb) =>
        eb.or([
          eb.and([eb('namespace', '=', installationNamespace), eb('key', '=', key)]),
          eb.and([
            eb('namespace', '=', 'workspace'),
            eb('key', '>=', `${key}:`),
            eb('key', '<', `${key};`),
            eb('key', 'like', '%:connection'),
          ]),
        ]),
      )
      .limit(1)
      .executeTakeFirst(),
  ]);
  return change !== undefined || record !== undefined;
}

async function ownersIn(db: Kysely<Schema>, { installation, team }: Uninstalled): Promise<readonly Owner[]> {
  if (team !== undefined) {
    return [{ installation, team }];
  }
  const rows = await db
    .selectFrom('relays')
    .select('team')
    .where('installation', '=', installation)
    .union(db.selectFrom('audit').select('team').where('installation', '=', installation))
    .execute();
  return rows.map((row) => ({ installation, team: row.team }));
}
