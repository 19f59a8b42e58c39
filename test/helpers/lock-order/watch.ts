/**
 * The watch over the locks of every PostgreSQL transaction, around the driver; `setup.ts` reports to the tests. SQLite's
 * write transactions are alone.
 */
import pg from 'pg';
import type { Statement } from './statements.js';
import { createLockedTransaction, type LockedTransaction } from './transaction.js';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

interface Watch {
  readonly found: string[];
  readonly open: WeakMap<pg.Client, LockedTransaction>;
}

const watchKey: unique symbol = Symbol.for('scandesk.test.lock-order');
/** A worker's files share the driver, but each evaluates this module anew: what the watch found must outlive it. */
const shared = globalThis as { [watchKey]?: Watch };

function note({ found, open }: Watch, client: pg.Client, statement: Statement): void {
  if (/^\s*(begin|start transaction)\b/i.test(statement.text)) {
    open.set(client, createLockedTransaction());
    return;
  }
  if (/^\s*(commit|rollback)\b(?! to)/i.test(statement.text)) {
    open.delete(client);
    return;
  }
  const problem = (open.get(client) ?? createLockedTransaction()).note(statement);
  if (problem !== undefined) {
    found.push(problem);
  }
}

/** Watches the driver of this worker; a second call does nothing. */
export function watchLocks(): void {
  if (shared[watchKey] !== undefined) {
    return;
  }
  const watch: Watch = { found: [], open: new WeakMap() };
  shared[watchKey] = watch;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    const answer = query.apply(this, given);
    const [config, list] = given;
    const { text, values } =
      typeof config === 'string' ? { text: config, values: list } : (config as Partial<pg.QueryConfig>);
    if (answer instanceof Promise && typeof text === 'string') {
      answer.then(
        (result: pg.QueryResult) =>
          note(watch, this, {
            ...{ text, values: Array.isArray(values) ? values : [] },
            ...{ rows: result.rows ?? [], rowCount: result.rowCount ?? 0 },
          }),
        () => undefined,
      );
    }
    return answer;
  };
}

/** Throws what was found since the last report. */
export function reportLocks(): void {
  const [first, ...more] = shared[watchKey]?.found.splice(0) ?? [];
  if (first !== undefined) {
    throw new Error(`locks against their order: ${first}${more.length > 0 ? `\nand ${more.length} more` : ''}`);
  }
}
