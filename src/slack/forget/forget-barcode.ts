/**
 * What a workspace's Scandesk keeps of a barcode, counted and deleted. An interrupted run can be repeated: each part
 * deletes what is left.
 */
import type { Owner } from '../../ownership.js';
import { countOfBarcodes, createScanErasure, eraseBarcodes, type ScanCounts } from '../../relay/index.js';
import { createRecordErasure } from '../../workspaces/forget-records.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { forgetRecentLookups } from '../lookup/index.js';
import { recordNamespaces } from './records.js';

/** `cards`: saved searches, and stored lookups, images and results behind messages. `alerts`: watches and mutes. */
export interface KeptCounts extends ScanCounts {
  readonly cards: number;
  readonly alerts: number;
}

export interface ForgottenCounts extends KeptCounts {
  readonly recent: number;
  /** Copied values and scans of the account. */
  readonly copied: number;
  /** Entries of the audit log that named the barcode. */
  readonly entries: number;
}

type Deps = Pick<SlackDeps, 'store' | 'clock' | 'mirror' | 'places'> & {
  readonly exports: Pick<SlackDeps['exports'], 'restart'>;
};

export async function countBarcode(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  owner: Owner,
  value: string,
): Promise<KeptCounts> {
  const [received, cards, alerts] = await Promise.all([
    createScanErasure(store, clock).countOf(owner, value),
    createRecordErasure(store, clock).count(owner, recordNamespaces, value),
    countOfBarcodes(store.db, owner, value),
  ]);
  return { ...received, cards, alerts };
}

/** `keepCounts`: how often the barcode was seen and admitted stays, so that it is not admitted once more. */
export async function forgetBarcode(
  deps: Deps,
  owner: Owner,
  value: string,
  { keepCounts, stop }: { readonly keepCounts: boolean; readonly stop: AbortSignal },
): Promise<ForgottenCounts> {
  const { store, clock, mirror, places, exports } = deps;
  const receivedCounts = await createScanErasure(store, clock).forget(owner, value, { keepCounts }, stop);
  const copy = await mirror?.forgetValue(owner, value);
  await places.forget(owner, value);
  await exports.restart(owner);
  const cards = await createRecordErasure(store, clock).erase(owner, recordNamespaces, value, stop);
  return {
    ...receivedCounts,
    cards,
    copied: (copy?.values ?? 0) + (copy?.scans ?? 0),
    recent: await forgetRecentLookups(deps, owner, value),
    alerts: await eraseBarcodes(store.db, owner, value),
    entries: await store.audit.forget(owner, value, stop),
  };
}
