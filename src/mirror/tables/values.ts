/**
 * Values of the database mirrors, a row each: lookup by key, upsert and deletion in batches that never block the event
 * loop for long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { isUnsureMatch } from '../../codereadr/barcode-equality.js';
import { chunksOf } from '../../database/chunks.js';
import { equal } from '../../database/equal.js';
import { indexKey } from '../../database/index-key.js';
import type { Schema } from '../../database/schema.js';
import type { Store } from '../../workspaces/types.js';
import { afterAllChanges, forgetChanges, lockParent, raise } from './changes.js';
import { findValues, loseTexts, type PutRow, putValues } from './value-statements.js';

export interface MirroredValue {
  /** The value in the form in which it is compared: see `mirrorKey`. */
  readonly key: string;
  /** The value as the database spells it, without the characters that answers lose. */
  readonly value: string;
  readonly valid: boolean;
  readonly response: string;
}

/**
 * A stored value. `round`: the pass that met it last. `sureFrom`: the completed pass from which its text is surely a
 * value. `lostRound`: the last pass that found a value with control characters of which answers leave this text.
 */
export interface StoredValue extends MirroredValue {
  readonly round: number;
  readonly sureFrom: number;
  readonly lostRound: number | null;
}

/** The `sureFrom` of a value that somebody changed and that was not read anew: the next pass makes it sure. */
const changedText = Number.MAX_SAFE_INTEGER - 1;

/** Whether the text may be what answers leave of a value with control characters. */
export function isLostText(value: Pick<StoredValue, 'lostRound'>, mirror: { readonly round: number }): boolean {
  return value.lostRound !== null && value.lostRound >= mirror.round;
}

interface MirrorRound {
  readonly id: number;
  readonly round: number;
}

/** How many values one statement or transaction writes, which blocks the event loop on SQLite: scans run in between. */
const valuesPerStatement = 250;

/** How many values one deletion examines, which blocks the event loop on SQLite. */
const deletedAtOnce = 4 * valuesPerStatement;

/** The next mirror of a database that has values; undefined: there is none after `after`. */
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
 * Deletes the values that neither pass number `round` nor a later one has met; by default all. It deletes in batches,
 * so that no statement takes long.
 * @returns how many
 */
export async function deleteStaleValues(
  db: Kysely<Schema>,
  mirrorId: number,
  round = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let deletedCount = 0;
  const oldValues = db.deleteFrom('mirrored_values').where('mirror_id', '=', mirrorId).where('round', '<', round);
  for (let from: string | undefined = ''; from !== undefined; await nextTurn()) {
    const to = await keyBehind(db, mirrorId, from, deletedAtOnce);
    const { numDeletedRows } = await oldValues
      .where('key', '>=', from)
      .$if(to !== undefined, (query) => query.where('key', '<', to ?? ''))
      .executeTakeFirstOrThrow();
    deletedCount += Number(numDeletedRows);
    from = to;
  }
  return deletedCount;
}

/**
 * The key that comes `valueCount` values after `firstKey`; undefined if there are fewer. The keys are compared as a
 * pair: for a table just filled, PostgreSQL expects a mirror to be so small that it would sort all of it each time.
 */
export async function keyBehind(
  db: Kysely<Schema>,
  mirrorId: number,
  firstKey: string,
  valueCount: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('mirrored_values')
    .select(['mirror_id', 'key'])
    .where((eb) => eb(eb.refTuple('mirror_id', 'key'), '>', eb.tuple(mirrorId, firstKey)))
    .orderBy('mirror_id')
    .orderBy('key')
    .offset(valueCount)
    .limit(1)
    .executeTakeFirst();
  return row?.mirror_id === mirrorId ? row.key : undefined;
}

