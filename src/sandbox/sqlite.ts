/** A SQLite file, by Node's own driver or the npm package of the same code, and transactions, which do not nest. */
import type { DatabaseSync, DatabaseSyncInstance } from '@photostructure/sqlite';

/**
 * Opens (or creates) the file; `:memory:` keeps everything in memory.
 * @throws whatever the driver throws when the file cannot be opened
 */
export async function openSqliteFile(
  file: string,
  { foreignKeys, synchronous }: { readonly foreignKeys: boolean; readonly synchronous: 'FULL' | 'NORMAL' },
): Promise<DatabaseSyncInstance> {
  const builtIn = process.getBuiltinModule?.('node:sqlite') as { DatabaseSync: typeof DatabaseSync } | undefined;
  const driver = builtIn ?? (await import('@photostructure/sqlite'));
  const database = new driver.DatabaseSync(file, { enableForeignKeyConstraints: foreignKeys });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 5000;`);
  return database;
}

/** Commits all of `work` or nothing. `work` must not await: nothing else may run in between. */
export function transaction<T>(database: DatabaseSyncInstance, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
