/**
 * The mirrors of accounts: one for each connected owner. A new connection gets a new mirror with a new id, so that no
 * row of the former account is read as the new one's. The process with a mirror's lease keeps it.
 */
import type { Selectable } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import { claimRows, columnsOfClaim, isUnclaimed } from '../../database/claims/claim.js';
import { equal } from '../../database/equal.js';
import { present } from '../../database/present.js';
import type { MirrorsTable } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { deleteScans } from '../../scans/account/account-scan-rows.js';
import type { Store } from '../../workspaces/types.js';
import type { ShareState } from '../call-share.js';
import { forgetChanges } from './changes.js';

export interface AccountMirror {
  readonly id: number;
  readonly owner: Owner;
  readonly connectedAt: number;
  /** The number of the last complete pass over the scans; a later pass has a higher number. */
  readonly round: number;
  /** The number of scans that the last complete pass met; `read`: that the pass under way has met. */
  readonly scans: number;
  readonly read: number;
  readonly filled: boolean;
  /** The time from which scans are kept; those made earlier are not. */
  readonly scansSince?: number;
  /** The moment as of which the scans are known. */
  readonly scansAt?: number;
  /** The time, by the account, up to which changes were read. */
  readonly cursorAt?: number;
  readonly fullDueAt: number;
  /** The moment before which deleted scans are no longer in the mirror. */
  readonly fullAt?: number;
  /** The reason why the account's scans could not be read last, if they could not. */
  readonly lastCode?: string;
  /** The number of the last change of the mirror's scans through Scandesk. */
  readonly changes: number;
  readonly share: ShareState;
}

export type MirrorFields = Partial<Omit<Selectable<MirrorsTable>, 'id' | 'installation' | 'team'>>;

export function createAccountMirrors({ db }: Pick<Store, 'db'>) {
  return {
    async all(): Promise<readonly AccountMirror[]> {
      return (await db.selectFrom('mirrors').selectAll().execute()).map(toMirror);
    },

    async of({ installation, team }: Owner): Promise<AccountMirror | undefined> {
      const row = await db.selectFrom('mirrors').selectAll().where(equal({ installation, team })).executeTakeFirst();
      return row && toMirror(row);
    },

    async create({ installation, team }: Owner, connectedAt: number, now: number): Promise<void> {
      await db
        .insertInto('mirrors')
        .values({
          installation,
          team,
          connected_at: connectedAt,
          round: 0,
          scans: 0,
          read: 0,
          filled: 0,
          full_due_at: now,
          next_call_at: now,
          budget_at: now,
        })
        .onConflict((conflict) => conflict.columns(['installation', 'team']).doNothing())
        .execute();
    },

    /** Claims a mirror without a lease, or with this worker's, but none of `except`. */
    claim: (
      worker: string,
      now: number,
      until: number,
      except: readonly number[],
    ): Promise<AccountMirror | undefined> =>
      db.transaction().execute(async (trx) => {
        const [row] = await claimRows(trx, 'mirrors', columnsOfClaim({ worker, until }), (mirrors) =>
          mirrors
            .where((eb) => eb.or([isUnclaimed(now), eb('claimed_by', '=', worker)]))
            .$if(except.length > 0, (query) => query.where('id', 'not in', [...except]))
            .limit(1),
        );
        return row && toMirror(row);
      }),

    /** Changes a mirror, if the worker still holds the lease; undefined if it does not. */
    async update(worker: string, id: number, fields: MirrorFields): Promise<AccountMirror | undefined> {
      const row = await db
        .updateTable('mirrors')
        .set(fields)
        .where(equal({ id, claimed_by: worker }))
        .returningAll()
        .executeTakeFirst();
      return row && toMirror(row);
    },

    /** Resolves once every write of the owner's scans that is under way has ended. */
    async waitForWrites({ installation, team }: Owner): Promise<void> {
      await db
        .selectFrom('mirrors')
        .select('id')
        .where(equal({ installation, team }))
        .$if(kindOf(db) === 'postgres', (query) => query.forUpdate())
        .execute();
    },

    /** Makes a full pass over the mirror's scans due. */
    async makeDue(id: number): Promise<void> {
      await db.updateTable('mirrors').set({ full_due_at: 0 }).where('id', '=', id).execute();
    },

    /** Deletes a mirror with its scans; returns how many scans. */
    async drop(id: number): Promise<number> {
      await db.deleteFrom('mirrors').where('id', '=', id).execute();
      await forgetChanges(db, 'scans', id);
      return await deleteScans(db, id);
    },
  };
}

export type AccountMirrors = ReturnType<typeof createAccountMirrors>;

function toMirror(row: Selectable<MirrorsTable>): AccountMirror {
  return {
    id: row.id,
    owner: { installation: row.installation, team: row.team },
    connectedAt: row.connected_at,
    round: row.round,
    scans: row.scans,
    read: row.read,
    filled: row.filled === 1,
    fullDueAt: row.full_due_at,
    ...present({
      scansSince: row.scans_since,
      scansAt: row.scans_at,
      cursorAt: row.cursor_at,
      fullAt: row.full_at,
      lastCode: row.last_code,
    }),
    changes: row.changes,
    share: { nextCallAt: row.next_call_at, budget: row.budget, budgetAt: row.budget_at },
  };
}
