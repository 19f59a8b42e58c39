/** Second submits: whether a scan is a stored one sent again, and its additions to the stored one. Pure. */
import type { ScanRecord, Submit } from '../../scans/received/received-scan-rows.js';
import type { StoredScan } from './rows.js';

type SecondSubmit = { readonly submit: Submit } & Pick<
  ScanRecord,
  'tid' | 'sid' | 'userid' | 'udid' | 'scanid' | 'scannedAtUtc' | 'answers' | 'properties'
>;

/**
 * A scan id may be a template's constant: two scans are the same only if all values that both have agree. An id from
 * Scandesk cannot be guessed and belongs to one scan, so the device's second time may differ.
 */
export function isSameScan(stored: ScanRecord, incoming: SecondSubmit): boolean {
  const fields = ['sid', 'userid', 'udid', 'scannedAtUtc'] as const;
  return (
    stored.tid === incoming.tid &&
    (stored.id === incoming.scanid ||
      fields.every((field) => !stored[field] || !incoming[field] || stored[field] === incoming[field]))
  );
}

/** The scan after a second submit, with the answer the device got; undefined if the submit adds nothing. */
export function completeScan(storedScan: StoredScan, incoming: SecondSubmit): StoredScan | undefined {
  const { scan } = storedScan;
  const answers = merge(scan.answers, incoming.answers, (answer) => answer.questionId);
  const properties = merge(scan.properties, incoming.properties, (property) => property.name);
  const scanid = scan.scanid ?? (incoming.scanid === scan.id ? undefined : incoming.scanid);
  if (answers === scan.answers && properties === scan.properties && scanid === scan.scanid) {
    return undefined;
  }
  return {
    ...storedScan,
    scan: { ...scan, ...(scanid === undefined ? {} : { scanid }), answers, properties },
    submits: [...storedScan.submits, incoming.submit],
  };
}

/** The old items, each in its newest version, then the new ones; the same list if nothing is new. */
function merge<Item extends object>(
  storedItems: readonly Item[],
  newItems: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  const newByName = new Map(newItems.map((item) => [nameOf(item), item]));
  const merged = storedItems.map((item) => {
    const newest = { ...item, ...newByName.get(nameOf(item)) };
    return JSON.stringify(newest) === JSON.stringify(item) ? item : newest;
  });
  const known = new Set(storedItems.map(nameOf));
  const added = [...newByName.values()].filter((item) => !known.has(nameOf(item)));
  return added.length === 0 && merged.every((item, at) => item === storedItems[at])
    ? storedItems
    : [...merged, ...added];
}
