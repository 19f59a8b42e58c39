/**
 * The tables of the embedded account service. API keys and passwords are stored as hashes only; times are milliseconds
 * since the epoch; ids are numbers that are never reused, as in the real service.
 */
import type { Sql } from './sqlite.js';

const version = 1;

const tables = `
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  get_allowed INTEGER NOT NULL DEFAULT 0,
  time_zone TEXT NOT NULL,
  minute_limit INTEGER NOT NULL,
  day_limit INTEGER NOT NULL
);
CREATE TABLE api_keys (
  hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE TABLE counters (
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  period TEXT NOT NULL,
  began TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, period)
);
CREATE TABLE databases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  case_sensitive INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  UNIQUE (account_id, folded)
);
CREATE TABLE database_values (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id INTEGER NOT NULL REFERENCES databases(id) ON DELETE CASCADE,
  value TEXT NOT NULL,
  folded TEXT NOT NULL,
  response TEXT NOT NULL,
  validity INTEGER NOT NULL,
  UNIQUE (database_id, folded)
);
CREATE TABLE services (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  method TEXT NOT NULL,
  database_id INTEGER REFERENCES databases(id),
  settings TEXT NOT NULL,
  UNIQUE (account_id, folded)
);
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  username TEXT NOT NULL,
  folded TEXT NOT NULL,
  password TEXT,
  device_limit INTEGER,
  is_owner INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX users_by_name ON users (folded) WHERE deleted_at IS NULL;
CREATE TABLE devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  udid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE questions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  type TEXT NOT NULL
);
CREATE TABLE answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  question_id INTEGER NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
  text TEXT NOT NULL
);
CREATE INDEX answers_by_question ON answers (question_id);
CREATE TABLE service_users (
  service_id INTEGER NOT NULL REFERENCES services(id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  PRIMARY KEY (service_id, user_id)
);
CREATE TABLE service_questions (
  service_id INTEGER NOT NULL REFERENCES services(id) ON DELETE CASCADE,
  question_id INTEGER NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
  condition TEXT NOT NULL,
  required INTEGER NOT NULL,
  PRIMARY KEY (service_id, question_id)
);
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  service_id INTEGER NOT NULL REFERENCES services(id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES devices(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  status INTEGER NOT NULL,
  at INTEGER NOT NULL
);
CREATE TABLE scans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  service_id INTEGER NOT NULL REFERENCES services(id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES devices(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  upload_id INTEGER REFERENCES uploads(id) ON DELETE SET NULL,
  value TEXT NOT NULL,
  status INTEGER NOT NULL,
  response TEXT NOT NULL,
  scanned_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
);
CREATE INDEX scans_by_value ON scans (account_id, value);
CREATE INDEX scans_by_time ON scans (account_id, scanned_at);
CREATE INDEX scans_by_service ON scans (service_id);
CREATE INDEX scans_by_upload ON scans (upload_id);
CREATE TABLE scan_answers (
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  question_id INTEGER NOT NULL,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (scan_id, question_id)
);
CREATE TABLE scan_properties (
  scan_id INTEGER NOT NULL REFERENCES scans(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (scan_id, name)
);
CREATE TABLE kept_scans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES devices(id) ON DELETE CASCADE,
  service_id INTEGER NOT NULL REFERENCES services(id) ON DELETE CASCADE,
  scan TEXT NOT NULL
);
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id INTEGER NOT NULL REFERENCES databases(id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  trim INTEGER NOT NULL
);
CREATE TABLE import_rows (
  import_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  value TEXT NOT NULL,
  folded TEXT NOT NULL,
  response TEXT NOT NULL,
  validity INTEGER NOT NULL,
  PRIMARY KEY (import_id, line)
) WITHOUT ROWID;
`;

/** Creates the tables in a new file. @returns whether the file was new */
export function prepareTables(sql: Sql): boolean {
  const fileVersion = sql.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (fileVersion === version) {
    return false;
  }
  if (fileVersion !== 0) {
    throw new Error(
      `the account service's file is of version ${fileVersion}, this program knows ${version}: move it away`,
    );
  }
  sql.transaction(() => {
    sql.script(tables);
    sql.script(`PRAGMA user_version = ${version}`);
  });
  return true;
}
