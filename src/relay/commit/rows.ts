/** Rows of a commit: a stored scan as both databases hold it. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ReceivedScansTable } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { Owner } from '../../ownership.js';
import { scanKey } from '../../scans/key.js';
import { readingMoment } from '../../scans/moment.js';
import { type ScanRecord, type Submit, toScan, utcMoment } from '../../scans/received/received-scan-rows.js';
import { isTestScan } from '../../scans/received/test-scan.js';

export interface StoredScan {
  readonly scan: ScanRecord;
  /** The number of the scan's owner. */
  readonly ownerId: number;
  readonly submits: readonly Submit[];
  readonly repeatKey?: string | undefined;
}

type Row = Selectable<ReceivedScansTable>;

const submitsShape = z.array(z.array(z.tuple([z.string(), z.string()])));

export function toRow({ scan, ownerId, submits, repeatKey }: StoredScan): Row {
  const scannedAt = utcMoment(scan.scannedAtUtc);
  return {
    id: scan.id,
    relay_id: scan.relayId,
    owner: ownerId,
    at: readingMoment(scannedAt, scan.receivedAt),
    scanned_at: scannedAt ?? null,
    received_at: scan.receivedAt,
    key: scanKey(scan.tid),
    tid: scan.tid,
    sid: scan.sid ?? null,
    userid: scan.userid ?? null,
    udid: scan.udid ?? null,
    scanid: scan.scanid ?? null,
    given_status: scan.givenStatus ?? null,
    given_text: scan.givenText ?? null,
    scanned_at_utc: scan.scannedAtUtc ?? null,
    valid: scan.valid ? 1 : 0,
    test: isTestScan(scan) ? 1 : 0,
    answer_text: scan.text,
    answers: scan.answers.length === 0 ? '[]' : JSON.stringify(scan.answers),
    properties: scan.properties.length === 0 ? '[]' : JSON.stringify(scan.properties),
    raw: JSON.stringify(submits),
    repeat_key: repeatKey ?? null,
    finding: scan.finding ?? null,
    late: scan.late ? 1 : 0,
    why: scan.why ?? null,
    reply: scan.reply ?? null,
    made_at: scan.madeAt ?? null,
    earlier: scan.earlier === undefined ? null : JSON.stringify(scan.earlier),
    kind: scan.kind ?? null,
  };
}

export function fromRow(row: Row, owner: Owner): StoredScan {
  return {
    scan: toScan(row, owner),
    ownerId: row.owner,
    submits: readJson(submitsShape, row.raw, 'scan'),
  };
}

/** The columns of a stored scan that a second submit may change. */
export function toChange(stored: StoredScan): Pick<Row, 'id' | 'scanid' | 'answers' | 'properties' | 'raw'> {
  const { id, scanid, answers, properties, raw } = toRow(stored);
  return { id, scanid, answers, properties, raw };
}
