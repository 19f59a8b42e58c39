/**
 * The PostgreSQL dialect: Kysely's own over a pool in which statements have a timeout. 64-bit integers come back as
 * numbers (times in milliseconds, counts), as they do from SQLite.
 */
import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../../log.js';
import { createPostgresPool, type PostgresLimits } from './postgres-pool.js';

const int8 = 20;

export function postgresDialect(options: {
  url: string;
  poolSize: number;
  log: Log;
  limits?: Partial<PostgresLimits> | undefined;
}): Dialect {
  const { url, poolSize: size, log, limits } = options;
  return new PostgresDialect({
    pool: async () =>
      createPostgresPool({ url, size, log, limits, name: 'scandesk', types: { getTypeParser: typeParser } }),
  });
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
