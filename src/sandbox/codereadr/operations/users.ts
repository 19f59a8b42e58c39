/**
 * The section `users`: the people who scan. A username is unique across accounts, because it alone is the login; a user
 * whose name is an e-mail address is invited and sets the password.
 */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { subjects, type Variables } from '../request/variables.js';
import { fold, type Sql } from '../store/sqlite.js';
import { element } from '../xml/write.js';
import { existingIds } from './existing.js';
import type { Handler, Section } from './operation.js';
import { hashPassword, passwordFits } from './password.js';
import { emailShape } from './service-settings.js';
import { describeUser, retrieveUsers, type UserRow } from './users-read.js';

const mostDevices = 1_000_000;

/** Checks a username. @throws Refusal 330, 340 */
function checkUsername(username: string): string {
  if (username.includes('@')) {
    if (!emailShape.test(username)) throw new Refusal('330');
    return username;
  }
  if (!/^[\p{L}\p{N}._-]+$/u.test(username)) throw new Refusal('340');
  return username;
}

function mustBeFree(sql: Sql, username: string, except = -1): void {
  const taken = sql.get(
    'SELECT 1 FROM users WHERE folded = ? AND deleted_at IS NULL AND id <> ?',
    fold(username),
    except,
  );
  if (taken) throw new Refusal('320');
}

function readLimit(variables: Variables): number | undefined {
  return variables.whole('limit', { min: 0, max: mostDevices });
}

const create: Handler = async ({ account, variables, sql, clock, random }) => {
  const givenName = variables.filter('username');
  const password = variables.filter('password');
  if (givenName === undefined) throw new Refusal(password === undefined ? '310' : '342');
  const username = checkUsername(givenName);
  const invited = username.includes('@');
  if (!invited && password === undefined) throw new Refusal('341');
  const limit = readLimit(variables);
  mustBeFree(sql, username);
  const hash = invited || password === undefined ? null : await hashPassword(password, random);
  const id = sql.transaction(() => {
    mustBeFree(sql, username);
    return sql.run(
      `INSERT INTO users (account_id, username, folded, password, device_limit, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
      account.id,
      username,
      fold(username),
      hash,
      limit ?? null,
      clock.now(),
    ).id;
  });
  return [element('id', id)];
};

const update: Handler = async ({ account, variables, sql, random }) => {
  const id = variables.id('user_id', subjects.user);
  const user = findUser(sql, account, id);
  if (user.is_owner) throw new Refusal('343');
  const givenName = variables.filter('username');
  const password = variables.filter('password');
  const limit = readLimit(variables);
  if (givenName === undefined && password === undefined && limit === undefined) throw new Refusal('310');
  const username = givenName === undefined ? undefined : checkUsername(givenName);
  const hash = password === undefined ? undefined : await hashPassword(password, random);
  sql.transaction(() => {
    const now = findUser(sql, account, id);
    if (username !== undefined) mustBeFree(sql, username, id);
    sql.run(
      'UPDATE users SET username = ?, folded = ?, password = ?, device_limit = ? WHERE id = ?',
      username ?? now.username,
      fold(username ?? now.username),
      hash ?? now.password,
      limit ?? now.device_limit,
      id,
    );
  });
  return [];
};

/** Deletes users. Their scans stay, under their names. Deleting `all` keeps the account owner's own user. */
const remove: Handler = ({ account, variables, sql, clock }) =>
  sql.transaction(() => {
    const userIds = variables.someIds('user_id', subjects.user, { all: true });
    for (const id of existingIds(sql, account, 'user', userIds)) {
      if (findUser(sql, account, id).is_owner) {
        if (userIds === 'all') continue;
        throw new Refusal('343');
      }
      sql.run('UPDATE users SET deleted_at = ? WHERE id = ?', clock.now(), id);
      sql.run('DELETE FROM service_users WHERE user_id = ?', id);
    }
    return [];
  });

/** Checks a login. An unknown name and a wrong password get the same answer *(guess: 201)*. */
const validate: Handler = async ({ account, variables, sql }) => {
  const username = variables.filter('username');
  const password = variables.filter('password');
  if (username === undefined) throw new Refusal(password === undefined ? '310' : '342');
  if (password === undefined) throw new Refusal('341');
  const user = sql.get<UserRow>(
    'SELECT * FROM users WHERE account_id = ? AND folded = ? AND deleted_at IS NULL',
    account.id,
    fold(username),
  );
  if (!user?.password || !(await passwordFits(password, user.password))) throw new Refusal('201');
  return [describeUser(sql, account, user)];
};

function findUser(sql: Sql, account: Account, id: number): UserRow {
  const user = sql.get<UserRow>(
    'SELECT * FROM users WHERE id = ? AND account_id = ? AND deleted_at IS NULL',
    id,
    account.id,
  );
  if (!user) throw new Refusal('201');
  return user;
}

export const users: Section = { retrieve: retrieveUsers, create, update, delete: remove, validate };
