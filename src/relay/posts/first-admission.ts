/** The first admission of a refused scan's barcode, by whichever relay or account: read when its post is drawn. */
import type { Mirror } from '../../mirror/index.js';
import { createScans, type Scan, type ScanRecord } from '../../scans/index.js';
import type { EarlierScans } from '../../scans/received/table.js';
import { ever } from '../../scans/walk.js';
import type { Store } from '../../workspaces/types.js';

/** The scan with what was admitted before it, in the same spelling. */
export type WithFirstAdmission = (scan: ScanRecord) => Promise<ScanRecord>;

/** A barcode that was scanned more often keeps what its relay knew: a post waits for no long walk. */
const mostScans = 2_000;

export function createFirstAdmission(deps: {
  readonly store: Pick<Store, 'db'>;
  readonly mirror?: Pick<Mirror, 'scansCopy'> | undefined;
}): WithFirstAdmission {
  const scans = createScans(deps.store.db);
  return async (scan) => {
    const own = scan.earlier?.accepted;
    if (scan.valid) {
      return scan;
    }
    const copy = await deps.mirror?.scansCopy(scan.owner);
    const source = copy && { connection: copy.connection };
    const until = scan.madeAt ?? scan.receivedAt;
    let first: Scan | undefined;
    let read = 0;
    const barcode = { match: 'is', text: scan.tid } as const;
    for await (const slice of scans.walk(scan.owner, source, { from: ever.from, to: own?.at ?? until, barcode })) {
      read += slice.scans.length;
      if (read > mostScans) {
        return scan;
      }
      const isKept = (one: Scan) => one.received.length > 0 || (one.round ?? 0) >= (copy?.round ?? 0);
      const admitted = slice.scans.filter((one) => one.value === scan.tid && isKept(one) && isAdmitted(one));
      first = admitted.at(-1) ?? first;
    }
    if (!first) {
      return scan;
    }
    const { never: _, lastAcceptedAt: __, ...known }: EarlierScans = scan.earlier ?? { scans: 0 };
    return { ...scan, earlier: { ...known, accepted: placed(first) } };
  };
}

/** Scans before the stored ones are unknown: the admission is the first known one. */
function placed({ at, recorded, received }: Scan): NonNullable<EarlierScans['accepted']> {
  const by = received.find(({ valid }) => valid);
  return {
    ...{ at, first: false },
    ...{ sid: by?.sid ?? recorded?.service.id, userid: by?.userid ?? recorded?.user.id, udid: by?.udid },
  };
}

/** A relay's answer is what the device showed; without a relay, the account's. */
function isAdmitted({ received, recorded }: Scan): boolean {
  return received.length > 0 ? received.some(({ valid }) => valid) : recorded?.status === 'valid';
}
