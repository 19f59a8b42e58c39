/** Which of the account's scans and which of a relay's are one scan. Pure. */
import { accountTime } from '../../codereadr/account-time.js';
import type { RecordedScan } from '../../codereadr/types.js';
import type { ReceivedRecord } from './received.js';

type Identity = Pick<ReceivedRecord, 'scanId' | 'serviceId' | 'at'>;
type Recorded = Pick<RecordedScan, 'id' | 'service' | 'timestamp'>;

/**
 * The relay's record of each of the account's scans, where there is one. A postback template may leave out the scan id:
 * then the same service in the same second is the same scan.
 */
export function recordsOf<Scan extends Recorded, Received extends Identity>(
  scans: readonly Scan[],
  records: readonly Received[],
): ReadonlyMap<Scan, Received> {
  const named = new Map(records.map((record) => [nameOf(record), record]));
  return new Map(
    scans.flatMap((scan) => {
      const record = named.get(scan.id) ?? named.get(momentOf(scan.service.id, accountTime(scan.timestamp) ?? -1));
      return record ? [[scan, record] as const] : [];
    }),
  );
}

export function nameOf({ scanId, serviceId, at }: Identity): string {
  return scanId ?? momentOf(serviceId, at);
}

/** No scan id looks like it. */
function momentOf(serviceId: string | undefined, at: number): string {
  return `${serviceId} at ${Math.floor(at / 1000)}`;
}
