/** Relay as a lookup sees it: what it validates against, and whether it would admit a barcode now. */
import type { Kysely } from 'kysely';
import { createCounter } from '../../counters/counter.js';
import { withSameAs } from '../../counters/counters.js';
import { type PrunedAdmissions, readPrunedAdmissions } from '../../counters/pruned-admissions.js';
import { readCounts } from '../../counters/read-counts.js';
import type { Schema } from '../../database/schema.js';
import type { MirrorState } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import type { RelayRecord } from '../record/records.js';
import { readSettings } from '../record/relay.js';
import type { RelaySettings } from '../record/settings.js';
import { createValidate } from '../validation/index.js';
import { sameAsBy } from './current-counts.js';

/**
 * What a relay would do with a barcode that its databases hold as valid. `blocks`: a limit is reached. `refuses`: its
 * list or pattern finds it not valid. The relay's hours are left out.
 */
export type AdmitsNow = 'admits' | 'blocks' | 'refuses';

/** A relay that validates scans itself, or limits how often it accepts one. */
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
  /** Set for a barcode, by the relay's own validation and counters. */
  readonly now?: AdmitsNow;
  /** Set for a relay that is removed: it admits nothing any more, but did. */
  readonly removed?: true;
}

/**
 * The relay as a validator; undefined for one that accepts every scan.
 * @param isLimitEnough whether one that accepts every scan counts where it limits how often
 */
export function toValidator(
  { id, serviceName, serviceIds, settings }: RelayRecord,
  isRemoved: boolean,
  isLimitEnough = false,
): RelayValidator | undefined {
  const ownSettings = readSettings(settings);
  const { judging, duplicates, atMost } = ownSettings;
  if (judging.kind === 'accept' && !(isLimitEnough && (duplicates || atMost))) {
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
    ...(isRemoved ? { removed: true } : {}),
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

/** A database that holds a barcode. */
export interface Holder {
  readonly id: string;
  readonly mindsCase: boolean;
}

interface BarcodeFacts {
  readonly db: Kysely<Schema>;
  readonly now: number;
  readonly states: readonly MirrorState[];
  readonly holders: readonly Holder[];
}

/** Adds what relays know of a barcode. @param values the barcode, and its other spellings */
export async function forBarcode(
  { db, now, states, holders }: BarcodeFacts,
  owner: Owner,
  values: readonly string[],
  relays: readonly { readonly relay: RelayRecord; readonly validator: RelayValidator }[],
): Promise<readonly RelayValidator[]> {
  return Promise.all(
    relays.map(async ({ relay, validator }) => {
      const mirrors = states.filter(({ databaseId }) => validator.databaseIds.includes(databaseId));
      const sameAs = sameAsBy(readSettings(relay.settings).judging, mirrors);
      const scans = values.map((tid) => withSameAs({ tid }, sameAs({ tid })));
      // The first of the relay's databases that holds the barcode says which spellings count as one.
      const holder = validator.databaseIds.flatMap((id) => holders.find((each) => each.id === id) ?? [])[0];
      const [tid = ''] = values;
      const ownScan = holder ? withSameAs({ tid }, holder.mindsCase ? undefined : tid.toLowerCase()) : scans[0]!;
      const pruned = validator.databaseIds.length > 0 && (await readPrunedAdmissions(db, owner, relay.id, scans));
      return {
        ...validator,
        ...(pruned ? { prunedAdmissions: pruned } : {}),
        ...(validator.removed ? {} : { now: await admitsNow(db, relay, ownScan, now) }),
      };
    }),
  );
}

/** Asks the relay's validation about a scan that comes now, which no counter counts. */
async function admitsNow(
  db: Kysely<Schema>,
  relay: RelayRecord,
  barcode: { readonly tid: string; readonly sameAs?: string },
  now: number,
): Promise<AdmitsNow> {
  const settings: RelaySettings = { ...readSettings(relay.settings), hours: undefined };
  const scan = {
    ...barcode,
    id: '',
    relayId: relay.id,
    secretId: '',
    receivedAt: now,
    submit: [],
    answers: [],
    properties: [],
    prefetched: { known: { kind: 'known', valid: true, response: '', database: '' } },
  } as const;
  const isLimited = settings.duplicates !== undefined || settings.atMost !== undefined;
  const counted = isLimited ? [{ relay, scan }] : [];
  const stored = await readCounts(
    db,
    counted,
    () => [],
    () => now,
  );
  const validate = createValidate(settings, { lateHours: Number.POSITIVE_INFINITY });
  const { finding, valid } = validate({ scan, counts: createCounter(stored).before(relay, scan) });
  return valid ? 'admits' : finding === 'invalid' ? 'refuses' : 'blocks';
}
