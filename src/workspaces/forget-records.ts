/**
 * The erasure of records with a life span: those that hold a barcode, or all of a workspace. It works in slices; a
 * record is deleted as a whole.
 */
import { sql } from 'kysely';
import type { Clock } from '../clock.js';
import { createPace } from '../database/pace.js';
import type { Owner } from '../ownership.js';
import { keysOf } from './record-store.js';
import type { Store } from './types.js';

/** How many records a page has: a record is up to tens of kilobytes, and each is parsed. */
const recordsPerPage = 20;

export function createRecordErasure(store: Pick<Store, 'db' | 'kind'>, clock: Clock) {
  const { db, kind } = store;

  /** The next records whose JSON may hold the text; without a text, the next of all. */
  const page = (trx: typeof db, owner: Owner, namespace: string, text: string | undefined, lastKey: string) => {
    const { from, to } = keysOf(owner);
    const json = text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
    return trx
      .selectFrom('keyv')
      .select(['key', 'value'])
      .where('namespace', '=', namespace)
      .where('key', '>', lastKey === '' ? from : lastKey)
      .where('key', '<', to)
      .$if(json !== undefined, (query) =>
        query.where(
          kind === 'sqlite' ? sql<boolean>`instr(value, ${json}) > 0` : sql<boolean>`strpos(value, ${json}) > 0`,
        ),
      )
      .orderBy('key')
      .limit(recordsPerPage)
      .execute();
  };

  return {
    /** Deletes the owner's records of these namespaces, or those that hold `text`; returns how many. */
    async erase(owner: Owner, namespaces: readonly string[], text: string | undefined, stopping: AbortSignal) {
      const pace = createPace(store, clock, stopping);
      let erased = 0;
      for (const namespace of namespaces) {
        await pace.walk('', async (trx, from) => {
          const rows = await page(trx, owner, namespace, text, from);
          const keys = rows.filter(({ value }) => text === undefined || holdsText(value, text)).map(({ key }) => key);
          if (keys.length > 0) {
            await trx.deleteFrom('keyv').where('namespace', '=', namespace).where('key', 'in', keys).execute();
            erased += keys.length;
          }
          return rows.length < recordsPerPage ? undefined : rows.at(-1)?.key;
        });
      }
      return erased;
    },

    async count(owner: Owner, namespaces: readonly string[], text: string | undefined): Promise<number> {
      if (text === undefined) {
        const { from, to } = keysOf(owner);
        const row = await db
          .selectFrom('keyv')
          .select((eb) => eb.fn.countAll().as('n'))
          .where('namespace', 'in', namespaces)
          .where('key', '>', from)
          .where('key', '<', to)
          .executeTakeFirst();
        return Number(row?.n ?? 0);
      }
      let recordCount = 0;
      for (const namespace of namespaces) {
        for (let after: string | undefined = ''; after !== undefined; ) {
          const rows: { key: string; value: string }[] = await page(db, owner, namespace, text, after);
          recordCount += rows.filter(({ value }) => holdsText(value, text)).length;
          after = rows.length < recordsPerPage ? undefined : rows.at(-1)?.key;
        }
      }
      return recordCount;
    },
  };
}

/** Whether the text is one of the JSON's values. JSON that cannot be parsed counts as holding it, to be deleted. */
function holdsText(json: string, text: string): boolean {
  let isFound = false;
  try {
    JSON.parse(json, (_name, value) => {
      isFound ||= value === text;
      return value;
    });
  } catch {
    return true;
  }
  return isFound;
}
