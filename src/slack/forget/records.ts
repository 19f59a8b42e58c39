/** The records that hold barcodes: saved searches, and the stored lookups, images and results behind buttons. */
import { savedSearchRecords } from '../../search/index.js';
import type { EraseStep } from '../../workspaces/erasures.js';
import { createRecordErasure } from '../../workspaces/forget-records.js';
import { imageRecords } from '../barcode-image/record-store.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { eraseRecentLookups, severalRecords } from '../lookup/index.js';
import { lookupRecords } from '../lookup/record-store.js';
import { resultRecords } from '../operations/result/pages.js';
import { searchRecords } from '../scans/search-record.js';

/** Erases these records, and everybody's recent lookups. */
export function eraseRecords({ store, clock }: Pick<SlackDeps, 'store' | 'clock'>): EraseStep {
  const records = createRecordErasure(store, clock);
  return async (owner, _at, stopping) => {
    await records.erase(owner, recordNamespaces, undefined, stopping);
    await eraseRecentLookups({ store }, owner);
  };
}

export const recordNamespaces: readonly string[] = [
  lookupRecords,
  severalRecords,
  imageRecords,
  resultRecords,
  searchRecords,
  savedSearchRecords,
].map(({ namespace }) => namespace);
