/**
 * Owns what both dialects have in common: every parameter passes the edge on its way in, every error leaves with a
 * stable code. One decorator around a dialect's driver, so that no query can go around it.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { storable } from '../edge.js';
import { toStoreError } from '../errors.js';

export function guardDialect(dialect: Dialect): Dialect {
  return {
    createDriver: () => new GuardedDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

type CompileQuery = Parameters<NonNullable<Driver['savepoint']>>[2];

class GuardedDriver implements Driver {
  readonly #inner: Driver;

  constructor(inner: Driver) {
    this.#inner = inner;
  }

  async init(): Promise<void> {
    await coded(this.#inner.init());
  }

  async acquireConnection(): Promise<GuardedConnection> {
    try {
      return new GuardedConnection(await this.#inner.acquireConnection());
    } catch (error) {
      throw toStoreError(error, 'store.unavailable');
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await coded(this.#inner.beginTransaction(innerOf(connection), settings));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await coded(this.#inner.commitTransaction(innerOf(connection)));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await coded(this.#inner.rollbackTransaction(innerOf(connection)));
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: CompileQuery): Promise<void> {
    await coded(this.#inner.savepoint?.(innerOf(connection), name, compile));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: CompileQuery): Promise<void> {
    await coded(this.#inner.rollbackToSavepoint?.(innerOf(connection), name, compile));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string, compile: CompileQuery): Promise<void> {
    await coded(this.#inner.releaseSavepoint?.(innerOf(connection), name, compile));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#inner.releaseConnection(innerOf(connection));
  }

  async destroy(): Promise<void> {
    await this.#inner.destroy();
  }
}

class GuardedConnection implements DatabaseConnection {
  constructor(readonly inner: DatabaseConnection) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const checked = check(query);
    return await coded(this.inner.executeQuery<Row>(checked));
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    try {
      yield* this.inner.streamQuery<Row>(check(query), chunkSize);
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof GuardedConnection ? connection.inner : connection;
}

function check(query: CompiledQuery): CompiledQuery {
  return { ...query, parameters: query.parameters.map(storable) };
}

async function coded<T>(work: Promise<T> | T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toStoreError(error);
  }
}
