/**
 * Store of database mirrors: which exist, who refreshes one, its generation. A mirror is updated in place; values that
 * a complete generation did not meet are deleted at its end.
 */
import type { Selectable } from 'kysely';
import type { CopiesTable } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';
import type { EraseHook, Store } from '../../../workspaces/types.js';
import { createMirroredValues, deleteStaleValues, type MirroredValues } from './mirror-values.js';

export interface MirrorRecord {
  readonly id: number;
  readonly owner: Owner;
  readonly databaseId: string;
  readonly name?: string;
  /**
   * Whether `abc` and `ABC` are two values. Undefined: unknown to the account; each is stored by its own spelling.
   */
  readonly caseSensitive: boolean | undefined;
  /** The connection (its `connectedAt`) it was fetched by; another one may be another account. */
  readonly connectedAt?: number;
  /** The current generation, or the last one. */
  readonly generation: number;
  /** Values in the last complete generation. */
  readonly size: number;
  /** When the last complete generation began: the mirror's age. Undefined: none was completed yet. */
  readonly fetchedAt?: number;
  readonly dueAt: number;
  /** Failed generations in a row, and why the last one failed. */
  readonly failures: number;
  readonly lastCode?: string;
  readonly requiredAt: number;
}

export interface MirrorStore extends Pick<MirroredValues, 'load' | 'put' | 'learn'> {
  of(owner: Owner): Promise<readonly MirrorRecord[]>;

  /** Creates the mirror if missing, and records that it is still needed. */
  require(owner: Owner, databaseId: string, now: number): Promise<void>;
  /** Claims the next due mirror of any owner for this worker until then. */
  claim(worker: string, now: number, until: number, but: readonly number[]): Promise<MirrorRecord | undefined>;
  /** Extends the claim. False: another worker has it by now. */
  extendClaim(worker: string, id: number, until: number): Promise<boolean>;
  /** Begins a generation. Values of another connection or another case rule are deleted first. */
  begin(copy: MirrorRecord, fresh: Pick<MirrorRecord, 'name' | 'caseSensitive' | 'connectedAt'>): Promise<MirrorRecord>;
  /** Completes the generation: values that it did not meet are deleted. */
  finish(copy: MirrorRecord, done: { size: number; fetchedAt: number; dueAt: number }): Promise<void>;
  /** Gives up the claim; the mirror stays due. */
  release(worker: string, id: number): Promise<void>;
  fail(copy: MirrorRecord, failed: { code: string; dueAt: number }): Promise<void>;
  /** Makes it due now. */
  makeDue(owner: Owner, databaseId: string, now: number): Promise<void>;

  /** Mirrors that no relay has needed since. */
  unused(before: number): Promise<readonly MirrorRecord[]>;
  drop(id: number): Promise<void>;
  /** Deletes its values: it starts anew. */
  clear(id: number): Promise<void>;
}

/** Stored next to 1 and 0. */
const caseUnknown = 2;

