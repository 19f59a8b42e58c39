/**
 * Owns looking rows up by their whole keys on PostgreSQL while a device waits: each statement is planned once a connection, and
 * the connections are its own, so that no question waits for a commit's. Refuses nothing and changes nothing.
 */
import pg from 'pg';
import type { Log } from '../log.js';
import { isLostConnection } from './dialects/postgres.js';
import { toStoreError } from './errors.js';
import type { Reads } from './types.js';

const connections = 2;
const connectTimeoutMs = 5_000;
/** A connection that goes takes its plans along. */
const idleMs = 10 * 60_000;

/** A plan is kept while its table grows a millionfold: only the index serves every size. */
const byIndex = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';

export function createReads({ url, log }: { url: string; log: Log }): Reads & { close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    application_name: 'scandesk reads',
    // It is waited for, whatever its type says; a connection that refuses is not used.
    onConnect: (client) => {
      client.on('error', (error) => log.warn({ err: error }, 'a database connection broke'));
      return client.query(byIndex);
    },
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  let ended: Promise<void> | undefined;
  return {
    async all<Row>({ name, text }: { readonly name: string; readonly text: string }, values: readonly unknown[]) {
      try {
        const { rows } = await pool.query({ name, text, values: [...values] });
        return rows as Row[];
      } catch (error) {
        throw toStoreError(error, isLostConnection(error) ? 'store.unavailable' : 'store.failed');
      }
    },
    async close() {
      ended ??= pool.end();
      await ended;
    },
  };
}
