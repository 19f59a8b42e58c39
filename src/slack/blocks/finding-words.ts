/** Owns what a scan was found to be, in a word and with a sign. Pure; plain text. */
import type { ReceivedScan, ScanTally } from '../../relay/index.js';
import { signs } from './verdict.js';

type Finding = ScanTally['findings'][number]['finding'];

export const findingWords: Readonly<Record<Finding, string>> = {
  valid: `${signs.valid} Valid`,
  invalid: `${signs.invalid} Invalid`,
  duplicate: `${signs.invalid} Duplicate`,
  outside_hours: `${signs.invalid} Outside hours`,
  limit: `${signs.invalid} Over the limit`,
  unknown_accepted: `${signs.absent} Accepted, not checked`,
  unknown_rejected: `${signs.unsure} Rejected, not checked`,
};

/** @param judges whether the relay judges itself, and so what the account could not */
export function resultOf(scan: ReceivedScan, judges: boolean): string {
  const finding = scan.finding ?? (scan.valid ? 'valid' : 'invalid');
  return finding === 'valid' && scan.givenStatus === '-1' && !judges
    ? `${signs.absent} Not checked`
    : findingWords[finding];
}
