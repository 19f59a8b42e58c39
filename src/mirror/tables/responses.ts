/** Responses of the mirrored values, slice by slice in the order of their keys: no index helps to find a text in them. */
import { sql } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import type { Store } from '../../workspaces/types.js';
import { keyBehind, type StoredValue } from './values.js';

export interface ResponseSlice {
  /** Those that may contain every word: the databases know only the case of ASCII for sure. */
  readonly rows: readonly Pick<StoredValue, 'value' | 'response' | 'round' | 'lostRound'>[];
  /** Where the next slice begins; undefined: this was the last one. */
  readonly next: string | undefined;
}

export function createResponseSlices({ db }: Pick<Store, 'db'>) {
  // SQLite has no ILIKE, and its LIKE ignores the case of ASCII.
  const like = kindOf(db) === 'sqlite' ? sql`like` : sql`ilike`;

  return {
    /** `size` values from a key on. */
    async slice(mirrorId: number, from: string, size: number, words: readonly string[]): Promise<ResponseSlice> {
      const next = await keyBehind(db, mirrorId, from, size);
      const rows = await db
        .selectFrom('mirrored_values')
        .select(['value', 'response', 'round', 'lost_round as lostRound'])
        .where('mirror_id', '=', mirrorId)
        .where('key', '>=', from)
        .$if(next !== undefined, (query) => query.where('key', '<', next ?? ''))
        .where((eb) => eb.and(words.map((word) => sql<boolean>`response ${like} ${patternOf(word)} escape '!'`)))
        .orderBy('key')
        .orderBy('twin')
        .execute();
      return { rows, next };
    },
  };
}

export type ResponseSlices = ReturnType<typeof createResponseSlices>;

/** A letter beyond ASCII has forms that a database may not know: anything may stand there. */
function patternOf(word: string): string {
  const letters = [...word].map((letter) =>
    letter > '\u007f' && letter.toLowerCase() !== letter.toUpperCase() ? '%' : letter.replace(/[!%_]/, '!$&'),
  );
  return `%${letters.join('')}%`;
}
