/** A database's mirrored values page by page, in the order of their keys, as its last complete pass met them. */
import type { DatabaseValue } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import type { MirrorReader } from './reader.js';
import type { DatabaseMirror, DatabaseMirrorStore } from './tables/databases.js';
import { isLostText, type StoredValue } from './tables/values.js';

/** The position where a page ended. Another connection, or another choice of databases, has another mirror. */
export interface ValuePosition {
  readonly mirrorId: number;
  readonly round: number;
  readonly key: string;
}

/** `exact`: whether the text is the value itself, not what answers leave of it; undefined where that is not sure. */
export interface PagedValue extends DatabaseValue {
  readonly exact?: boolean;
}

export interface ValuePage {
  readonly values: readonly PagedValue[];
  /** Where the next page begins; undefined after the last page. */
  readonly next?: ValuePosition;
  /** The time as of which the values are known. */
  readonly at: number;
}

/** How many rows one statement reads, which blocks the event loop on SQLite. */
const valuesPerPage = 1_000;

export function createValuePages(deps: {
  readonly store: Pick<Store, 'db'>;
  readonly reader: Pick<MirrorReader, 'view'>;
  readonly databases: Pick<DatabaseMirrorStore, 'hasUnread'>;
}) {
  const { store, reader, databases: mirrored } = deps;
  /** The next rows, with all rows of each key: values that read alike share it. */
  const wholeKeys = async (mirrorId: number, round: number, lastKey: string) => {
    for (let limit = valuesPerPage; ; limit *= 4) {
      const rows = await store.db
        .selectFrom('mirrored_values')
        .select(['key', 'value', 'valid', 'response', 'sure_from as sureFrom', 'lost_round as lostRound'])
        .where((eb) => eb(eb.refTuple('mirror_id', 'key'), '>', eb.tuple(mirrorId, lastKey)))
        // Not `=`: SQLite would begin each page with the mirror's first value, PostgreSQL would sort a mirror just filled.
        .where('mirror_id', '<=', mirrorId)
        // A value that the last complete pass did not meet may be deleted.
        .where('round', '>=', round)
        .orderBy('mirror_id')
        .orderBy('key')
        .orderBy('twin')
        .limit(limit)
        .execute();
      const whole = rows.filter(({ key }) => key !== rows.at(-1)!.key);
      if (rows.length < limit || whole.length > 0) {
        return rows.length < limit ? { rows, isLast: true } : { rows: whole, isLast: false };
      }
    }
  };

  return {
    /**
     * A page of values; undefined where the mirror is not complete, is another than that of `position`, or, for a first
     * page, lacks somebody's change.
     */
    async valuePage(owner: Owner, databaseId: string, position?: ValuePosition): Promise<ValuePage | undefined> {
      const { databases } = await reader.view(owner);
      const mirror = databases.find((one) => one.databaseId === databaseId);
      const isComplete = mirror?.fetchedAt !== undefined && (mirror.searched !== undefined || position !== undefined);
      if (!isComplete || (position ? position.mirrorId !== mirror.id : await mirrored.hasUnread(mirror.id))) {
        return undefined;
      }
      const round = position?.round ?? mirror.round;
      const { rows, isLast } = await wholeKeys(mirror.id, round, position?.key ?? '');
      const countsByText = new Map<string, number>();
      for (const { value } of rows) {
        countsByText.set(value, (countsByText.get(value) ?? 0) + 1);
      }
      const values = rows.map(({ value, valid, response, ...row }) => ({
        value,
        valid: valid === 1,
        response,
        ...(countsByText.get(value) === 1 ? exactness(row, mirror, round) : {}),
      }));
      const last = isLast ? undefined : rows.at(-1);
      return {
        values,
        at: mirror.fetchedAt,
        ...(last ? { next: { mirrorId: mirror.id, round, key: last.key } } : {}),
      };
    },
  };
}

export type ValuePages = ReturnType<typeof createValuePages>;

function exactness(
  row: Pick<StoredValue, 'sureFrom' | 'lostRound'>,
  { searched }: DatabaseMirror,
  round: number,
): Pick<PagedValue, 'exact'> {
  if (isLostText(row, { round })) {
    return { exact: false };
  }
  return searched && row.sureFrom <= round ? { exact: true } : {};
}
