/** The schema of 1.0.0 as it was recorded: an edit of its migration would leave older databases without what it adds. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { CompiledQuery, Kysely } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations/index.js';
import type { StoreKind } from '../../src/database/types.js';
import { fixture } from './old-version.js';

const folder = mkdtempSync(join(tmpdir(), 'scandesk-schema-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tables and indexes by their statements; not what SQLite and the migrator keep for themselves. */
function schemaOf(database: DatabaseSyncInstance): Readonly<Record<string, string>> {
  const rows = database.prepare('select name, sql from sqlite_master where sql is not null order by name').all();
  return Object.fromEntries(
    (rows as { name: string; sql: string }[])
      .filter(({ name }) => !/^(sqlite|kysely)_/.test(name))
      .map(({ name, sql }) => [name, sql]),
  );
}

/** The statements that migration 001 sends to a database. */
async function statementsOf(kind: StoreKind): Promise<readonly string[]> {
  const sent: string[] = [];
  const executeQuery = async ({ sql }: CompiledQuery) => void sent.push(sql);
  await migrations['001-schema']!(kind).up({ executeQuery } as unknown as Kysely<unknown>);
  return sent;
}

it('migration 001 creates exactly the schema of version 1.0.0 on SQLite', async () => {
  const file = join(folder, 'recorded.db');
  writeFileSync(file, fixture('scandesk.db.gz'));
  const recorded = new DatabaseSync(file, { readOnly: true });
  const made = new DatabaseSync(':memory:');
  for (const statement of await statementsOf('sqlite')) {
    made.exec(statement);
  }
  const was = schemaOf(recorded);
  expect(Object.keys(was)).toContain('received_scans');
  expect(schemaOf(made)).toEqual(was);
  recorded.close();
  made.close();
});

// The recording of PostgreSQL has rows alone, so a hash stands for the statements of its tables.
it('migration 001 sends exactly the statements of version 1.0.0 to PostgreSQL', async () => {
  const sent = (await statementsOf('postgres')).join(';');
  expect(createHash('sha256').update(sent).digest('hex')).toBe(
    'e887362c61cf924b4f734eb9ecc23fdb6ec3cecec97cdebe8c5ca598a1d254e7',
  );
});
