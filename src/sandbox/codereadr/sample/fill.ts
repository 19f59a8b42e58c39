/**
 * Sample data for a new file: an account to work with, a second one to show that accounts are separate, and a third on
 * the free plan, which has no API access.
 */
import type { Random } from '../../../clock.js';
import { hashKey } from '../access.js';
import { hashPassword } from '../operations/password.js';
import { fold, type Sql } from '../store/sqlite.js';
import { devices, questions, services, users } from './people.js';
import { sampleScans } from './scans.js';
import { type SampleDatabase, sampleDatabases, sharedValue } from './values.js';

export interface AccountKeys {
  /** The account with the sample data. */
  readonly demo: string;
  /** Another paying account with a little data of its own. */
  readonly other: string;
  /** An account on the free plan: every call is refused with 10. */
  readonly free: string;
}

/** The API keys of the sample accounts. They are public: they work with the embedded service alone. */
export const sampleKeys: AccountKeys = {
  demo: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  other: 'b2c3d4e5f60718293a4b5c6d7e8f90a1',
  free: 'c3d4e5f60718293a4b5c6d7e8f90a1b2',
};

/** The password of every sample user with a name instead of an e-mail address. It is as public as the keys. */
export const samplePassword = 'harbour-lights';

export const demoAccountId = 1;

/** The first id of each kind, distinct, so that an id is never mistaken for one of another kind. */
const firstIds = {
  database: 1021,
  service: 1201,
  user: 701,
  device: 571,
  question: 381,
  scan: 13_001,
  upload: 4_001,
} as const;

const dayMs = 86_400_000;

export async function fillSample({ sql, now, random }: { sql: Sql; now: number; random: Random }): Promise<void> {
  const password = await hashPassword(samplePassword, random);
  sql.transaction(() => {
    addAccount(sql, { name: 'Harbour Lights', plan: 'paid', key: sampleKeys.demo });
    const databases = sampleDatabases();
    databases.forEach((database, index) => {
      addDatabase(sql, demoAccountId, firstIds.database + index, database, now);
    });
    addPeople(sql, now, password);
    addServices(sql);
    addScans(sql, now, databases);

    const otherAccount = addAccount(sql, { name: 'Tidewater Books', plan: 'paid', key: sampleKeys.other });
    addDatabase(
      sql,
      otherAccount,
      firstIds.database + 500,
      {
        name: 'Books',
        caseSensitive: false,
        values: [{ value: sharedValue, response: 'A book of another account', valid: true }],
      },
      now,
    );
    addAccount(sql, { name: 'Corner Shop', plan: 'free', key: sampleKeys.free });
  });
}

/** Applies the start options: the demo account's key and limits. */
export function setDemoAccount(sql: Sql, keys: AccountKeys, limits: { minute?: number; day?: number }): void {
  sql.transaction(() => {
    sql.run('DELETE FROM api_keys WHERE account_id = ?', demoAccountId);
    sql.run('INSERT INTO api_keys (hash, account_id) VALUES (?, ?)', hashKey(keys.demo), demoAccountId);
    for (const period of ['minute', 'day'] as const) {
      const limit = limits[period];
      if (limit !== undefined) sql.run(`UPDATE accounts SET ${period}_limit = ? WHERE id = ?`, limit, demoAccountId);
    }
  });
}

function addAccount(sql: Sql, account: { name: string; plan: 'paid' | 'free'; key: string }): number {
  const { id } = sql.run(
    'INSERT INTO accounts (name, plan, time_zone, minute_limit, day_limit) VALUES (?, ?, ?, ?, ?)',
    account.name,
    account.plan,
    'America/New_York',
    30,
    21_600,
  );
  sql.run('INSERT INTO api_keys (hash, account_id) VALUES (?, ?)', hashKey(account.key), id);
  return id;
}

