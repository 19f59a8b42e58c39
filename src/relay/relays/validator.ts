/** Relay as a lookup sees it: the databases it validates against, and whether it admits a barcode only once. */
import type { Kysely } from 'kysely';
import { withSameAs } from '../../counters/counters.js';
import { type PrunedAdmissions, readPrunedAdmissions } from '../../counters/pruned-admissions.js';
import type { Schema } from '../../database/schema.js';
import type { MirrorState } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import type { RelayRecord } from '../record/records.js';
import { readSettings } from '../record/relay.js';
import type { RelaySettings } from '../record/settings.js';
import { sameAsBy } from './current-counts.js';

/** A relay that validates scans itself, and not by the result that comes with them. */
export interface RelayValidator {
  readonly id: string;
  readonly name: string;
  /** The services whose scans the relay accepts; empty: all. */
  readonly serviceIds: readonly string[];
  /** The databases that the relay validates against, if any. */
  readonly databaseIds: readonly string[];
  /** Whether the relay accepts a barcode by an equal reading of it. */
  readonly readings?: boolean;
  /** Set if the relay admits a barcode once, or once within so many minutes. */
  readonly once?: { readonly withinMinutes?: number };
  /** Set if the relay admitted the barcode by scans that were pruned, or may have done so. */
  readonly prunedAdmissions?: PrunedAdmissions;
}

/**
 * The relay as a validator; undefined for one that accepts every scan.
 * @param isRemoved whether the relay is removed: it admits nothing any more, but did
 */
export function toValidator(
  { id, serviceName, serviceIds, settings }: RelayRecord,
  isRemoved: boolean,
): RelayValidator | undefined {
  const ownSettings = readSettings(settings);
  const { judging } = ownSettings;
  if (judging.kind === 'accept') {
    return undefined;
  }
  const onceRule = isRemoved ? undefined : onceOf(ownSettings);
  return {
    id,
    name: serviceName,
    serviceIds,
    databaseIds: judging.kind === 'database' ? judging.databaseIds : [],
    ...(judging.kind === 'database' && judging.readings ? { readings: true } : {}),
    ...(onceRule ? { once: onceRule } : {}),
  };
}

/** How long an admission excludes another: the longer of two limits counts; one without an end, for ever. */
function onceOf({ duplicates, atMost }: RelaySettings): RelayValidator['once'] {
  const limits = [
    ...(duplicates ? [duplicates.withinMinutes] : []),
    ...(atMost?.n === 1 ? [atMost.withinMinutes] : []),
  ];
  if (limits.length === 0) {
    return undefined;
  }
  const ends = limits.filter((minutes) => minutes !== undefined);
  return ends.length < limits.length ? {} : { withinMinutes: Math.max(...ends) };
}

/** Adds admissions by pruned scans to validators with databases. @param values the spellings of one barcode */
export async function withPrunedAdmissions(
  db: Kysely<Schema>,
  states: readonly MirrorState[],
  owner: Owner,
  values: readonly string[],
  validators: readonly { readonly relay: RelayRecord; readonly validator: RelayValidator }[],
): Promise<readonly RelayValidator[]> {
  return Promise.all(
    validators.map(async ({ relay, validator }) => {
      if (validator.databaseIds.length === 0) {
        return validator;
      }
      const mirrors = states.filter(({ databaseId }) => validator.databaseIds.includes(databaseId));
      const sameAs = sameAsBy(readSettings(relay.settings).judging, mirrors);
      const scans = values.map((tid) => withSameAs({ tid }, sameAs({ tid })));
      const pruned = await readPrunedAdmissions(db, owner, relay.id, scans);
      return pruned ? { ...validator, prunedAdmissions: pruned } : validator;
    }),
  );
}
