/**
 * The Kysely dialect for a SqliteEngine. Scandesk's own driver hands out the engine's one connection.
 * Transactions begin IMMEDIATE, so that none fails half way for a lock.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { StorableValue } from '../bind-values.js';
import { isRepeated, type RepeatedQuery } from '../bulk.js';
import type { RawStatement } from './sqlite-driver.js';
import type { SqliteEngine } from './sqlite-engine.js';

export function sqliteDialect(engine: SqliteEngine): Dialect {
  return {
    createDriver: () => new EngineDriver(engine),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/**
 * SQLite can roll back DDL; Kysely's adapter says otherwise. So the migrations run in one immediate transaction, which
 * is also their lock.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class EngineDriver implements Driver {
  readonly #engine: SqliteEngine;
  readonly #connection: EngineConnection;

  constructor(engine: SqliteEngine) {
    this.#engine = engine;
    this.#connection = new EngineConnection(engine);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#engine.acquire();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    await this.#engine.begin();
  }

  async commitTransaction(): Promise<void> {
    this.#engine.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    this.#engine.rollback();
  }

  async releaseConnection(): Promise<void> {
    this.#engine.release();
  }

  async destroy(): Promise<void> {
    await this.#engine.close();
  }
}

class EngineConnection implements DatabaseConnection {
  readonly #engine: SqliteEngine;

  constructor(engine: SqliteEngine) {
    this.#engine = engine;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#engine.statement(query.sql);
    const writes = writesOnly(query);
    if (isRepeated(query)) {
      return {
        rows: writes
          ? runAll(statement, query.parameterLists)
          : query.parameterLists.flatMap((parameters) => statement.all(...parameters) as Row[]),
      };
    }
    const parameters = query.parameters as readonly StorableValue[];
    if (writes) {
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    return { rows: statement.all(...parameters) as Row[] };
  }

  // biome-ignore lint/correctness/useYield: no query is streamed.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('streams are not supported');
  }
}

function runAll(statement: RawStatement, parameterLists: RepeatedQuery['parameterLists']): [] {
  for (const parameters of parameterLists) {
    statement.run(...parameters);
  }
  return [];
}

/** True for a query that changes rows and returns none: run as such, its errors carry SQLite's own code. */
function writesOnly({ query, sql }: CompiledQuery): boolean {
  switch (query.kind) {
    case 'InsertQueryNode':
    case 'UpdateQueryNode':
    case 'DeleteQueryNode':
    case 'MergeQueryNode':
      return !('returning' in query && query.returning);
    case 'RawNode':
      return /^\s*(insert|update|delete|replace)\b/i.test(sql) && !/\breturning\b/i.test(sql);
    default:
      return false;
  }
}