export function createMirrorStore(store: Pick<Store, 'db' | 'kind' | 'reads'>): MirrorStore {
  const { db, kind } = store;
  const { load, put, learn, deleteStale } = createMirroredValues(store);

  const set = async (id: number, fields: Partial<Selectable<CopiesTable>>): Promise<void> => {
    await db.updateTable('copies').set(fields).where('id', '=', id).execute();
  };

  return {
    ...{ load, put, learn },

    async of(owner) {
      const rows = await db
        .selectFrom('copies')
        .selectAll()
        .where('installation', '=', owner.installation)
        .where('team', '=', owner.team)
        .execute();
      return rows.map(toMirror);
    },

    async require({ installation, team }, databaseId, now) {
      await db
        .insertInto('copies')
        .values({
          ...{ installation, team, database_id: databaseId },
          ...{ case_sensitive: 0, round: 0, size: 0, due_at: now, failures: 0, wanted_at: now },
        })
        .onConflict((conflict) =>
          conflict.columns(['installation', 'team', 'database_id']).doUpdateSet({ wanted_at: now }),
        )
        .execute();
    },

    claim: (worker, now, until, but) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('copies')
          .selectAll()
          .where('due_at', '<=', now)
          .where((eb) =>
            eb.or([eb('claimed_by', 'is', null), eb('claimed_by', '=', worker), eb('claimed_until', '<', now)]),
          )
          .$if(but.length > 0, (query) => query.where('id', 'not in', [...but]))
          .orderBy('due_at')
          .limit(1)
          .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
          .executeTakeFirst();
        if (!row) {
          return undefined;
        }
        await trx
          .updateTable('copies')
          .set({ claimed_by: worker, claimed_until: until })
          .where('id', '=', row.id)
          .execute();
        return toMirror(row);
      }),

    async extendClaim(worker, id, until) {
      const extended = await db
        .updateTable('copies')
        .set({ claimed_until: until })
        .where('id', '=', id)
        .where('claimed_by', '=', worker)
        .executeTakeFirst();
      return extended.numUpdatedRows > 0n;
    },

    async begin(copy, { name, caseSensitive, connectedAt }) {
      const other = copy.connectedAt !== connectedAt || copy.caseSensitive !== caseSensitive;
      const fields = {
        name: name ?? null,
        case_sensitive: caseSensitive === undefined ? caseUnknown : Number(caseSensitive),
        connected_at: connectedAt ?? null,
        round: copy.generation + 1,
      };
      if (other) {
        // Marked unusable first: no scan may be validated against what is being deleted.
        await set(copy.id, { fetched_at: null, connected_at: null, size: 0 });
        await deleteStale(copy.id);
      }
      await set(copy.id, fields);
      const row = await db.selectFrom('copies').selectAll().where('id', '=', copy.id).executeTakeFirstOrThrow();
      return toMirror(row);
    },

    async finish(copy, { size, fetchedAt, dueAt }) {
      await deleteStale(copy.id, copy.generation);
      await set(copy.id, {
        size,
        fetched_at: fetchedAt,
        due_at: dueAt,
        failures: 0,
        last_code: null,
        claimed_by: null,
        claimed_until: null,
      });
    },

    async release(worker, id) {
      await db
        .updateTable('copies')
        .set({ claimed_by: null, claimed_until: null })
        .where('id', '=', id)
        .where('claimed_by', '=', worker)
        .execute();
    },

    fail: (copy, { code, dueAt }) =>
      set(copy.id, {
        failures: copy.failures + 1,
        last_code: code,
        due_at: dueAt,
        claimed_by: null,
        claimed_until: null,
      }),

    async makeDue({ installation, team }, databaseId, now) {
      await db
        .updateTable('copies')
        .set({ due_at: now })
        .where('installation', '=', installation)
        .where('team', '=', team)
        .where('database_id', '=', databaseId)
        .where('due_at', '>', now)
        .execute();
    },

    async unused(before) {
      const rows = await db.selectFrom('copies').selectAll().where('wanted_at', '<', before).execute();
      return rows.map(toMirror);
    },

    async drop(id) {
      await set(id, { fetched_at: null, connected_at: null });
      await deleteStale(id);
      await db.deleteFrom('copies').where('id', '=', id).execute();
    },

    async clear(id) {
      await set(id, { fetched_at: null, connected_at: null, size: 0 });
      await deleteStale(id);
    },
  };
}

/** The account's data is erased with the account. */
export const eraseMirrors: EraseHook = async (installation, trx, team) => {
  const gone = { installation, ...(team === undefined ? {} : { team }) };
  const copies = await trx
    .selectFrom('copies')
    .select('id')
    .where((eb) => eb.and(gone))
    .execute();
  for (const { id } of copies) {
    await deleteStaleValues(trx, id);
  }
  await trx
    .deleteFrom('copies')
    .where((eb) => eb.and(gone))
    .execute();
};

function toMirror(row: Selectable<CopiesTable>): MirrorRecord {
  return {
    id: row.id,
    owner: { installation: row.installation, team: row.team },
    databaseId: row.database_id,
    ...(row.name === null ? {} : { name: row.name }),
    caseSensitive: row.case_sensitive === caseUnknown ? undefined : row.case_sensitive === 1,
    ...(row.connected_at === null ? {} : { connectedAt: row.connected_at }),
    generation: row.round,
    size: row.size,
    ...(row.fetched_at === null ? {} : { fetchedAt: row.fetched_at }),
    dueAt: row.due_at,
    failures: row.failures,
    ...(row.last_code === null ? {} : { lastCode: row.last_code }),
    requiredAt: row.wanted_at,
  };
}
