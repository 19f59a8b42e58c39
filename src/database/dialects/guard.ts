/**
 * A decorator for both dialects: validates every parameter and gives every error a stable code. It wraps the driver, so
 * that no query bypasses it.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { storable } from '../bind-values.js';
import { isRepeated } from '../bulk.js';
import { toStoreError } from '../errors.js';

/** @param isLost tells a lost connection from an error that the database itself reports */
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
    await coded(this.#inner.init(), this.#translate);
  }

  async acquireConnection(): Promise<GuardedConnection> {
    try {
      return new GuardedConnection(await this.#inner.acquireConnection(), this.#translate);
    } catch (error) {
      throw toStoreError(error, 'store.unavailable');
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await coded(this.#inner.beginTransaction(innerOf(connection), settings), this.#translate);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await coded(this.#inner.commitTransaction(innerOf(connection)), this.#translate);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await coded(this.#inner.rollbackTransaction(innerOf(connection)), this.#translate);
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
    const checked = check(query);
    return await coded(this.inner.executeQuery<Row>(checked), this.#translate);
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof GuardedConnection ? connection.inner : connection;
}

function check(query: CompiledQuery): CompiledQuery {
  if (isRepeated(query)) {
    // A repeated query was checked where its rows were read.
    return query;
  }
  return { ...query, parameters: query.parameters.map(storable) };
}

async function coded<T>(work: Promise<T> | T, translate: Translate): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translate(error);
  }
}
