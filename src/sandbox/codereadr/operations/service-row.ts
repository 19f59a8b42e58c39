/** A stored service: its kind, its settings by the account's variable names, its users, its questions. */
import type { Account } from '../access.js';
import type { Ids } from '../request/variables.js';
import type { Sql } from '../store/sqlite.js';
import { rowsOf } from './existing.js';

export type Method = 'record' | 'ondevicerecord' | 'database' | 'ondevicedatabase' | 'webview' | 'postback';

export type Condition = 'shared_submit' | 'pre_submit' | 'post_submit' | 'valid_scan' | 'invalid_scan';

export interface ServiceQuestion {
  readonly id: number;
  readonly text: string;
  readonly type: string;
  readonly condition: Condition;
  readonly required: boolean;
}

export interface Service {
  readonly id: number;
  readonly name: string;
  readonly method: Method;
  readonly databaseId: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly userIds: readonly number[];
  readonly questions: readonly ServiceQuestion[];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly method: Method;
  readonly database_id: number | null;
  readonly settings: string;
}

/** The settings that the account gives a service that was created without them. */
const defaults: Readonly<Record<string, string>> = {
  duplicate_value: '1',
  device_duplicate_value: '1',
  viewOtherScans: '1',
  upload_email_format: 'regular',
  enable_direct_scan: '0',
  postback_receiver_only: '0',
  postback_real_time_scans: '0',
  postback_uploaded_scans: '0',
  auto_next_scan: '0',
  enableGPS: '0',
  block_camera_scan: '0',
  block_manual_scan: '0',
  block_db_search: '0',
  auto_sync: '0',
  auto_sync_up_delay: '2',
  auto_sync_down_url: '1',
  auto_sync_down_delay: '120',
};

/** The services with these ids, in the order of ids. @throws Refusal 200 when no given id is a service */
export function readServices(sql: Sql, account: Account, ids: Ids): Service[] {
  return rowsOf<Row>(sql, account, 'service', ids).map((row) => ({
    id: row.id,
    name: row.name,
    method: row.method,
    databaseId: row.database_id ?? undefined,
    settings: { ...defaults, ...(JSON.parse(row.settings) as Record<string, string>) },
    userIds: sql
      .all<{ user_id: number }>('SELECT user_id FROM service_users WHERE service_id = ? ORDER BY user_id', row.id)
      .map((user) => user.user_id),
    questions: sql
      .all<{ id: number; text: string; type: string; condition: Condition; required: number }>(
        `SELECT questions.id, text, type, condition, required FROM service_questions
         JOIN questions ON questions.id = question_id WHERE service_id = ? ORDER BY questions.id`,
        row.id,
      )
      .map((question) => ({ ...question, required: question.required === 1 })),
  }));
}
