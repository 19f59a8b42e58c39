/**
 * Values of the database mirrors: keyed look-up, batched upsert and deletion that never block the event loop for long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { bulkStatement } from '../../database/bulk.js';
import { indexed } from '../../database/index-key.js';
import type { Schema } from '../../database/schema.js';
import type { Store } from '../../workspaces/types.js';
import { afterAllChanges, forgetChanges, lockParent, raise, unchangedSince } from './changes.js';

export interface MirroredValue {
  /** As it is compared: see `mirrorKey`. */
  readonly key: string;
  /** As the database spells it. */
  readonly value: string;
  readonly valid: boolean;
  readonly response: string;
}

/** `round`: the pass that met it last. `sureFrom`: the completed pass from which its text is sure to be a value. */
export interface StoredValue extends MirroredValue {
  readonly round: number;
  readonly sureFrom: number;
}

/** No pass makes it sure: a value with control characters reads like it. */
export const lostText = Number.MAX_SAFE_INTEGER;
/** The next pass makes it sure: somebody changed the value, and it was not read anew. */
const changedText = lostText - 1;

export interface MirrorQuery {
  readonly mirrorId: number;
  readonly key: string;
}

export interface MirroredValues {
  /** A result for each question, in order. One query, each answered by its full key: O(log values). */
  load(questions: readonly MirrorQuery[]): Promise<readonly (StoredValue | undefined)[]>;
  /**
   * The texts are sure once the pass is complete, and those that were so before.
   * @param since the change number from before they were asked for
   */
  put(mirrorId: number, round: number, values: readonly MirroredValue[], since?: number): Promise<void>;
  /** Marks the texts that values with control characters read like, for want of an exact search. */
  lose(mirror: { readonly id: number }, keys: readonly string[]): Promise<void>;
  /** Stores the account's answer for one value. Undefined: the account no longer has it. */
  learn(
    mirror: { readonly id: number; readonly round: number; readonly changes: number },
    key: string,
    value: MirroredValue | undefined,
  ): Promise<void>;
  /** Somebody changed it, and no pass that began later is complete. */
  isChanged(mirrorId: number, key: string): Promise<boolean>;
  /** Somebody changed these: none is sure before it is read anew. Returns the number of the change. */
  touch(mirrorId: number, keys: readonly string[]): Promise<number | undefined>;
  /** Deletes these keys; returns the values as they were spelled, and how many they were. */
  forget(
    mirrorId: number,
    keys: readonly string[],
  ): Promise<{ readonly count: number; readonly spelled: readonly string[] }>;
  /** Deletes what no pass since `keep` has met; everything by default. */
  deleteStale(mirrorId: number, keep?: number): Promise<number>;
}

/** Values in one statement or transaction, which blocks the event loop on SQLite: scans run in between. */
const atOnce = 250;

const putValues = bulkStatement(
  {
    mirror_id: 'bigint',
    key: 'text',
    value: 'text',
    valid: 'bigint',
    response: 'text',
    round: 'bigint',
    sure_from: 'bigint',
    since: 'bigint',
  },
  // What the last pass did not meet, or what turns valid, may be another value that reads the same: it counts as new.
  ({ input }) => `
    insert into mirrored_values (mirror_id, key, value, valid, response, round, sure_from)
    select mirror_id, key, value, valid, response, round, sure_from from ${input}
    where ${unchangedSince('values', 'key')} order by key
    on conflict (mirror_id, key) do update
      set value = excluded.value, valid = excluded.valid, response = excluded.response, round = excluded.round,
        sure_from = case when mirrored_values.sure_from < excluded.sure_from
          and mirrored_values.round >= excluded.round - 1 and excluded.valid <= mirrored_values.valid
          then mirrored_values.sure_from else excluded.sure_from end`,
);

/** The questions as one parameter. */
const findOnPostgres = {
  name: 'find_mirrored_values',
  text: `select n, value, valid, response, round::int as round, sure_from::float8 as sure_from
    from json_to_recordset($1::json) as input (n int, mirror_id bigint, key text)
    join mirrored_values using (mirror_id, key)`,
};

/** Values that one deletion examines: it blocks the event loop on SQLite. */
const deletedAtOnce = 4 * atOnce;

/** The next mirror of a database that has values; undefined: none after that. */
export async function nextDatabase(db: Kysely<Schema>, after: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('mirrored_values')
    .select('mirror_id')
    .where('mirror_id', '>', after)
    .orderBy('mirror_id')
    .limit(1)
    .executeTakeFirst();
  return row?.mirror_id;
}

/**
 * Deletes what no round since `keep` has met, everything by default; in batches, so that no statement takes long.
 * @returns how many
 */
export async function deleteStaleValues(
  db: Kysely<Schema>,
  mirrorId: number,
  keep = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let deleted = 0;
  const old = db.deleteFrom('mirrored_values').where('mirror_id', '=', mirrorId).where('round', '<', keep);
  for (let from: string | undefined = ''; from !== undefined; await nextTurn()) {
    const to = await keyBehind(db, mirrorId, from, deletedAtOnce);
    const { numDeletedRows } = await old
      .where('key', '>=', from)
      .$if(to !== undefined, (query) => query.where('key', '<', to ?? ''))
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
    from = to;
  }
  return deleted;
}

/**
 * The key `size` values ahead; undefined if there are fewer. Compared as a pair: for a table just filled, PostgreSQL
 * expects a mirror to be so small that it would sort all of it each time.
 */
