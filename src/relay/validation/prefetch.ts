/**
 * Lookups before the commit, which itself cannot wait: database values, the value's counting key, names. For a relay
 * that needs none of these, nothing is looked up.
 */
import { fold } from '../../codereadr/barcode-equality.js';
import type { NamesOfScan } from '../../codereadr/names.js';
import type { Owner } from '../../ownership.js';
import { isValidated } from '../../scans/received/received-scan-rows.js';
import { isTestScan } from '../../scans/received/test-scan.js';
import { createSchedule } from '../../schedules/schedule.js';
import type { ParsedScan } from '../postback/parse.js';
import { needNames, type RelaySettings } from '../record/settings.js';
import { placeholdersOf } from './answer.js';
import type { DatabaseLookup } from './databases/index.js';
import type { KnownNames } from './name-cache.js';
import type { Prefetched } from './result.js';
import { momentOf } from './validate.js';

export interface PrefetchResult {
  readonly prefetched: Prefetched;
  /** The value's counting key, if that is not the value itself. */
  readonly sameAs?: string;
  /** The names behind the scan's ids, as far as they are known. */
  readonly names?: NamesOfScan;
}

/** Looks up what a relay with these settings needs for a scan. */
export type Prefetch = (
  owner: Owner,
  scan: ParsedScan & { readonly clockOffset?: number },
  receivedAt: number,
) => Promise<PrefetchResult>;

export interface PrefetchDeps {
  readonly databaseLookup: DatabaseLookup | undefined;
  readonly names: KnownNames | undefined;
}

export function createPrefetch(settings: RelaySettings, { databaseLookup, names }: PrefetchDeps): Prefetch {
  const { judging, lateMinutes } = settings;
  const hours = settings.hours && createSchedule(settings.hours);
  const places = placeholdersOf(settings);
  const needsNames = places.has('user') || places.has('device') || places.has('service') || needNames(settings.rules);
  /** Spellings that a list treats as one barcode count as one, too. */
  const folds = judging.kind === 'list' && !judging.exact;
  if (judging.kind !== 'database' && !needsNames && !folds) {
    return async () => ({ prefetched: {} });
  }

  /** Whether a scan needs a lookup: for one that is already validated, or out of hours, it would waste a call. */
  const asksDatabases = (scan: Parameters<Prefetch>[1], receivedAt: number): boolean =>
    judging.kind === 'database' &&
    !isValidated(scan) &&
    !isTestScan(scan) &&
    (hours === undefined || hours.isOpen(momentOf({ ...scan, receivedAt }, lateMinutes).at));

  return async (owner, scan, receivedAt) => {
    const named = needsNames && names ? { names: names(owner, scan) } : {};
    if (judging.kind !== 'database' || !databaseLookup || !asksDatabases(scan, receivedAt)) {
      return { prefetched: {}, ...named, ...(folds ? { sameAs: fold(scan.tid) } : {}) };
    }
    const { known, sameAs } = await databaseLookup.ask(owner, judging, scan.tid, receivedAt);
    return { prefetched: { known }, ...named, ...(sameAs === undefined ? {} : { sameAs }) };
  };
}
