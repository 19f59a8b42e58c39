/**
 * Which of the account's scans and which of a relay's are one scan. Pure. An equal id says too little: a postback template
 * may send one id with every scan.
 */
import { accountTime } from '../codereadr/account-time.js';
import { asAnswered } from '../codereadr/barcode-equality.js';
import type { RecordedScan } from '../codereadr/types.js';
import type { ReceivedIdentity } from './received/counts.js';

type Recorded = Pick<RecordedScan, 'id' | 'value' | 'service' | 'timestamp'>;

/**
 * True for the same barcode with the same id and, where both have a time, in the same second. A postback template may
 * leave out the scan id: then the same barcode at the same service in the same second is the same scan.
 */
export function isSameScan(recorded: Recorded, received: ReceivedIdentity): boolean {
  if (asAnswered(recorded.value) !== asAnswered(received.value)) {
    return false;
  }
  const made = accountTime(recorded.timestamp);
  const isSameSecond = made !== undefined && secondOf(made) === secondOf(received.at);
  return received.scanId === undefined
    ? isSameSecond && received.serviceId === recorded.service.id
    : received.scanId === recorded.id && (isSameSecond || made === undefined || received.undated === true);
}

/** `recordOf`: the relay's record of a scan of the account. `covered`: the relay's records that the account has too. */
export interface SameScans<Scan, Received> {
  readonly recordOf: ReadonlyMap<Scan, Received>;
  readonly covered: ReadonlySet<Received>;
}

/** Of records without a scan id each stands for one scan: several of one second are as many scans. */
export function pairScans<Scan extends Recorded, Received extends ReceivedIdentity>(
  scans: readonly Scan[],
  records: readonly Received[],
): SameScans<Scan, Received> {
  const named = new Map<string, Received[]>();
  for (const record of records) {
    const name = nameOf(record.value, record.scanId, record.serviceId, record.at);
    named.set(name, [...(named.get(name) ?? []), record]);
  }
  const recordOf = new Map<Scan, Received>();
  const covered = new Set<Received>();
  for (const scan of scans) {
    const { id, value, service, timestamp } = scan;
    const same = (name: string) => (named.get(name) ?? []).filter((record) => isSameScan(scan, record));
    const byId = same(nameOf(value, id, undefined, 0));
    const byMoment = () => same(nameOf(value, undefined, service.id, accountTime(timestamp) ?? -1));
    const found =
      byId.length > 0
        ? byId
        : byMoment()
            .filter((record) => !covered.has(record))
            .slice(0, 1);
    for (const record of found) {
      recordOf.set(scan, record);
      covered.add(record);
    }
  }
  return { recordOf, covered };
}

/** Records with one name may be the same scan; all others are not. */
function nameOf(value: string, scanId: string | undefined, serviceId: string | undefined, at: number): string {
  return JSON.stringify([asAnswered(value), scanId ?? { serviceId, second: secondOf(at) }]);
}

function secondOf(at: number): number {
  return Math.floor(at / 1000);
}
