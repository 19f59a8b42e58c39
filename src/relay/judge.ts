/**
 * Owns what a relay makes of a new scan: what the device is answered and where it is posted. Pure, called inside the commit.
 */
import type { Decide } from '../store/index.js';
import type { Relay } from './types.js';

/** Shown on the device where the account judged nothing. */
const words = { valid: 'Received', invalid: 'Not valid' } as const;

export const decide: Decide = (scan, relay) => {
  // -1 means that nobody could judge it: it is accepted like one that was never judged.
  const judged = scan.givenStatus === '1' || scan.givenStatus === '0';
  const valid = scan.givenStatus !== '0';
  const given = judged || scan.givenStatus === '-1' ? scan.givenText : undefined;
  const text = given || words[valid ? 'valid' : 'invalid'];
  return { valid, text, channels: takes(relay, scan.sid) && notable(relay, valid) ? [relay.channel] : [] };
};

/** A scan that does not tell its service is posted: whoever has the URL was given it for one of these. */
function takes(relay: Pick<Relay, 'serviceIds'>, sid: string | undefined): boolean {
  return relay.serviceIds.length === 0 || sid === undefined || relay.serviceIds.includes(sid);
}

function notable(relay: Pick<Relay, 'notable'>, valid: boolean): boolean {
  return relay.notable === 'all' || !valid;
}
