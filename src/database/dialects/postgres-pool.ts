/**
 * A PostgreSQL connection pool in which waits end: for a lock, a statement, an idle transaction, a connection. One that
 * does not answer is closed with all others of the pool. Limits that an operator has set take precedence.
 */
import { Socket } from 'node:net';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.js';

/** The limits of waits in milliseconds; 0 means no limit. */
export interface PostgresLimits {
  /** How long a statement waits for a lock (`lock_timeout`): two waits end before a device gives up. */
  readonly lockMs: number;
  /** How long a statement may take (`statement_timeout`). */
  readonly statementMs: number;
  /**
   * How long a transaction may be idle (`idle_in_transaction_session_timeout`). Scandesk's transactions only wait for
   * the database between two statements.
   */
  readonly idleInTransactionMs: number;
  /** How long past its timeout a statement's answer is awaited before the connection counts as dead. */
  readonly graceMs: number;
  /** How long to wait for a connection, new or free. */
  readonly connectMs: number;
}

export const usualLimits: PostgresLimits = {
  lockMs: 1_500,
  statementMs: 8_000,
  idleInTransactionMs: 5_000,
  graceMs: 2_000,
  connectMs: 5_000,
};

/**
 * The limits of a migration, whose statements may take long; its wait for a table's lock ends, as the wait blocks later
 * statements on the table.
 */
export const migrationLimits: Partial<PostgresLimits> = {
  lockMs: 10_000,
  statementMs: 0,
  idleInTransactionMs: 30_000,
};

/** How long a connection is idle before TCP keepalive probes start. */
const keepAliveMs = 10_000;

/**
 * The query that sets the limits. They are no connection parameters, since a pooler in between (PgBouncer) rejects
 * parameters it does not know. Limits that an operator set for this user, database or connection stay.
 */
const setLimitsSql = `select name, setting, given, case when not given then set_config(name, wanted, false) end
  from (
    select name, setting, value as wanted, source in ('client', 'user', 'database', 'database user', 'global') as given
    from json_each_text($1::json) join pg_settings on name = key
  ) as limits`;

/** Statements take milliseconds: to start parallel workers, or to compile a plan, would take many times as long. */
const planningSettings = { max_parallel_workers_per_gather: '0', jit: 'off' };

type PooledClient = pg.Client & pg.PoolClient;

interface Generation {
  readonly pool: pg.Pool;
  readonly sockets: Set<Socket>;
}

export function createPostgresPool(
  options: Pick<pg.PoolConfig, 'types' | 'idleTimeoutMillis'> & {
    readonly url: string;
    readonly size: number;
    readonly name: string;
    readonly log: Log;
    readonly limits?: Partial<PostgresLimits> | undefined;
    /** SQL that runs once on each connection. */
    readonly setUp?: string;
  },
) {
  const { log } = options;
  const limits = { ...usualLimits, ...options.limits };
  const limitedClients = new WeakMap<pg.ClientBase, LimitedClient>();

  const openPool = (): Generation => {
    const sockets = new Set<Socket>();
    const pool = new pg.Pool({
      connectionString: options.url,
      max: options.size,
      application_name: options.name,
      connectionTimeoutMillis: limits.connectMs,
      ...(options.idleTimeoutMillis === undefined ? {} : { idleTimeoutMillis: options.idleTimeoutMillis }),
      ...(options.types ? { types: options.types } : {}),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      stream: () => {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
      // The pool awaits this function, though its type does not say so; a connection that rejects is not used.
      onConnect: async (client) => {
        // A connection that breaks between two queries of a transaction emits an event; unhandled, it would end the
        // process.
        client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'));
        const statementMs = await prepare(client as PooledClient);
        const silentMs = statementMs === 0 ? undefined : statementMs + limits.graceMs;
        limitedClients.set(client, new LimitedClient(client as PooledClient, silentMs, () => retire(generation)));
      },
    });
    pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
    const generation = { pool, sockets };
    return generation;
  };

  /** Sets up a new connection. Returns its statement timeout in force, in milliseconds; 0 means no limit. */
  const prepare = async (client: PooledClient): Promise<number> => {
    const sessionSettings = JSON.stringify({
      lock_timeout: `${limits.lockMs}`,
      statement_timeout: `${limits.statementMs}`,
      idle_in_transaction_session_timeout: `${limits.idleInTransactionMs}`,
      ...planningSettings,
    });
    const timer = setTimeout(() => void client.end(), limits.connectMs);
    try {
      if (options.setUp !== undefined) {
        await client.query(options.setUp);
      }
      const { rows } = await client.query<{ name: string; setting: string; given: boolean }>(setLimitsSql, [
        sessionSettings,
      ]);
      const statement = rows.find(({ name }) => name === 'statement_timeout');
      return statement?.given ? Number(statement.setting) : limits.statementMs;
    } finally {
      clearTimeout(timer);
    }
  };

  let currentPool = openPool();
  let ending: Promise<void> | undefined;

  /** Replaces the pool once a connection does not answer: each of its idle ones might cost as long a wait. */
  const retire = (generation: Generation): void => {
    log.warn('a database connection does not respond: reconnecting all');
    if (generation === currentPool && !ending) {
      currentPool = openPool();
      close(generation).catch((error: unknown) =>
        log.warn({ err: error }, 'old database connections could not be closed'),
      );
    }
  };

  return {
    /** A connection, which the caller must release. Rejects as `pg` does. */
    async connect() {
      const client = await currentPool.pool.connect();
      return limitedClients.get(client) as LimitedClient;
    },
    /** Ends each connection as soon as it is released, without waiting for the server's answer. */
    end: () => (ending ??= close(currentPool)),
  };
}

/** A Terminate message that nobody answers would keep its socket, and the process, for a quarter of an hour. */
async function close({ pool, sockets }: Generation): Promise<void> {
  await pool.end();
  for (const socket of sockets) {
    socket.destroySoon();
  }
}

export class LimitedClient implements PostgresPoolClient {
  readonly #client: PooledClient;
  readonly #silentMs: number | undefined;
  readonly #onSilence: () => void;

  constructor(client: PooledClient, silentMs: number | undefined, onSilence: () => void) {
    this.#client = client;
    this.#silentMs = silentMs;
    this.#onSilence = onSilence;
  }

  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof sql !== 'string') {
      throw new TypeError('cursors are not supported');
    }
    return this.run({ text: sql, values: [...parameters] }) as Promise<unknown> as Promise<PostgresQueryResult<R>>;
  }

  /** Runs a query. A connection that broke or does not answer is ended at once, and leaves the pool when released. */
  async run<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const timer =
      this.#silentMs === undefined
        ? undefined
        : setTimeout(() => {
            // `end` does not wait for the query under way: that query and later ones reject at once.
            void this.#client.end();
            this.#onSilence();
          }, this.#silentMs);
    try {
      return await this.#client.query<R>(query);
    } catch (error) {
      if (isLostConnection(error)) {
        void this.#client.end();
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  release(): void {
    this.#client.release();
  }
}

/** `pg` reports the server's own errors by a class; a connection that broke or was refused is a plain Error. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}
