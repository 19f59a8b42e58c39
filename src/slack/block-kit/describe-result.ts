/** The signs of results, and the label of a scan's result code. Pure; plain text. */
import type { ReceivedScan } from '../../relay/index.js';
import { type ResultName, resultWords, validity } from '../../scans/result-words.js';

export const signs = { valid: '✅', invalid: '❌', used: '⛔', unsure: '⚠️', absent: '❔' } as const;

export const resultSigns: Readonly<Record<ResultName, string>> = {
  valid: signs.valid,
  invalid: signs.invalid,
  used: signs.used,
  unknown: signs.absent,
  not_validated: signs.absent,
  other: signs.absent,
  duplicate: signs.invalid,
  outside_hours: signs.invalid,
  limit: signs.invalid,
  too_late: signs.invalid,
  unknown_accepted: signs.absent,
  unknown_rejected: signs.unsure,
};

export function signedResult(result: ResultName): string {
  return `${resultSigns[result]} ${resultWords[result]}`;
}

/** @param relayValidates false: a scan that counts as valid, and that the account did not check, is “not checked” */
export function resultNameOf(scan: ReceivedScan, relayValidates: boolean): ResultName {
  const finding = scan.finding ?? validity(scan.valid);
  return finding === 'valid' && scan.givenStatus === '-1' && !relayValidates ? 'not_validated' : finding;
}

export function signedResultOf(scan: ReceivedScan, relayValidates: boolean): string {
  return signedResult(resultNameOf(scan, relayValidates));
}

/** Texts that only repeat the result: an account's word for it, and the default response of a relay. */
const repeated: Readonly<Record<string, string>> = {
  [signedResult('valid')]: 'received',
  [signedResult('invalid')]: 'invalid',
};

/** Whether an answer's text adds to the result: many services only repeat it. */
export function addsToResult(text: string, result: string): boolean {
  const normalized = (value: string) =>
    value
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase();
  const normalizedText = normalized(text);
  return text !== '' && normalizedText !== normalized(result) && normalizedText !== repeated[result];
}