export function createMirroredValues(store: Pick<Store, 'db' | 'reads'>) {
  const { db } = store;

  const putSome = async (
    mirrorId: number,
    round: number,
    values: readonly MirroredValue[],
    surety: { readonly sure_from: number; readonly since: number; readonly attempt: number },
  ): Promise<void> => {
    // The rows are split so that no statement has a key twice.
    const statements: PutRow[][] = [];
    const rowsOfKey = new Map<string, number>();
    for (const { key: text, value, valid, response } of values) {
      const key = indexKey(text);
      const place = rowsOfKey.get(key) ?? 0;
      rowsOfKey.set(key, place + 1);
      statements[place] ??= [];
      statements[place].push({ mirror_id: mirrorId, key, value, valid: valid ? 1 : 0, response, round, ...surety });
    }
    await db.transaction().execute(async (trx) => {
      await lockParent(trx, 'values', mirrorId, surety.since);
      for (const rows of statements) {
        await putValues(trx, rows);
      }
    });
  };

  /** Deletes values of these keys, but those that only some databases take for `value`. Returns their spellings. */
  const deleteOf = async (
    trx: Kysely<Schema>,
    mirrorId: number,
    value: string,
    keys: readonly string[],
    isKept: (row: Pick<StoredValue, 'lostRound' | 'sureFrom'>) => boolean = () => false,
  ): Promise<readonly string[]> => {
    const storedRows = await trx
      .selectFrom('mirrored_values')
      .select(['key', 'twin', 'value', 'sure_from as sureFrom', 'lost_round as lostRound'])
      .where('mirror_id', '=', mirrorId)
      .where('key', 'in', keys.map(indexKey))
      .execute();
    const staleRows = storedRows.filter((row) => !isUnsureMatch(value, row.value) && !isKept(row));
    for (const { key, twin } of staleRows) {
      await trx
        .deleteFrom('mirrored_values')
        .where(equal({ mirror_id: mirrorId, key, twin }))
        .execute();
    }
    return staleRows.map((row) => row.value);
  };

  return {
    /** Deletes a value by its keys; returns the deleted spellings, one for each row. */
    async forget(mirrorId: number, value: string, keys: readonly string[]): Promise<readonly string[]> {
      const spelled = await deleteOf(db, mirrorId, value, keys);
      await forgetChanges(db, 'values', mirrorId, (query) => query.where('key', 'in', keys.map(indexKey)));
      return spelled;
    },

    /** Deletes the values that neither pass number `round` nor a later one has met; by default all. */
    deleteStale: (mirrorId: number, round?: number): Promise<number> => deleteStaleValues(db, mirrorId, round),

    /** The values of each question's key, in order. One query reads each by its full key: O(log values). */
    async load(
      questions: readonly { readonly mirrorId: number; readonly key: string }[],
    ): Promise<readonly (readonly StoredValue[])[]> {
      const input = JSON.stringify(
        questions.map(({ mirrorId, key }, n) => ({ n, mirror_id: mirrorId, key: indexKey(key) })),
      );
      const valuesByQuestion: StoredValue[][] = questions.map(() => []);
      for (const { n, valid, ...row } of await findValues(store, input)) {
        valuesByQuestion[n]!.push({ ...row, key: questions[n]!.key, valid: valid === 1 });
      }
      return valuesByQuestion;
    },

    /**
     * Stores values. A text is sure once the pass is complete, or if it was sure before. A text that an attempt meets
     * twice is two values.
     * @param since the change number from before the request
     */
    async put(
      mirrorId: number,
      round: number,
      values: readonly MirroredValue[],
      { since, attempt }: { readonly since: number; readonly attempt: number } = { since: afterAllChanges, attempt: 0 },
    ): Promise<void> {
      for (const chunk of chunksOf(values, valuesPerStatement)) {
        await putSome(mirrorId, round, chunk, { sure_from: round, since, attempt });
        await nextTurn();
      }
    },

    /** Marks stored texts as what answers leave of values with control characters, as the pass under way found. */
    async lose({ id, round }: MirrorRound, texts: readonly Pick<MirroredValue, 'key' | 'value'>[]): Promise<void> {
      for (const chunk of chunksOf(texts, valuesPerStatement)) {
        const rows = chunk.map(({ key, value }) => ({ mirror_id: id, key: indexKey(key), value, round: round + 1 }));
        await db.transaction().execute(async (trx) => {
          await lockParent(trx, 'values', id, afterAllChanges);
          await loseTexts(trx, rows);
        });
        await nextTurn();
      }
    },

    /**
     * Records that somebody changed these values, which are unsure until they are read anew. Returns the change's
     * number.
     */
    touch: (mirrorId: number, keys: readonly string[]): Promise<number | undefined> =>
      db.transaction().execute(async (trx) => {
        const changedKeys = keys.map(indexKey);
        const change = await raise(trx, 'values', mirrorId, changedKeys);
        // The values count as met by the pass under way: the pass ignores its pages for them, so they must not be
        // deleted for that.
        const currentRound = trx.selectFrom('mirrored_databases').select((eb) => eb('round', '+', 1).as('round'));
        await trx
          .updateTable('mirrored_values')
          .set({ sure_from: changedText, round: currentRound.where('id', '=', mirrorId).$asScalar().$notNull() })
          .where('mirror_id', '=', mirrorId)
          .where('key', 'in', changedKeys)
          .execute();
        return change;
      }),

    /** Whether somebody changed the value, and no pass that began later is complete. */
    isChanged: async (mirrorId: number, key: string): Promise<boolean> =>
      (await changesOf(db, mirrorId, key).executeTakeFirst()) !== undefined,

    /** Whether somebody changed a value that neither an exact search nor a complete pass has read since. */
    hasUnread: async (mirrorId: number): Promise<boolean> =>
      (await db
        .selectFrom('mirrored_changes as changed')
        .select('changed.key')
        .where('changed.part', '=', 'values')
        .where('changed.mirror_id', '=', mirrorId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('mirrored_values as held')
                .select('held.key')
                .whereRef('held.mirror_id', '=', 'changed.mirror_id')
                .whereRef('held.key', '=', 'changed.key')
                .where('held.sure_from', '<', changedText),
            ),
          ),
        )
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Stores the account's answer to an exact search. Undefined: the account no longer has the value. */
    async learn(
      { id, round, changes }: MirrorRound & { readonly changes: number },
      { key, value }: Pick<MirroredValue, 'key' | 'value'>,
      answer: MirroredValue | undefined,
    ): Promise<void> {
      if (answer) {
        await putSome(id, round + 1, [answer], { sure_from: 0, since: changes, attempt: 0 });
        return;
      }
      await db.transaction().execute(async (trx) => {
        await lockParent(trx, 'values', id, changes);
        const newer = await changesOf(trx, id, key).where('change', '>', changes).executeTakeFirst();
        // A value of the same text may be another one, which the pass under way has yet to find out.
        await (newer ??
          deleteOf(trx, id, value, [key], (row) => isLostText(row, { round }) || row.sureFrom === round + 1));
      });
    },
  };
}

export type MirroredValues = ReturnType<typeof createMirroredValues>;

const changesOf = (db: Kysely<Schema>, mirrorId: number, key: string) =>
  db
    .selectFrom('mirrored_changes')
    .select('change')
    .where(equal({ part: 'values', mirror_id: mirrorId, key: indexKey(key) }));
