/** The section `services`: creating, changing and deleting services, and their users. */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { subjects, type Variables } from '../request/variables.js';
import { fold, type Sql } from '../store/sqlite.js';
import { element } from '../xml/write.js';
import { databaseOf } from './databases-read.js';
import { namedIds } from './existing.js';
import type { Handler, Section } from './operation.js';
import { checkPeriod } from './service-period.js';
import { addQuestions, removeQuestions } from './service-questions.js';
import { type Method, readServices } from './service-row.js';
import { checkChange, checkSettings, readSettings, type Settings } from './service-settings.js';
import { retrieveServices } from './services-read.js';

const methods = ['record', 'ondevicerecord', 'database', 'ondevicedatabase', 'webview', 'postback'] as const;

function needsDatabase(method: Method): boolean {
  return method === 'database' || method === 'ondevicedatabase';
}

const create: Handler = ({ account, variables, sql, clock }) => {
  const method = variables.choice('validation_method', methods, '210');
  if (!method) throw new Refusal('210', '(validation_method)');
  const databaseId = needsDatabase(method) ? readDatabase(sql, account, variables) : undefined;
  if (needsDatabase(method) && databaseId === undefined) throw new Refusal('211');
  const givenSettings = readSettings(variables);
  const direct = variables.flag('enable_direct_scan');
  if (direct && method !== 'postback') throw new Refusal('223');
  const settings: Settings = { ...givenSettings, ...(direct ? { enable_direct_scan: '1' } : {}) };
  checkSettings(method, settings);
  checkPeriod(settings, givenSettings, account.time_zone, clock.now());
  const id = sql.transaction(() => {
    const givenName = variables.filter('service_name');
    const name = givenName === undefined ? nextName(sql, account) : freeName(sql, account, givenName);
    return sql.run(
      'INSERT INTO services (account_id, name, folded, method, database_id, settings) VALUES (?, ?, ?, ?, ?, ?)',
      account.id,
      name,
      fold(name),
      method,
      databaseId ?? null,
      JSON.stringify(settings),
    ).id;
  });
  return [element('id', id)];
};

/** Omitted settings keep their values, except `symbologies`, which are reset, as the reference says. */
const update: Handler = ({ account, variables, sql, clock }) => {
  const id = variables.id('service_id', subjects.service);
  if (variables.flag('enable_direct_scan') !== undefined) throw new Refusal('223');
  const givenSettings = readSettings(variables);
  sql.transaction(() => {
    const service = readServices(sql, account, [id])[0];
    if (!service) throw new Refusal('200');
    const { symbologies: _reset, ...keptSettings } = service.settings;
    const settings: Settings = { ...withoutUrl(keptSettings, givenSettings), ...givenSettings };
    checkSettings(service.method, settings);
    checkChange(givenSettings);
    checkPeriod(settings, givenSettings, account.time_zone, clock.now());
    const givenName = variables.text('service_name');
    const name = givenName === undefined ? service.name : freeName(sql, account, givenName, id);
    const database = needsDatabase(service.method) ? readDatabase(sql, account, variables) : undefined;
    sql.run(
      'UPDATE services SET name = ?, folded = ?, database_id = ?, settings = ? WHERE id = ?',
      name,
      fold(name),
      database ?? service.databaseId ?? null,
      JSON.stringify(settings),
      id,
    );
  });
  return [];
};

/** The settings without the URL's flags, where the call removes the URL. */
function withoutUrl(settings: Settings, changes: Settings): Settings {
  if (changes.postback_url !== '') return settings;
  const { postback_receiver_only: _a, postback_real_time_scans: _b, postback_uploaded_scans: _c, ...rest } = settings;
  return rest;
}

function readDatabase(sql: Sql, account: Account, variables: Variables): number | undefined {
  if (!variables.filter('database_id')) return undefined;
  return databaseOf(sql, account, variables).id;
}

function freeName(sql: Sql, account: Account, name: string, except = -1): string {
  if (name.trim() === '' || /[\x00-\x1f]/.test(name)) throw new Refusal('219');
  const serviceOfName = sql.get(
    'SELECT 1 FROM services WHERE account_id = ? AND folded = ? AND id <> ?',
    account.id,
    fold(name),
    except,
  );
  if (serviceOfName) throw new Refusal('215');
  return name;
}

/** The name of a new service: `Service N`, N being the next free number. */
function nextName(sql: Sql, account: Account): string {
  for (let n = 1; ; n += 1) {
    const name = `Service ${n}`;
    if (!sql.get('SELECT 1 FROM services WHERE account_id = ? AND folded = ?', account.id, fold(name))) return name;
  }
}

/** Deletes services with their scans, their uploads and the scans stored on devices. */
const remove: Handler = (call) =>
  call.sql.transaction(() => {
    for (const id of namedIds(call, 'service')) call.sql.run('DELETE FROM services WHERE id = ?', id);
    return [];
  });

function permissionHandler(statement: string): Handler {
  return (call) =>
    call.sql.transaction(() => {
      const [services, users] = [namedIds(call, 'service'), namedIds(call, 'user')];
      for (const service of services) for (const user of users) call.sql.run(statement, service, user);
      return [];
    });
}

export const services: Section = {
  retrieve: retrieveServices,
  create,
  update,
  delete: remove,
  adduserpermission: permissionHandler('INSERT OR IGNORE INTO service_users (service_id, user_id) VALUES (?, ?)'),
  revokeuserpermission: permissionHandler('DELETE FROM service_users WHERE service_id = ? AND user_id = ?'),
  addquestion: addQuestions,
  removequestion: removeQuestions,
};
