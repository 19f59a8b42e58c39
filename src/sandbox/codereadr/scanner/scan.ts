/**
 * One scan on a device, and its form fields in a request to a URL, for a service behind the account and for a
 * direct one (docs/account-api.md#scan-to-url).
 */
import { stamp } from '../operations/time.js';
import type { FormFields } from './post.js';

/** A scan on the device. Its ids are this account's. */
export interface DeviceScan {
  readonly serviceId: number;
  readonly deviceId: number;
  readonly udid: string;
  readonly userId: number;
  readonly value: string;
  /** The scan's time in milliseconds, in whole seconds. */
  readonly scannedAt: number;
  /** The answers given before the scan was sent, by question id. */
  readonly answers: Readonly<Record<string, string>>;
  /** The answers of a second submit. */
  readonly laterAnswers: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
  /** The device's own result, for on-device services. */
  readonly judged?: Verdict;
}

export interface Verdict {
  readonly status: 1 | 0 | -1;
  readonly text: string;
}

const eastern = 'America/New_York';

/** The posted fields. `secondPost`: posts the scan again, with all answers and the first response's scan id, if any. */
export function directFields(scan: DeviceScan, secondPost?: { readonly scanId?: string | undefined }): FormFields {
  const answers = secondPost ? { ...scan.answers, ...scan.laterAnswers } : scan.answers;
  return [
    ['tid', scan.value],
    ['sid', String(scan.serviceId)],
    ['userid', String(scan.userId)],
    ['udid', scan.udid],
    ...(secondPost?.scanId === undefined ? [] : [['scanid', secondPost.scanId] as const]),
    ...verdictFields(scan.judged),
    ['scanned_at_utc', stamp(scan.scannedAt, 'utc')],
    ['device_timestamp', stamp(scan.scannedAt, scan.properties.time_zone ?? eastern)],
    ...Object.entries(answers).map(([id, answer]) => [`answers[${id}]`, answer] as const),
    ...Object.entries(scan.properties),
  ];
}

export interface PostbackRecord {
  readonly scanId: number;
  readonly receivedAt: number;
  readonly questions: readonly { readonly id: number; readonly text: string }[];
  readonly verdict?: Verdict | undefined;
  readonly answers: Readonly<Record<string, string>>;
}

export function postbackFields(scan: DeviceScan, record: PostbackRecord): FormFields {
  return [
    ['tid', scan.value],
    ['sid', String(scan.serviceId)],
    ['userid', String(scan.userId)],
    ['udid', scan.udid],
    ['scanid', String(record.scanId)],
    ...verdictFields(record.verdict),
    ['scanned_at_utc', stamp(scan.scannedAt, 'utc')],
    ['received_at_utc', stamp(record.receivedAt, 'utc')],
    ['timestamp', stamp(scan.scannedAt, eastern)],
    ...record.questions.map(({ id, text }) => [`questions[${id}]`, text] as const),
    ...Object.entries(record.answers).map(([id, answer]) => [`answers[${id}]`, answer] as const),
    ...Object.entries(scan.properties),
  ];
}

function verdictFields(verdict: Verdict | undefined): FormFields {
  return verdict
    ? [
        ['status', String(verdict.status)],
        ['text', verdict.text],
      ]
    : [];
}
