/**
 * What any relay or the account knows of the barcode of a scan that is not valid, before the scan: its first admission,
 * and how many scans there were, as a lookup counts them. Read when the scan's post is drawn.
 */
import type { Mirror } from '../../mirror/index.js';
import { createScans, type Scan, type ScanRecord } from '../../scans/index.js';
import type { EarlierScans } from '../../scans/received/received-scan-rows.js';
import { ever } from '../../scans/walk.js';
import type { Store } from '../../workspaces/types.js';
import { createRelaysById } from '../record/by-id.js';
import { toRelay } from '../record/relay.js';

/** The most scans that are searched: for a barcode with more, the post shows what its relay knew. */
const mostScans = 2_000;

export interface FirstAdmissionDeps {
  readonly store: Pick<Store, 'db'>;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}

/** Adds to a scan that is not valid the first admission and the scans of its barcode before it, in the same spelling. */
export function createFirstAdmission(deps: FirstAdmissionDeps) {
  const scans = createScans(deps.store.db);
  const relays = createRelaysById(deps.store.db);
  return async (scan: ScanRecord): Promise<ScanRecord> => {
    const storedAdmission = scan.earlier?.accepted;
    if (scan.valid) {
      return scan;
    }
    const copy = await deps.mirror?.scansCopy(scan.owner);
    const source = copy && { connection: copy.connection };
    const scannedAt = momentOf(scan);
    let firstScan: Scan | undefined;
    let scansRead = 0;
    let scansBefore = 0;
    const barcode = { match: 'is', text: scan.tid } as const;
    for await (const slice of scans.walk(scan.owner, source, { from: ever.from, to: scannedAt + 1, barcode })) {
      scansRead += slice.scans.length;
      if (scansRead > mostScans) {
        return scan;
      }
      const isKept = (one: Scan) => one.received.length > 0 || (one.round ?? 0) >= (copy?.round ?? 0);
      const isEarlier = ({ at, value, received }: Scan) =>
        value === scan.tid && (received.length > 0 ? received.every((one) => isBefore(one, scan)) : at < scannedAt);
      for (const one of slice.scans.filter((each) => isEarlier(each) && isKept(each))) {
        scansBefore += 1;
        if (one.at < (storedAdmission?.at ?? Number.POSITIVE_INFINITY) && (await isAdmitted(one))) {
          firstScan = one;
        }
      }
    }
    const { earlier = { scans: 0 } } = scan;
    const earlierScans = Math.max(earlier.scans, scansBefore);
    // The account's scans are not known before its copy is complete.
    const atLeast = earlierScans > 0 && deps.mirror !== undefined && copy === undefined ? true : earlier.atLeast;
    if (!firstScan) {
      return earlierScans === earlier.scans && atLeast === earlier.atLeast
        ? scan
        : { ...scan, earlier: { ...earlier, scans: earlierScans, atLeast } };
    }
    const { never: _, lastAcceptedAt: __, ...knownEarlier }: EarlierScans = earlier;
    return { ...scan, earlier: { ...knownEarlier, scans: earlierScans, atLeast, accepted: asAdmission(firstScan) } };
  };

  /** A relay that accepts whatever comes admits nobody: there the account's own result counts. */
  async function isAdmitted({ recorded, received }: Scan): Promise<boolean> {
    if (recorded?.status === 'valid' || recorded?.status === 'invalid') {
      return recorded.status === 'valid';
    }
    for (const { valid, givenStatus, relayId } of received) {
      const relay = valid && givenStatus !== '1' ? await relays.find(relayId) : undefined;
      if (valid && (givenStatus === '1' || (relay && toRelay(relay).settings.judging.kind !== 'accept'))) {
        return true;
      }
    }
    return false;
  }
}

function momentOf({ madeAt, receivedAt }: ScanRecord): number {
  return madeAt ?? receivedAt;
}

/** Whether a relay's scan came before another: devices say whole seconds, in which a relay receives several. */
function isBefore(one: ScanRecord, other: ScanRecord): boolean {
  const [at, otherAt] = [momentOf(one), momentOf(other)];
  return one.id !== other.id && (at === otherAt ? one.id < other.id : at < otherAt);
}

/** The scan as an admission. Scans older than the stored ones are unknown: this is the first known one. */
function asAdmission({ at, recorded, received }: Scan): NonNullable<EarlierScans['accepted']> {
  const by = received.find(({ valid }) => valid);
  return {
    at,
    first: false,
    sid: by?.sid ?? recorded?.service.id,
    userid: by?.userid ?? recorded?.user.id,
    udid: by?.udid,
  };
}
