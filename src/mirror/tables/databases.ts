/**
 * The mirrors of an account's databases: which exist, and their age. A mirror is updated in place. A value is deleted
 * once two complete passes did not meet it; after one, it is unsure.
 */
import type { Selectable } from 'kysely';
import { equal } from '../../database/equal.js';
import { present } from '../../database/present.js';
import type { MirroredDatabasesTable } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import { LeaseLost, MirrorError } from '../errors.js';
import { changeNumber, forgetChanges, settle } from './changes.js';
import { createMirroredValues } from './values.js';

export interface DatabaseMirror {
  readonly id: number;
  readonly owner: Owner;
  readonly databaseId: string;
  readonly name?: string;
  /** Whether `abc` and `ABC` are two values. Undefined: the account does not say; each spelling has its own key. */
  readonly caseSensitive: boolean | undefined;
  /** The connection (its `connectedAt`) by which the mirror was fetched; another one may be another account. */
  readonly connectedAt?: number;
  /** The number of complete passes; a change of the whole database adds two. */
  readonly round: number;
  /** How many values the last complete pass met. */
  readonly size: number;
  /** How many values the account counts; `read`: how many the pass under way has met. */
  readonly expected?: number;
  readonly read: number;
  /** When the last complete pass began: the mirror's age. Undefined: none did since the values became unusable. */
  readonly fetchedAt?: number;
  readonly dueAt: number;
  /** Failed passes in a row; below, why the last one failed. */
  readonly failures: number;
  readonly lastCode?: string;
  /** Since when the account's listings leave the database out, or neither lookups nor relays need it. */
  readonly leftOutAt?: number;
  /** The number of the last change of the database through Scandesk. */
  readonly changes: number;
  /** The number of passes begun, completed or not. */
  readonly attempt: number;
  /**
   * Whether the last complete pass found the values with control characters, as far as barcodes use them. Undefined: a
   * value with the same key may be missing.
   */
  readonly searched: boolean | undefined;
}

/** The stored number for an unknown case rule, beside 1 and 0. */
const caseUnknown = 2;

