/** Rows of a commit: a stored scan as both databases hold it. Columns are named only here. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ScansTable } from '../../../database/schema.js';
import { readJson } from '../../../database/stored-json.js';
import { type ScanRecord, type Submit, toScan } from '../../scans/table.js';

export interface StoredScan {
  readonly scan: ScanRecord;
  readonly submits: readonly Submit[];
  readonly repeatKey?: string;
}

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
  earlier: 'text',
};

export const columnNames = Object.keys(columns) as (keyof ScansTable)[];

/** For PostgreSQL, which needs the types to read a row of JSON. */
export const typedColumns = Object.entries(columns)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

export type ScanRow = Selectable<ScansTable>;

const submitsShape = z.array(z.array(z.tuple([z.string(), z.string()])));

/** In the order of the columns. `repeat_key` exists only on PostgreSQL: see there. */
export function toValues({ scan, submits }: Omit<StoredScan, 'repeatKey'>): (string | number | null)[] {
  return [
    scan.id,
    scan.relayId,
    scan.owner.installation,
    scan.owner.team,
    scan.receivedAt,
    scan.tid,
    scan.sid ?? null,
    scan.userid ?? null,
    scan.udid ?? null,
    scan.scanid ?? null,
    scan.givenStatus ?? null,
    scan.givenText ?? null,
    scan.scannedAtUtc ?? null,
    scan.valid ? 1 : 0,
    scan.text,
    scan.answers.length === 0 ? '[]' : JSON.stringify(scan.answers),
    scan.properties.length === 0 ? '[]' : JSON.stringify(scan.properties),
    JSON.stringify(submits),
    null,
    scan.finding ?? null,
    scan.late ? 1 : 0,
    scan.why ?? null,
    scan.reply ?? null,
    scan.madeAt ?? null,
    scan.earlier === undefined ? null : JSON.stringify(scan.earlier),
  ];
}

export function toRow(stored: Omit<StoredScan, 'repeatKey'>): ScanRow {
  const values = toValues(stored);
  return Object.fromEntries(columnNames.map((name, at) => [name, values[at]])) as unknown as ScanRow;
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
