/**
 * What any relay or the account knows of the barcode of a scan that is not valid, before the scan: its first admission,
 * and how many scans there were, as a lookup counts them. Read when the scan's post is drawn.
 */
import type { Mirror } from '../../mirror/index.js';
import { createScans, type Scan, type ScanRecord } from '../../scans/index.js';
import type { EarlierScans } from '../../scans/received/table.js';
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
    const scannedAt = scan.madeAt ?? scan.receivedAt;
    let firstScan: Scan | undefined;
    let scansRead = 0;
    let scansBefore = 0;
    const barcode = { match: 'is', text: scan.tid } as const;
    for await (const slice of scans.walk(scan.owner, source, { from: ever.from, to: scannedAt, barcode })) {
      scansRead += slice.scans.length;
      if (scansRead > mostScans) {
        return scan;
      }
      const isKept = (one: Scan) => one.received.length > 0 || (one.round ?? 0) >= (copy?.round ?? 0);
      const isEarlier = (one: Scan) => one.value === scan.tid && !one.received.some(({ id }) => id === scan.id);
      for (const one of slice.scans.filter((each) => isEarlier(each) && isKept(each))) {
        scansBefore += 1;
        if (one.at < (storedAdmission?.at ?? scannedAt) && (await isAdmitted(one))) {
          firstScan = one;
        }
      }
    }
    const earlierScans = Math.max(scan.earlier?.scans ?? 0, scansBefore);
    if (!firstScan) {
      return earlierScans === (scan.earlier?.scans ?? 0)
        ? scan
        : { ...scan, earlier: { ...scan.earlier, scans: earlierScans } };
    }
    const { never: _, lastAcceptedAt: __, ...knownEarlier }: EarlierScans = scan.earlier ?? { scans: 0 };
    return { ...scan, earlier: { ...knownEarlier, scans: earlierScans, accepted: asAdmission(firstScan) } };
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

/** The scan as an admission. Scans older than the stored ones are unknown: this is the first known one. */
function asAdmission({ at, recorded, received }: Scan): NonNullable<EarlierScans['accepted']> {
  const by = received.find(({ valid }) => valid);
  return {
    ...{ at, first: false },
    ...{ sid: by?.sid ?? recorded?.service.id, userid: by?.userid ?? recorded?.user.id, udid: by?.udid },
  };
}
