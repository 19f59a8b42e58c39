/** Default texts for a device's answer: short, and readable at arm's length. */
import { resultWords } from '../../scans/result-words.js';
import type { UncheckedReason } from '../record/relay.js';
import type { ResultCode } from '../record/settings.js';

const texts: Readonly<Record<ResultCode, string>> = {
  ...resultWords,
  valid: 'Received',
  duplicate: 'Already scanned',
  outside_hours: 'Not valid at this time',
  unknown_rejected: 'Could not be checked',
};

const reasons: Readonly<Record<UncheckedReason, string>> = {
  no_account: 'no account is connected',
  calls: 'no API calls left this minute',
  copy_only: 'not in the saved copy of the database',
  slow: 'the account took too long to respond',
  failed: 'the account could not be reached',
};

/** The default text. @param response the response of the database or the account to the value */
export function defaultText(finding: ResultCode, response: string, why: UncheckedReason | undefined): string {
  if ((finding === 'valid' || finding === 'invalid') && response !== '') {
    return response;
  }
  return finding === 'unknown_rejected' && why ? `${texts[finding]}: ${reasons[why]}` : texts[finding];
}
