/**
 * Values of the database mirrors: keyed look-up, batched upsert and deletion that never block the event loop for long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { bulkStatement } from '../../../database/bulk.js';
import type { Schema } from '../../../database/schema.js';
import type { Store } from '../../../workspaces/types.js';
import { indexed } from '../../scans/counters.js';

export interface MirroredValue {
  /** As it is compared: see `copyKey`. */
  readonly key: string;
  readonly valid: boolean;
  readonly response: string;
}

export interface MirrorQuery {
  readonly mirrorId: number;
  readonly key: string;
}

export interface MirroredValues {
  /** A result for each question, in order. One query, each answered by its full key: O(log values). */
  load(questions: readonly MirrorQuery[]): Promise<readonly (MirroredValue | undefined)[]>;
  put(mirrorId: number, generation: number, values: readonly MirroredValue[]): Promise<void>;
  /** Stores the account's answer for one value. Undefined: the account no longer has it. */
  learn(
    copy: { readonly id: number; readonly generation: number },
    key: string,
    value: MirroredValue | undefined,
  ): Promise<void>;
  /** Deletes what no generation since `keep` has met; everything by default. */
  deleteStale(mirrorId: number, keep?: number): Promise<void>;
}

/** Values in one statement or transaction, which blocks the event loop on SQLite: scans run in between. */
const atOnce = 250;

const putValues = bulkStatement(
  { copy_id: 'bigint', key: 'text', valid: 'bigint', response: 'text', round: 'bigint' },
  ({ input }) => `
    insert into copied_values (copy_id, key, valid, response, round)
    select copy_id, key, valid, response, round from ${input} where true order by key
    on conflict (copy_id, key)
      do update set valid = excluded.valid, response = excluded.response, round = excluded.round`,
);

/** The questions as one parameter. */
const findOnPostgres = {
  name: 'find_copied_values',
  text: `select n, valid, response
    from json_to_recordset($1::json) as input (n int, copy_id bigint, key text)
    join copied_values using (copy_id, key)`,
};

/** Values that one deletion examines: it blocks the event loop on SQLite. */
const deletedAtOnce = 4 * atOnce;

/**
 * Deletes what no generation since `keep` has met, everything by default; in batches, so that no statement takes long.
 */
export async function deleteStaleValues(
  db: Kysely<Schema>,
  mirrorId: number,
  keep = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const old = db.deleteFrom('copied_values').where('copy_id', '=', mirrorId).where('round', '<', keep);
  for (let from: string | undefined = ''; from !== undefined; await nextTurn()) {
    const to = await keyBehind(db, mirrorId, from);
    await old
      .where('key', '>=', from)
      .$if(to !== undefined, (query) => query.where('key', '<', to ?? ''))
      .execute();
    from = to;
  }
}

/**
 * The key that many values ahead; undefined if there are fewer. Compared as a pair: for a table just filled, PostgreSQL
 * expects a mirror to be so small that it would sort all of it each time.
 */
async function keyBehind(db: Kysely<Schema>, mirrorId: number, from: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('copied_values')
    .select(['copy_id', 'key'])
    .where((eb) => eb(eb.refTuple('copy_id', 'key'), '>=', eb.tuple(mirrorId, from)))
    .orderBy('copy_id')
    .orderBy('key')
    .offset(deletedAtOnce)
    .limit(1)
    .executeTakeFirst();
  return row?.copy_id === mirrorId ? row.key : undefined;
}

export function createMirroredValues(store: Pick<Store, 'db' | 'reads'>): MirroredValues {
  const { db, reads } = store;

  const findAll = async (input: string): Promise<readonly FoundRow[]> => {
    if (reads) {
      return await reads.all<FoundRow>(findOnPostgres, [input]);
    }
    const { rows } =
      await sql<FoundRow>`select json_extract(input.value, '$.n') as n, copied_values.valid, copied_values.response
      from json_each(${input}) as input
      join copied_values on copied_values.copy_id = json_extract(input.value, '$.copy_id')
        and copied_values.key = json_extract(input.value, '$.key')`.execute(db);
    return rows;
  };

  const putSome = async (mirrorId: number, generation: number, values: readonly MirroredValue[]): Promise<void> => {
    // Of two rows with one key the last counts; one statement must not touch a row twice.
    const rows = new Map(
      values.map(({ key, valid, response }) => [
        indexed(key),
        { copy_id: mirrorId, key: indexed(key), valid: valid ? 1 : 0, response, round: generation },
      ]),
    );
    await db.transaction().execute((trx) => putValues(trx, [...rows.values()]));
  };

  return {
    deleteStale: (mirrorId, keep) => deleteStaleValues(db, mirrorId, keep),

    async load(questions) {
      const input = JSON.stringify(
        questions.map(({ mirrorId, key }, n) => ({ n, copy_id: mirrorId, key: indexed(key) })),
      );
      const rows = await findAll(input);
      const found = new Map(rows.map(({ n, valid, response }) => [n, { valid: valid === 1, response }]));
      return questions.map(({ key }, n) => {
        const value = found.get(n);
        return value && { key, ...value };
      });
    },

    async put(mirrorId, generation, values) {
      for (let from = 0; from < values.length; from += atOnce) {
        await putSome(mirrorId, generation, values.slice(from, from + atOnce));
        await nextTurn();
      }
    },

    async learn(copy, key, value) {
      if (value) {
        await putSome(copy.id, copy.generation, [value]);
      } else {
        await db.deleteFrom('copied_values').where('copy_id', '=', copy.id).where('key', '=', indexed(key)).execute();
      }
    },
  };
}

interface FoundRow {
  readonly n: number;
  readonly valid: number;
  readonly response: string;
}
