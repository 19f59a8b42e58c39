/**
 * Watches the locks of PostgreSQL transactions, around the driver: one against the documented order fails its test. A
 * test file asks for it by `watchLocks`. SQLite's write transactions are alone.
 */
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';
import type { Statement } from './statements.js';
import { createLockedTransaction, type LockedTransaction } from './transaction.js';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

const found: string[] = [];
const open = new WeakMap<pg.Client, LockedTransaction>();
let isWatched = false;

function note(client: pg.Client, statement: Statement): void {
  if (/^\s*(begin|start transaction)\b/i.test(statement.text)) {
    open.set(client, createLockedTransaction());
    return;
  }
  if (/^\s*(commit|rollback)\b/i.test(statement.text)) {
    open.delete(client);
    return;
  }
  const problem = (open.get(client) ?? createLockedTransaction()).note(statement);
  if (problem !== undefined) {
    found.push(problem);
  }
}

function watch(): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  if (isWatched) {
    return;
  }
  const { query } = prototype;
  isWatched = true;
  prototype.query = function (...given) {
    const answer = query.apply(this, given);
    const [config, list] = given;
    const { text, values } =
      typeof config === 'string' ? { text: config, values: list } : (config as Partial<pg.QueryConfig>);
    if (answer instanceof Promise && typeof text === 'string') {
      answer.then(
        (result: pg.QueryResult) =>
          note(this, {
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
  const [first, ...more] = found.splice(0);
  if (first !== undefined) {
    throw new Error(`locks against their order: ${first}${more.length > 0 ? `\nand ${more.length} more` : ''}`);
  }
}

/** Watches the tests of this file; what ran before a test begins is not its own. */
export function watchLocks(): void {
  watch();
  beforeEach(() => void found.splice(0));
  afterEach(reportLocks);
}
