/**
 * Owns the connection to PostgreSQL: Kysely's own dialect over a `pg` pool. 64-bit integers come back as numbers
 * (times in milliseconds, counts), as they do from SQLite.
 */
import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.js';

const int8 = 20;
/** How long a query waits for a connection before it says that the database is unavailable. */
const connectTimeoutMs = 5_000;

export function postgresDialect(options: { url: string; poolSize: number; log: Log }): Dialect {
  return new PostgresDialect({
    pool: async () => {
      const pool = new pg.Pool({
        connectionString: options.url,
        max: options.poolSize,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        application_name: 'scandesk',
        types: { getTypeParser: typeParser },
      });
      // A connection that breaks while it is idle is an event of the pool, one that breaks between two queries of a
      // transaction an event of its own; unheard, either would end the process.
      pool.on('error', (error) => options.log.warn({ err: error }, 'an idle database connection broke'));
      pool.on('connect', (client) => {
        client.on('error', (error) => options.log.warn({ err: error }, 'a database connection broke'));
      });
      return pool;
    },
  });
}

/** `pg` tells the server's own errors by a class; a connection that broke or was refused is a plain Error. */
export function isLostConnection(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === int8 && format !== 'binary') {
    return safeNumber;
  }
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}

function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError('a 64-bit integer of the database is past what a number holds');
  }
  return value;
}