function addDatabase(sql: Sql, accountId: number, id: number, database: SampleDatabase, now: number): void {
  sql.run(
    'INSERT INTO databases (id, account_id, name, folded, case_sensitive, changed_at) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    accountId,
    database.name,
    fold(database.name),
    Number(database.caseSensitive),
    now - 20 * dayMs,
  );
  for (const { value, response, valid } of database.values) {
    sql.run(
      'INSERT INTO database_values (database_id, value, folded, response, validity) VALUES (?, ?, ?, ?, ?)',
      id,
      value,
      database.caseSensitive ? value : fold(value),
      response,
      Number(valid),
    );
  }
}

function addPeople(sql: Sql, now: number, password: string): void {
  users.forEach((user, index) => {
    sql.run(
      `INSERT INTO users (id, account_id, username, folded, password, device_limit, is_owner, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      firstIds.user + index,
      demoAccountId,
      user.username,
      fold(user.username),
      user.username.includes('@') ? null : password,
      user.deviceLimit,
      Number(user.owner),
      now - (60 - index) * dayMs,
    );
  });
  devices.forEach((device, index) => {
    sql.run(
      'INSERT INTO devices (id, account_id, udid, name, created_at) VALUES (?, ?, ?, ?, ?)',
      firstIds.device + index,
      demoAccountId,
      device.udid,
      device.name,
      now - (50 - index) * dayMs,
    );
  });
  questions.forEach((question, index) => {
    const id = firstIds.question + index;
    sql.run(
      'INSERT INTO questions (id, account_id, text, type) VALUES (?, ?, ?, ?)',
      id,
      demoAccountId,
      question.text,
      question.type,
    );
    for (const answer of question.answers) sql.run('INSERT INTO answers (question_id, text) VALUES (?, ?)', id, answer);
  });
}

function addServices(sql: Sql): void {
  services.forEach((service, index) => {
    const id = firstIds.service + index;
    sql.run(
      'INSERT INTO services (id, account_id, name, folded, method, database_id, settings) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      demoAccountId,
      service.name,
      fold(service.name),
      service.method,
      service.database === undefined ? null : firstIds.database + service.database,
      JSON.stringify(service.settings),
    );
    for (const user of service.users) {
      sql.run('INSERT INTO service_users (service_id, user_id) VALUES (?, ?)', id, firstIds.user + user);
    }
    for (const { question, condition } of service.questions) {
      sql.run(
        'INSERT INTO service_questions (service_id, question_id, condition, required) VALUES (?, ?, ?, 0)',
        id,
        firstIds.question + question,
        condition,
      );
    }
  });
}

function addScans(sql: Sql, now: number, databases: readonly SampleDatabase[]): void {
  const scans = sampleScans(now, databases);
  for (const scan of scans) {
    if (scan.upload === undefined) continue;
    sql.run(
      `INSERT OR IGNORE INTO uploads (id, account_id, service_id, device_id, user_id, status, at) VALUES (?, ?, ?, ?, ?, 1, ?)`,
      firstIds.upload + scan.upload,
      demoAccountId,
      firstIds.service + scan.service,
      firstIds.device + scan.device,
      firstIds.user + scan.user,
      scan.receivedAt,
    );
  }
  scans.forEach((scan, index) => {
    const id = firstIds.scan + index;
    sql.run(
      `INSERT INTO scans (id, account_id, service_id, device_id, user_id, upload_id, value, status, response,
         scanned_at, received_at, modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      demoAccountId,
      firstIds.service + scan.service,
      firstIds.device + scan.device,
      firstIds.user + scan.user,
      scan.upload === undefined ? null : firstIds.upload + scan.upload,
      scan.value,
      scan.status,
      scan.response,
      scan.scannedAt,
      scan.receivedAt,
      scan.receivedAt,
    );
    for (const { question, answer } of scan.answers) {
      sql.run(
        'INSERT INTO scan_answers (scan_id, question_id, question, answer) VALUES (?, ?, ?, ?)',
        id,
        firstIds.question + question,
        questions[question]?.text ?? '',
        answer,
      );
    }
    for (const [name, value] of scan.properties) {
      sql.run('INSERT INTO scan_properties (scan_id, name, value) VALUES (?, ?, ?)', id, name, value);
    }
  });
}
