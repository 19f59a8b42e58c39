/**
 * Earlier scans of a barcode at its relay: the number of tries, and when, where and by whom it was first admitted.
 * Pure. The summary is made within the commit, whose lock on the relay orders the scans; it reads at most `mostTries`
 * rows of each spelling and one more.
 */
import type { Count } from '../../counters/counters.js';
import type { ReceivedScansTable } from '../../database/schema.js';
import { mostOldest } from '../../scans/received/commit.js';
import { type EarlierScans, type ScanRecord, utcMoment } from '../../scans/received/received-scan-rows.js';
import type { StoredScan } from './rows.js';

/** A new scan that gets a summary of earlier scans: one not valid, or posted though its value was seen before. */
export interface TriedScan {
  readonly id: string;
  readonly relayId: string;
  readonly relayMadeAt: number;
  /** The spellings of the scan's barcode. */
  readonly spellings: readonly string[];
  /** The value’s count before this scan; undefined if the relay does not count values. */
  readonly counted: Count | undefined;
}

export interface Try {
  readonly valid: boolean;
  readonly at: number;
  readonly sid: string | undefined;
  readonly userid: string | undefined;
  readonly udid: string | undefined;
}

/** The stored scans at the time of the commit. */
export interface StoredTries {
  /** The oldest scans of a scan's barcode at its relay, at most `mostTries` of each spelling and one more. */
  triesOf(scan: TriedScan): readonly Try[];
  /** The time before which scans may have been pruned. */
  readonly prunedBefore: number;
}

/** The most earlier scans that are counted one by one. */
export const mostTries = mostOldest - 1;

export type TryRow = Pick<ReceivedScansTable, 'valid' | 'sid' | 'userid' | 'udid' | 'scanned_at_utc' | 'received_at'>;

export function fromTryRow({ valid, sid, userid, udid, scanned_at_utc, received_at }: TryRow): Try {
  return {
    valid: valid === 1,
    at: utcMoment(scanned_at_utc ?? undefined) ?? received_at,
    sid: sid ?? undefined,
    userid: userid ?? undefined,
    udid: udid ?? undefined,
  };
}

/** The batch's scans in order, the tried ones with a summary of the earlier scans. */
export function withEarlier(
  inserts: readonly StoredScan[],
  triedScans: readonly TriedScan[],
  storedTries: StoredTries,
): readonly StoredScan[] {
  const byId = new Map(triedScans.map((scan) => [scan.id, scan]));
  return inserts.map((entry, at) => {
    const scan = byId.get(entry.scan.id);
    if (!scan) {
      return entry;
    }
    const before = inserts.slice(0, at).filter((other) => isSameValue(scan, other.scan));
    const tries = [...storedTries.triesOf(scan), ...before.map((other) => asTry(other.scan))];
    return { ...entry, scan: { ...entry.scan, earlier: earlierOf(scan, tries, storedTries.prunedBefore) } };
  });
}

function isSameValue({ relayId, spellings }: TriedScan, scan: ScanRecord): boolean {
  return scan.relayId === relayId && spellings.includes(scan.tid);
}

function asTry({ valid, scannedAtUtc, receivedAt, sid, userid, udid }: ScanRecord): Try {
  return { valid, at: utcMoment(scannedAtUtc) ?? receivedAt, sid, userid, udid };
}

/** The summary of the earlier scans, which claims no more than the stored scans and the counter prove. */
function earlierOf({ counted, relayMadeAt }: TriedScan, tries: readonly Try[], prunedBefore: number): EarlierScans {
  const hasTooMany = tries.length > mostTries;
  const mayMiss = relayMadeAt < prunedBefore;
  const isMissing = counted && !hasTooMany ? counted.seen > tries.length : mayMiss;
  const scans = counted
    ? Math.max(counted.seen, hasTooMany ? mostTries : tries.length)
    : Math.min(tries.length, mostTries);
  const first = tries
    .filter(({ valid }) => valid)
    .reduce<Try | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
  const never = !first && (counted ? counted.accepted === 0 : !hasTooMany && !isMissing);
  return {
    scans,
    ...(!counted && (hasTooMany || isMissing) ? { atLeast: true } : {}),
    ...(never ? { never } : {}),
    accepted: first && { at: first.at, first: !isMissing, sid: first.sid, userid: first.userid, udid: first.udid },
    lastAcceptedAt: first ? undefined : counted?.lastAcceptedAt,
  };
}
