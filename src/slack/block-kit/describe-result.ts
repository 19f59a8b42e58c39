/** The signs of results, and the label of a scan's result code. Pure; plain text. */
import type { ReceivedScan, ScanTally } from '../../relay/index.js';

export const signs = { valid: '✅', invalid: '❌', used: '⛔', unsure: '⚠️', absent: '❔' } as const;

type Finding = ScanTally['findings'][number]['finding'];

export const signedResultLabels: Readonly<Record<Finding, string>> = {
  valid: `${signs.valid} Valid`,
  invalid: `${signs.invalid} Not valid`,
  duplicate: `${signs.invalid} Duplicate`,
  outside_hours: `${signs.invalid} Outside active hours`,
  limit: `${signs.invalid} Limit reached`,
  too_late: `${signs.invalid} Late, can’t be counted`,
  unknown_accepted: `${signs.absent} Accepted, not checked`,
  unknown_rejected: `${signs.unsure} Rejected, not checked`,
};

/** @param judges whether the relay validates scans itself; then "not checked" is its own result, not the account's */
export function resultOf(scan: ReceivedScan, judges: boolean): string {
  const finding = scan.finding ?? (scan.valid ? 'valid' : 'invalid');
  return finding === 'valid' && scan.givenStatus === '-1' && !judges
    ? `${signs.absent} Not checked`
    : signedResultLabels[finding];
}

/** Texts that say no more than the result: an account's word for it, and the default response of a relay. */
const repeated: Readonly<Record<string, string>> = {
  [signedResultLabels.valid]: 'received',
  [signedResultLabels.invalid]: 'invalid',
};

/** Whether an answer's text adds to the result: many services only repeat it. */
export function addsToResult(text: string, result: string): boolean {
  const normalized = (value: string) =>
    value
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase();
  const given = normalized(text);
  return text !== '' && given !== normalized(result) && given !== repeated[result];
}
