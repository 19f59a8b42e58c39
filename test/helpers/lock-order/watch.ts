/**
 * Watches the locks of every PostgreSQL transaction of the suite: one against the documented order fails its test. Runs as
 * a setup file, around the driver, so that each store that a test opens in its process is watched. SQLite's write
 * transactions are alone.
 */
import pg from 'pg';
import { afterAll, afterEach } from 'vitest';
import type { Statement } from './statements.js';
import { createLockedTransaction, type LockedTransaction } from './transaction.js';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

const watched = Symbol.for('scandesk.locks-watched');
const found: string[] = [];
const open = new WeakMap<pg.Client, LockedTransaction>();

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
  const prototype = pg.Client.prototype as unknown as { query: Query; [watched]?: boolean };
  if (prototype[watched]) {
    return;
  }
  const { query } = prototype;
  prototype[watched] = true;
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

watch();
afterEach(reportLocks);
afterAll(reportLocks);
