/** A database's mirrored values page by page, in the order of their keys, as its last complete pass met them. */
import type { DatabaseValue } from '../codereadr/types.js';
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import type { MirrorReader } from './reader.js';
import { lostText } from './tables/values.js';

/** Where a page ended. Another connection, or another choice of databases, is another mirror. */
export interface ValuePosition {
  readonly mirrorId: number;
  readonly round: number;
  readonly key: string;
}

/** `exact`: whether its text is the value itself, or what answers leave of it; undefined where no pass has settled it. */
export interface PagedValue extends DatabaseValue {
  readonly exact?: boolean;
}

export interface ValuePage {
  readonly values: readonly PagedValue[];
  /** Undefined after the last page. */
  readonly next?: ValuePosition;
  /** The values are known as they were then. */
  readonly at: number;
}

export interface ValuePages {
  /** Undefined: the database is not mirrored completely, or no longer by the mirror that `after` is of. */
  valuePage(owner: Owner, databaseId: string, after?: ValuePosition): Promise<ValuePage | undefined>;
}

/** Rows read by one statement, which blocks the event loop on SQLite. */
const atOnce = 1_000;

export function createValuePages(deps: {
  readonly store: Pick<Store, 'db'>;
  readonly reader: Pick<MirrorReader, 'view'>;
}): ValuePages {
  const { store, reader } = deps;
  return {
    async valuePage(owner, databaseId, after) {
      const { databases } = await reader.view(owner);
      const mirror = databases.find((one) => one.databaseId === databaseId);
      if (mirror?.fetchedAt === undefined || (after && after.mirrorId !== mirror.id)) {
        return undefined;
      }
      const round = after?.round ?? mirror.round;
      const rows = await store.db
        .selectFrom('mirrored_values')
        .select(['key', 'value', 'valid', 'response', 'sure_from'])
        .where((eb) => eb(eb.refTuple('mirror_id', 'key'), '>', eb.tuple(mirror.id, after?.key ?? '')))
        .where('mirror_id', '=', mirror.id)
        // What the last complete pass did not meet may be deleted.
        .where('round', '>=', round)
        .orderBy('mirror_id')
        .orderBy('key')
        .limit(atOnce)
        .execute();
      const values = rows.map(({ value, valid, response, sure_from }) => ({
        ...{ value, valid: valid === 1, response },
        ...(sure_from === lostText ? { exact: false } : sure_from <= round ? { exact: true } : {}),
      }));
      const last = rows.length < atOnce ? undefined : rows.at(-1);
      return {
        values,
        at: mirror.fetchedAt,
        ...(last ? { next: { mirrorId: mirror.id, round, key: last.key } } : {}),
      };
    },
  };
}
