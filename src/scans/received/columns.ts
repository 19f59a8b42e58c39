/** The columns of received_scans. */
import type { Selectable } from 'kysely';
import type { ReceivedScansTable } from '../../database/schema.js';

export const scanColumns = {
  id: 'text',
  relay_id: 'text',
  owner: 'bigint',
  at: 'bigint',
  scanned_at: 'bigint',
  received_at: 'bigint',
  key: 'text',
  tid: 'text',
  sid: 'text',
  userid: 'text',
  udid: 'text',
  scanid: 'text',
  given_status: 'text',
  given_text: 'text',
  scanned_at_utc: 'text',
  valid: 'bigint',
  test: 'bigint',
  answer_text: 'text',
  answers: 'text',
  properties: 'text',
  raw: 'text',
  repeat_key: 'text',
  finding: 'text',
  late: 'bigint',
  why: 'text',
  reply: 'text',
  made_at: 'bigint',
  earlier: 'text',
  kind: 'text',
} as const satisfies Readonly<Record<keyof ReceivedScansTable, 'text' | 'bigint'>>;

const unread = ['owner', 'key', 'test', 'raw', 'repeat_key'] as const;

/** The row of a scan as readers get it. */
export type ReadRow = Omit<Selectable<ReceivedScansTable>, (typeof unread)[number]>;
export const readColumns = Object.keys(scanColumns).filter((name) => !unread.some((each) => each === name));
