/**
 * The Kysely dialect for a SqliteEngine. Only the driver is ours: it hands out the engine's one connection.
 * Transactions begin IMMEDIATE, so that none fails half way for a lock.
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { StorableValue } from '../bind-values.js';
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

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint ${quoted(name)}`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to ${quoted(name)}`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release ${quoted(name)}`));
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
    const parameters = query.parameters as readonly StorableValue[];
    if (writesOnly(query)) {
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    const rows = statement.all(...parameters) as Row[];
    if (
      rows.length === 0 &&
      query.query.kind === 'RawNode' &&
      /^\s*(insert|update|delete|replace)\b/i.test(query.sql)
    ) {
      const counted = this.#engine.statement('select changes() as changes').get() as { changes: number };
      return { rows, numAffectedRows: BigInt(counted.changes) };
    }
    return { rows };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    const statement = this.#engine.freshStatement(query.sql);
    for (const row of statement.iterate(...(query.parameters as readonly StorableValue[]))) {
      yield { rows: [row as Row] };
    }
  }
}

/** True for a built query that changes rows and returns none. Raw SQL may return rows, so it is always read. */
function writesOnly({ query }: CompiledQuery): boolean {
  switch (query.kind) {
    case 'InsertQueryNode':
    case 'UpdateQueryNode':
    case 'DeleteQueryNode':
    case 'MergeQueryNode':
      return !('returning' in query && query.returning);
    default:
      return false;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
