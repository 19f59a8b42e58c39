/** `users/retrieve`, and a user's form in answers. A password is never returned. */
import type { Account } from '../access.js';
import type { Sql } from '../store/sqlite.js';
import { element, type Xml } from '../xml/write.js';
import { askedIds, rowsOf } from './existing.js';
import type { Handler } from './operation.js';
import { stamp } from './time.js';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly password: string | null;
  readonly device_limit: number | null;
  readonly is_owner: number;
  readonly created_at: number;
}

export const retrieveUsers: Handler = (call) => {
  const { sql, account } = call;
  return rowsOf<UserRow>(sql, account, 'user', askedIds(call, 'user')).map((row) => describeUser(sql, account, row));
};

export function describeUser(sql: Sql, account: Account, row: UserRow): Xml {
  const services = sql.all<{ service_id: number }>(
    'SELECT service_id FROM service_users WHERE user_id = ? ORDER BY service_id',
    row.id,
  );
  const fields = [
    element('username', row.username),
    ...services.map(({ service_id }) => element('service', '', { id: service_id })),
    ...(row.device_limit === null ? [] : [element('limit', row.device_limit)]),
    element('created', stamp(row.created_at, account.time_zone)),
  ];
  return element('user', fields, { id: row.id });
}