export async function keyBehind(
  db: Kysely<Schema>,
  mirrorId: number,
  from: string,
  size: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('mirrored_values')
    .select(['mirror_id', 'key'])
    .where((eb) => eb(eb.refTuple('mirror_id', 'key'), '>=', eb.tuple(mirrorId, from)))
    .orderBy('mirror_id')
    .orderBy('key')
    .offset(size)
    .limit(1)
    .executeTakeFirst();
  return row?.mirror_id === mirrorId ? row.key : undefined;
}

export function createMirroredValues(store: Pick<Store, 'db' | 'reads'>): MirroredValues {
  const { db, reads } = store;

  const findAll = async (input: string): Promise<readonly FoundRow[]> => {
    if (reads) {
      return await reads.all<FoundRow>(findOnPostgres, [input]);
    }
    const { rows } =
      await sql<FoundRow>`select json_extract(input.value, '$.n') as n, held.value, held.valid, held.response, held.round,
        held.sure_from
      from json_each(${input}) as input
      join mirrored_values as held on held.mirror_id = json_extract(input.value, '$.mirror_id')
        and held.key = json_extract(input.value, '$.key')`.execute(db);
    return rows;
  };

  const putSome = async (
    mirrorId: number,
    round: number,
    values: readonly MirroredValue[],
    sureFrom: number,
    since: number,
  ): Promise<void> => {
    // Of two rows with one key the last counts, or one that is not valid; one statement must not touch a row twice.
    const rows = new Map<string, PutRow>();
    for (const { key, value, valid, response } of values) {
      const row = { mirror_id: mirrorId, key: indexed(key), value, valid: valid ? 1 : 0, response, round };
      if (!valid || rows.get(row.key)?.valid !== 0) {
        rows.set(row.key, { ...row, sure_from: sureFrom, since });
      }
    }
    await db.transaction().execute(async (trx) => {
      await lockParent(trx, 'values', mirrorId, since);
      await putValues(trx, [...rows.values()]);
    });
  };

  const forget: MirroredValues['forget'] = async (mirrorId, keys) => {
    const rows = await db
      .deleteFrom('mirrored_values')
      .where('mirror_id', '=', mirrorId)
      .where('key', 'in', keys.map(indexed))
      .returning('value')
      .execute();
    await forgetChanges(db, 'values', mirrorId, (query) => query.where('key', 'in', keys.map(indexed)));
    return { count: rows.length, spelled: rows.map(({ value }) => value) };
  };

  return {
    forget,
    deleteStale: (mirrorId, keep) => deleteStaleValues(db, mirrorId, keep),

    async load(questions) {
      const input = JSON.stringify(
        questions.map(({ mirrorId, key }, n) => ({ n, mirror_id: mirrorId, key: indexed(key) })),
      );
      const rows = await findAll(input);
      const found = new Map(
        rows.map(({ n, value, valid, response, round, sure_from }) => [
          n,
          { value, valid: valid === 1, response, round, sureFrom: sure_from },
        ]),
      );
      return questions.map(({ key }, n) => {
        const value = found.get(n);
        return value && { key, ...value };
      });
    },

    async put(mirrorId, round, values, since = afterAllChanges) {
      for (let from = 0; from < values.length; from += atOnce) {
        await putSome(mirrorId, round, values.slice(from, from + atOnce), round, since);
        await nextTurn();
      }
    },

    async lose({ id }, keys) {
      for (let from = 0; from < keys.length; from += atOnce) {
        const some = keys.slice(from, from + atOnce).map(indexed);
        await db.transaction().execute(async (trx) => {
          await lockParent(trx, 'values', id, afterAllChanges);
          await trx
            .updateTable('mirrored_values')
            .set({ sure_from: lostText })
            .where('mirror_id', '=', id)
            .where('key', 'in', some)
            .execute();
        });
        await nextTurn();
      }
    },

    touch: (mirrorId, keys) =>
      db.transaction().execute(async (trx) => {
        const changed = keys.map(indexed);
        const change = await raise(trx, 'values', mirrorId, changed);
        // As if the pass under way had met them: it will not, whatever its pages say, and they may stay.
        const met = trx.selectFrom('mirrored_databases').select((eb) => eb('round', '+', 1).as('round'));
        await trx
          .updateTable('mirrored_values')
          .set({ sure_from: changedText, round: met.where('id', '=', mirrorId).$asScalar().$notNull() })
          .where('mirror_id', '=', mirrorId)
          .where('key', 'in', changed)
          .execute();
        return change;
      }),

    isChanged: async (mirrorId, key) => (await changesOf(db, mirrorId, key).executeTakeFirst()) !== undefined,

    async learn({ id, round, changes }, key, value) {
      if (value) {
        await putSome(id, round + 1, [value], 0, changes);
        return;
      }
      await db.transaction().execute(async (trx) => {
        await lockParent(trx, 'values', id, changes);
        const newer = changesOf(trx, id, key).where('change', '>', changes);
        await trx
          .deleteFrom('mirrored_values')
          .where('mirror_id', '=', id)
          .where('key', '=', indexed(key))
          .where(({ not, exists }) => not(exists(newer)))
          .execute();
      });
    },
  };
}

const changesOf = (db: Kysely<Schema>, mirrorId: number, key: string) =>
  db
    .selectFrom('mirrored_changes')
    .select('change')
    .where('part', '=', 'values')
    .where('mirror_id', '=', mirrorId)
    .where('key', '=', indexed(key));

interface FoundRow {
  readonly n: number;
  readonly value: string;
  readonly valid: number;
  readonly response: string;
  readonly round: number;
  readonly sure_from: number;
}

type PutRow = Parameters<typeof putValues>[1][number];
