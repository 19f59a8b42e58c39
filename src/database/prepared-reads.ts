/**
 * Prepared lookups by whole keys on PostgreSQL, for requests that a device waits on. Statements are planned once per
 * connection; the pool is separate, so that no lookup waits for a commit's connection.
 */
import type { Log } from '../log.js';
import { createPostgresPool, isLostConnection, type PostgresLimits } from './dialects/postgres-pool.js';
import { toStoreError } from './errors.js';
import type { Reads } from './types.js';

const connections = 2;
/** How long an idle connection stays open: one that closes loses its plans. */
const idleTimeoutMs = 10 * 60_000;

/** Limits of these lookups, which take milliseconds: a slow lookup must leave time to answer the device. */
const lookupLimits = { statementMs: 1_500, graceMs: 500 };

/** A plan is kept while its table grows a millionfold, so it must use the index: only that serves every size. */
const indexOnlySql = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';

export function createReads(options: {
  url: string;
  log: Log;
  limits?: Partial<PostgresLimits> | undefined;
}): Reads & { close(): Promise<void> } {
  const pool = createPostgresPool({
    ...options,
    limits: { ...lookupLimits, ...options.limits },
    name: 'scandesk reads',
    size: connections,
    idleTimeoutMillis: idleTimeoutMs,
    setUp: indexOnlySql,
  });
  return {
    async all<Row>({ name, text }: { readonly name: string; readonly text: string }, values: readonly unknown[]) {
      try {
        const client = await pool.connect();
        try {
          const { rows } = await client.run({ name, text, values: [...values] });
          return rows as Row[];
        } finally {
          client.release();
        }
      } catch (error) {
        throw toStoreError(error, isLostConnection(error) ? 'store.unavailable' : 'store.failed');
      }
    },
    close: () => pool.end(),
  };
}
