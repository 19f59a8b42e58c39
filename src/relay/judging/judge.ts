/**
 * Owns what a scan is found to be. Pure, called inside the commit.
 */
import type { RelaySettings } from '../settings.js';
import type { Judge } from './verdict.js';

/** Shown on the device where the account judged nothing. */
const words = { valid: 'Received', invalid: 'Not valid' } as const;

export function createJudge(_settings: RelaySettings): Judge {
  return ({ scan }) => {
    // -1 means that nobody could judge it: it is accepted like one that was never judged.
    const judged = scan.givenStatus === '1' || scan.givenStatus === '0';
    const finding = scan.givenStatus === '0' ? 'invalid' : 'valid';
    const given = judged || scan.givenStatus === '-1' ? scan.givenText : undefined;
    return { finding, valid: finding === 'valid', text: given || words[finding], late: scan.ahead?.late ?? false };
  };
}
