/**
 * Owns the rows of a commit: a stored scan as both databases hold it, and back. Columns are named once, here.
 */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { readJson } from '../records.js';
import { toScan } from '../scans.js';
import type { ScansTable } from '../schema.js';
import type { StoredScan } from './plan.js';

const columns: Readonly<Record<keyof ScansTable, 'text' | 'bigint' | 'smallint'>> = {
  id: 'text',
  relay_id: 'text',
  installation: 'text',
  team: 'text',
  received_at: 'bigint',
  tid: 'text',
  sid: 'text',
  userid: 'text',
  udid: 'text',
  scanid: 'text',
  given_status: 'text',
  given_text: 'text',
  scanned_at_utc: 'text',
  valid: 'smallint',
  answer_text: 'text',
  answers: 'text',
  properties: 'text',
  raw: 'text',
  repeat_key: 'text',
  finding: 'text',
  late: 'smallint',
  why: 'text',
  reply: 'text',
  made_at: 'bigint',
};

export const columnNames = Object.keys(columns) as (keyof ScansTable)[];

/** For PostgreSQL, which is told how to read a row of JSON. */
export const typedColumns = Object.entries(columns)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

export type ScanRow = Selectable<ScansTable>;

const submitsShape = z.array(z.array(z.tuple([z.string(), z.string()])));

/** `repeat_key` is PostgreSQL's: see there. */
export function toRow({ scan, submits }: Omit<StoredScan, 'repeatKey'>): ScanRow {
  return {
    id: scan.id,
    relay_id: scan.relayId,
    installation: scan.owner.installation,
    team: scan.owner.team,
    received_at: scan.receivedAt,
    tid: scan.tid,
    sid: scan.sid ?? null,
    userid: scan.userid ?? null,
    udid: scan.udid ?? null,
    scanid: scan.scanid ?? null,
    given_status: scan.givenStatus ?? null,
    given_text: scan.givenText ?? null,
    scanned_at_utc: scan.scannedAtUtc ?? null,
    valid: scan.valid ? 1 : 0,
    answer_text: scan.text,
    answers: scan.answers.length === 0 ? '[]' : JSON.stringify(scan.answers),
    properties: scan.properties.length === 0 ? '[]' : JSON.stringify(scan.properties),
    raw: JSON.stringify(submits),
    repeat_key: null,
    finding: scan.finding ?? null,
    late: scan.late ? 1 : 0,
    why: scan.why ?? null,
    reply: scan.reply ?? null,
    made_at: scan.madeAt ?? null,
  };
}

export function fromRow(row: ScanRow): StoredScan {
  return {
    scan: toScan(row),
    submits: readJson(submitsShape, row.raw, 'scan'),
  };
}

/** What a second submit may change. */
export function toChange(stored: StoredScan): Pick<ScanRow, 'scanid' | 'answers' | 'properties' | 'raw'> {
  const { scanid, answers, properties, raw } = toRow(stored);
  return { scanid, answers, properties, raw };
}
