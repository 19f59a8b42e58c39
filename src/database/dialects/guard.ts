/**
 * A decorator for both dialects: validates every parameter and gives every error a stable code. It wraps the driver, so
 * that no query of Kysely bypasses it; prepared-reads.ts has connections of its own.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { storable } from '../bind-values.js';
import { isRepeated } from '../bulk.js';
import { toStoreError } from '../errors.js';

/** @param isLost whether an error is a lost connection, not an error that the database itself reports */
export function guardDialect(dialect: Dialect, isLost: (error: unknown) => boolean = () => false): Dialect {
  const translate: Translate = (error) => toStoreError(error, isLost(error) ? 'store.unavailable' : 'store.failed');
  return {
    createDriver: () => new GuardedDriver(dialect.createDriver(), translate),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

type Translate = (error: unknown) => Error;

class GuardedDriver implements Driver {
  readonly #inner: Driver;
  readonly #translate: Translate;

  constructor(inner: Driver, translate: Translate) {
    this.#inner = inner;
    this.#translate = translate;
  }

  async init(): Promise<void> {
    await withStoreError(this.#inner.init(), this.#translate);
  }

  async acquireConnection(): Promise<GuardedConnection> {
    try {
      return new GuardedConnection(await this.#inner.acquireConnection(), this.#translate);
    } catch (error) {
      throw toStoreError(error, 'store.unavailable');
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await withStoreError(this.#inner.beginTransaction(innerOf(connection), settings), this.#translate);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await withStoreError(this.#inner.commitTransaction(innerOf(connection)), this.#translate);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await withStoreError(this.#inner.rollbackTransaction(innerOf(connection)), this.#translate);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#inner.releaseConnection(innerOf(connection));
  }

  async destroy(): Promise<void> {
    await this.#inner.destroy();
  }
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #translate: Translate;

  constructor(inner: DatabaseConnection, translate: Translate) {
    this.inner = inner;
    this.#translate = translate;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return await withStoreError(this.inner.executeQuery<Row>(checkedQuery(query)), this.#translate);
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof GuardedConnection ? connection.inner : connection;
}

function checkedQuery(query: CompiledQuery): CompiledQuery {
  if (isRepeated(query)) {
    // The parameters of a repeated query were validated in bulk.ts.
    return query;
  }
  return { ...query, parameters: query.parameters.map(storable) };
}

async function withStoreError<T>(work: Promise<T> | T, translate: Translate): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translate(error);
  }
}
