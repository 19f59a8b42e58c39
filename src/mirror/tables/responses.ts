/** Responses of the mirrored values, slice by slice in the order of their keys: no index helps to find a text in them. */
import { sql } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import type { Store } from '../../workspaces/types.js';
import { keyBehind } from './values.js';

export function createResponseSlices({ db }: Pick<Store, 'db'>) {
  // The operator that ignores case: SQLite has no ILIKE, and its LIKE ignores the case of ASCII.
  const like = kindOf(db) === 'sqlite' ? sql`like` : sql`ilike`;

  return {
    /**
     * Among `size` values from a key on, those that may contain every word: SQL surely ignores the case of ASCII alone.
     * `next`: where the next slice begins; undefined: this was the last one.
     */
    async slice(mirrorId: number, firstKey: string, size: number, words: readonly string[]) {
      const nextKey = await keyBehind(db, mirrorId, firstKey, size);
      const rows = await db
        .selectFrom('mirrored_values')
        .select(['value', 'response', 'round', 'lost_round as lostRound'])
        .where('mirror_id', '=', mirrorId)
        .where('key', '>=', firstKey)
        .$if(nextKey !== undefined, (query) => query.where('key', '<', nextKey ?? ''))
        .where((eb) => eb.and(words.map((word) => sql<boolean>`response ${like} ${patternOf(word)} escape '!'`)))
        .orderBy('key')
        .orderBy('twin')
        .execute();
      return { rows, next: nextKey };
    },
  };
}

export type ResponseSlices = ReturnType<typeof createResponseSlices>;

/** A letter beyond ASCII has forms that SQL may not know: anything may stand in its place. */
function patternOf(word: string): string {
  const letters = [...word].map((letter) =>
    letter > '\u007f' && letter.toLowerCase() !== letter.toUpperCase() ? '%' : letter.replace(/[!%_]/, '!$&'),
  );
  return `%${letters.join('')}%`;
}
