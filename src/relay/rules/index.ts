/**
 * Owns which scans are posted, and where: what a relay's settings and its rules make of a scan that was judged. Pure, called
 * inside the commit.
 */
import type { Counting, Counts, DecidedPost, IncomingScan, RelayRecord } from '../../store/index.js';
import type { Ahead, Verdict } from '../judging/index.js';
import type { RelaySettings } from '../settings.js';

export interface RulesInput {
  readonly scan: IncomingScan<Ahead>;
  readonly relay: RelayRecord;
  readonly verdict: Verdict;
  /** Before this scan. */
  readonly counts: Counts;
}

export type Rules = (input: RulesInput) => readonly DecidedPost[];

export function createRules(_settings: RelaySettings): Rules {
  return ({ scan, relay, verdict }) =>
    takes(relay, scan.sid) && notable(relay, verdict.valid) ? [{ channel: relay.channel }] : [];
}

/** What has to be counted for the rules; see `Counting`. */
export function countingForRules(_settings: RelaySettings): Counting {
  return {};
}

/** A scan that does not tell its service is posted: whoever has the URL was given it for one of these. */
function takes(relay: Pick<RelayRecord, 'serviceIds'>, sid: string | undefined): boolean {
  return relay.serviceIds.length === 0 || sid === undefined || relay.serviceIds.includes(sid);
}

function notable(relay: Pick<RelayRecord, 'notable'>, valid: boolean): boolean {
  return relay.notable === 'all' || !valid;
}
