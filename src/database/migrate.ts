/**
 * The migration run of a starting process. Several may start at once: PostgreSQL's advisory lock or SQLite's write lock
 * lets one run the migrations, and the other processes find them migrated.
 */
import { type Kysely, Migrator, sql } from 'kysely';
import type { Log } from '../log.js';
import { StoreError, type StoreErrorCode } from './errors.js';
import { migrations } from './migrations/index.js';
import type { Schema } from './schema.js';
import type { StoreKind } from './types.js';

/** Error codes of the database's state rather than of a migration. */
const temporaryCodes = new Set<StoreErrorCode>(['store.unavailable', 'store.busy', 'store.locked', 'store.full']);

/**
 * @throws StoreError `store.unavailable`, `store.busy`, `store.locked`, `store.full`; else `store.migration` with the
 * reason as its cause: `store.too_old` or `store.too_new` for tables of another version. A failed migration is rolled
 * back.
 */
export async function migrate(db: Kysely<Schema>, kind: StoreKind, log: Log): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, migrationFor]) => [name, migrationFor(kind)])),
    },
    // Kysely orders past migrations by the clock of the machine that ran them, and that clock may have been wrong.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error instanceof StoreError && temporaryCodes.has(error.code)) {
    throw error;
  }
  if (error !== undefined) {
    const code = await otherVersion(db).catch(() => undefined);
    const cause = code ? new StoreError(code, 'another version made the tables', { cause: error }) : error;
    throw new StoreError('store.migration', 'the database could not be migrated', { cause });
  }
  const steps = (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
  if (steps.length > 0) {
    log.info({ steps: steps.length }, 'the database was migrated');
  }
}

/** Which version made the tables, if it is one whose migrations this version does not have. */
async function otherVersion(db: Kysely<Schema>): Promise<'store.too_old' | 'store.too_new' | undefined> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const isUnknown = rows.some(({ name }) => !Object.hasOwn(migrations, name));
  const isOfThisLine = rows.some(({ name }) => name === Object.keys(migrations)[0]);
  return isUnknown ? (isOfThisLine ? 'store.too_new' : 'store.too_old') : undefined;
}