export function createDatabaseMirrors(store: Pick<Store, 'db' | 'reads'>) {
  const { db } = store;
  const { deleteStale, ...values } = createMirroredValues(store);

  const set = async (id: number, fields: Partial<Selectable<MirroredDatabasesTable>>): Promise<void> => {
    await db.updateTable('mirrored_databases').set(fields).where('id', '=', id).execute();
  };

  /** Defers the next pass, unless the database was made due meanwhile: its pages may be from before a change. */
  const defer = async (mirror: Pick<DatabaseMirror, 'id' | 'dueAt'>, dueAt: number): Promise<void> => {
    await db
      .updateTable('mirrored_databases')
      .set({ due_at: dueAt })
      .where(equal({ id: mirror.id, due_at: mirror.dueAt }))
      .execute();
  };

  return {
    ...values,

    async of(owner: Owner): Promise<readonly DatabaseMirror[]> {
      const rows = await db
        .selectFrom('mirrored_databases')
        .selectAll()
        .where(equal({ installation: owner.installation, team: owner.team }))
        .execute();
      return rows.map(toMirror);
    },

    /** Creates the mirror if it does not exist. */
    async require({ installation, team }: Owner, databaseId: string, now: number): Promise<void> {
      const registered = await db
        .selectFrom('mirrored_databases')
        .select('id')
        .where(equal({ installation, team, database_id: databaseId }))
        .executeTakeFirst();
      if (registered) {
        return;
      }
      await db
        .insertInto('mirrored_databases')
        .values({
          installation,
          team,
          database_id: databaseId,
          case_sensitive: 0,
          round: 0,
          size: 0,
          read: 0,
          due_at: now,
          failures: 0,
        })
        .onConflict((conflict) => conflict.columns(['installation', 'team', 'database_id']).doNothing())
        .execute();
    },

    /** Begins a pass. Values of another connection or another case rule are deleted first. */
    async begin(
      mirror: DatabaseMirror,
      newFields: Pick<DatabaseMirror, 'name' | 'caseSensitive' | 'connectedAt' | 'expected'>,
    ): Promise<DatabaseMirror> {
      const { name, caseSensitive, connectedAt, expected } = newFields;
      const isOtherMirror = mirror.connectedAt !== connectedAt || mirror.caseSensitive !== caseSensitive;
      if (isOtherMirror) {
        // The mirror is marked unusable first: no scan may be validated against values that are being deleted.
        await set(mirror.id, { fetched_at: null, connected_at: null, size: 0 });
        await deleteStale(mirror.id);
      }
      await db
        .updateTable('mirrored_databases')
        .set((eb) => ({
          name: name ?? null,
          case_sensitive: caseSensitive === undefined ? caseUnknown : Number(caseSensitive),
          connected_at: connectedAt ?? null,
          expected: expected ?? null,
          read: 0,
          attempt: eb('attempt', '+', 1),
        }))
        .where('id', '=', mirror.id)
        .execute();
      const row = await db.selectFrom('mirrored_databases').selectAll().where('id', '=', mirror.id).executeTakeFirst();
      if (!row) {
        throw new LeaseLost('the database is no longer mirrored');
      }
      // `dueAt` stays as it was when the pass was decided: the database may have been made due since.
      return { ...toMirror(row), dueAt: mirror.dueAt };
    },

    /** Records how many values the account counts, before the first pass. */
    expect: (id: number, expected: number): Promise<void> => set(id, { expected }),
    progress: (id: number, read: number): Promise<void> => set(id, { read }),

    /** Completes the pass: values that neither it nor the pass before met are deleted. */
    async finish(
      { id, round, changes, dueAt: dueBefore }: DatabaseMirror,
      completed: { size: number; fetchedAt: number; dueAt: number; searched?: boolean },
    ): Promise<void> {
      const { size, fetchedAt, dueAt, searched = false } = completed;
      await deleteStale(id, round);
      const { numUpdatedRows } = await db
        .updateTable('mirrored_databases')
        .set({
          round: round + 1,
          size,
          fetched_at: fetchedAt,
          searched: Number(searched),
          failures: 0,
          last_code: null,
          expected: null,
          read: 0,
        })
        .where(equal({ id, round }))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        throw new MirrorError('relay.database_unsteady', 'the database was changed as a whole');
      }
      await settle(db, 'values', id, changes);
      await defer({ id, dueAt: dueBefore }, dueAt);
    },

    async fail(mirror: DatabaseMirror, { code, dueAt }: { code: string; dueAt: number }): Promise<void> {
      await set(mirror.id, { failures: mirror.failures + 1, last_code: code });
      await defer(mirror, dueAt);
    },

    /** Records since when the database is left out or not needed; undefined: it is listed and needed. */
    leaveOut: (id: number, at: number | undefined): Promise<void> => set(id, { left_out_at: at ?? null }),

    async makeDue({ installation, team }: Owner, databaseId: string, now: number): Promise<void> {
      await db
        .updateTable('mirrored_databases')
        .set({ due_at: now })
        .where(equal({ installation, team, database_id: databaseId }))
        .execute();
    },

    /** The mirrors of all owners. */
    async all(): Promise<readonly DatabaseMirror[]> {
      return (await db.selectFrom('mirrored_databases').selectAll().execute()).map(toMirror);
    },

    /** Deletes a database's mirror with its values; returns how many values. */
    async drop(id: number): Promise<number> {
      await db.deleteFrom('mirrored_databases').where('id', '=', id).execute();
      await forgetChanges(db, 'values', id);
      return await deleteStale(id);
    },

    /** The number of the database's last change, to remember before a request leaves. */
    changeNumber: (id: number): Promise<number> => changeNumber(db, 'values', id),

    /** Records that somebody changed a whole database: nothing is sure before it is read anew, which is due now. */
    async unsettle({ installation, team }: Owner, databaseId: string, now: number): Promise<void> {
      await db
        .updateTable('mirrored_databases')
        .set((eb) => ({
          changes: eb('changes', '+', 1),
          settled: eb('changes', '+', 1),
          fetched_at: null,
          due_at: now,
          // The number skips two passes, so that values of the pass under way count as not met by the last one.
          round: eb('round', '+', 2),
        }))
        .where(equal({ installation, team, database_id: databaseId }))
        .execute();
    },
  };
}

export type DatabaseMirrorStore = ReturnType<typeof createDatabaseMirrors>;

function toMirror(row: Selectable<MirroredDatabasesTable>): DatabaseMirror {
  return {
    id: row.id,
    owner: { installation: row.installation, team: row.team },
    databaseId: row.database_id,
    caseSensitive: row.case_sensitive === caseUnknown ? undefined : row.case_sensitive === 1,
    round: row.round,
    size: row.size,
    read: row.read,
    dueAt: row.due_at,
    failures: row.failures,
    changes: row.changes,
    attempt: row.attempt,
    ...present({
      name: row.name,
      connectedAt: row.connected_at,
      expected: row.expected,
      fetchedAt: row.fetched_at,
      lastCode: row.last_code,
      leftOutAt: row.left_out_at,
    }),
    searched: row.searched === null ? undefined : row.searched === 1,
  };
}
