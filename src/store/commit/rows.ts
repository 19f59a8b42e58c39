/**
 * Owns the rows of a commit: a stored scan as both databases hold it, and back.
 */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { readJson } from '../records.js';
import { indexKey, toScan } from '../scans.js';
import type { ScansTable } from '../schema.js';
import type { StoredScan } from './plan.js';

/** In the order in which SQLite's statement binds them. */
export const scanColumns = [
  'id',
  'relay_id',
  'installation',
  'team',
  'received_at',
  'tid',
  'tid_key',
  'sid',
  'userid',
  'udid',
  'udid_key',
  'scanid',
  'scanid_key',
  'given_status',
  'given_text',
  'scanned_at_utc',
  'valid',
  'answer_text',
  'answers',
  'properties',
  'raw',
  'repeat_key',
] as const satisfies readonly (keyof ScansTable)[];

export type ScanRow = Selectable<ScansTable>;

const submitsShape = z.array(z.array(z.tuple([z.string(), z.string()])));

export function toRow({ scan, submits, repeatKey }: StoredScan): ScanRow {
  return {
    id: scan.id,
    relay_id: scan.relayId,
    installation: scan.owner.installation,
    team: scan.owner.team,
    received_at: scan.receivedAt,
    tid: scan.tid,
    tid_key: indexKey(scan.tid),
    sid: scan.sid ?? null,
    userid: scan.userid ?? null,
    udid: scan.udid ?? null,
    udid_key: scan.udid === undefined ? null : indexKey(scan.udid),
    scanid: scan.scanid ?? null,
    scanid_key: scan.scanid === undefined ? null : indexKey(scan.scanid),
    given_status: scan.givenStatus ?? null,
    given_text: scan.givenText ?? null,
    scanned_at_utc: scan.scannedAtUtc ?? null,
    valid: scan.valid ? 1 : 0,
    answer_text: scan.text,
    answers: JSON.stringify(scan.answers),
    properties: JSON.stringify(scan.properties),
    raw: JSON.stringify(submits),
    repeat_key: repeatKey ?? null,
  };
}

export function fromRow(row: ScanRow): StoredScan {
  return {
    scan: toScan(row),
    submits: readJson(submitsShape, row.raw, 'scan'),
    ...(row.repeat_key === null ? {} : { repeatKey: row.repeat_key }),
  };
}

/** What a second submit may change. */
export function toChange(
  stored: StoredScan,
): Pick<ScanRow, 'scanid' | 'scanid_key' | 'answers' | 'properties' | 'raw'> {
  const { scanid, scanid_key, answers, properties, raw } = toRow(stored);
  return { scanid, scanid_key, answers, properties, raw };
}
