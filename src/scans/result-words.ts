/** The words for a result, of a lookup, a scan or a relay's validation: all surfaces use these words. */
import { countOf, lowerFirst } from '../english.js';

const usedText = 'Already used';

export const resultWords = {
  valid: 'Valid',
  invalid: 'Not valid',
  used: usedText,
  unknown: 'Unknown',
  not_validated: 'Not checked',
  other: 'Other result',
  duplicate: usedText,
  outside_hours: 'Outside active hours',
  limit: 'Limit reached',
  too_late: 'Late, can’t be counted',
  unknown_accepted: 'Admitted, not checked',
  unknown_rejected: 'Not admitted, not checked',
} as const;

export type ResultName = keyof typeof resultWords;

export function hasWords(code: string): code is ResultName {
  return code in resultWords;
}

/** A number of results within a sentence: "12 not valid". */
export function countOfResult(count: number, result: ResultName): string {
  return `${count.toLocaleString('en-US')} ${resultInText(result)}`;
}

/** A number of scans within a sentence: "37 scans not valid". */
export function scansNotValid(count: number): string {
  return `${countOf(count, 'scan')} ${resultInText('invalid')}`;
}

export function resultInText(result: ResultName): string {
  return lowerFirst(resultWords[result]);
}

export function validity(valid: boolean): 'valid' | 'invalid' {
  return valid ? 'valid' : 'invalid';
}
