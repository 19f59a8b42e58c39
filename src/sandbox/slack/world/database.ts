/** The workspace's SQLite file and its schema. */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { openSqliteFile } from '../../sqlite.js';

export type Database = DatabaseSyncInstance;

const tables = `
  CREATE TABLE IF NOT EXISTS people (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, profile TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS teams (id TEXT PRIMARY KEY, position INTEGER NOT NULL, profile TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS channels (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, position INTEGER NOT NULL, profile TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS members (
    channel TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (channel, person)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS messages (
    channel TEXT NOT NULL, ts TEXT NOT NULL, thread_ts TEXT, ephemeral_for TEXT, body TEXT NOT NULL,
    PRIMARY KEY (channel, ts)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS replies ON messages (channel, thread_ts) WHERE thread_ts IS NOT NULL;
  CREATE TABLE IF NOT EXISTS client_msg_ids (
    team TEXT NOT NULL, id TEXT NOT NULL, channel TEXT NOT NULL, ts TEXT NOT NULL, PRIMARY KEY (team, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS installs (
    token_hash TEXT PRIMARY KEY, team TEXT NOT NULL, scopes TEXT NOT NULL, state TEXT NOT NULL, installed_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS files (
    id TEXT PRIMARY KEY, team TEXT NOT NULL, profile TEXT NOT NULL, content BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS homes (person TEXT PRIMARY KEY, view TEXT NOT NULL) STRICT;
`;

/** Opens the file (`:memory:` stores nothing) and creates missing tables. */
export async function openDatabase(file: string): Promise<Database> {
  const database = await openSqliteFile(file, { foreignKeys: true, synchronous: 'NORMAL' });
  database.exec(tables);
  return database;
}
