/** Admissions by pruned scans: a counter with more admissions than there are stored scans proves them. */
import type { Kysely } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import { type CountedScan, countedKeys, countingShape } from './counters.js';
import { acceptedScans, readCounters } from './read-counters.js';

/** `admittedAt`: the last admission, from the counter; undefined if the relay has no such counter. */
export interface PrunedAdmissions {
  readonly admittedAt?: number;
}

/** The admissions; undefined: no admitted scan of these barcodes was pruned. */
export async function readPrunedAdmissions(
  db: Kysely<Schema>,
  owner: Owner,
  relayId: string,
  scans: readonly CountedScan[],
): Promise<PrunedAdmissions | undefined> {
  const relay = await db
    .selectFrom('relays')
    .innerJoin('scans_pruned', (join) => join.onTrue())
    .select(['relays.counting', 'relays.created_at', 'scans_pruned.before'])
    .where(equal({ 'relays.id': relayId, 'relays.installation': owner.installation, 'relays.team': owner.team }))
    .executeTakeFirst();
  if (!relay) {
    return undefined;
  }
  if (!readJson(countingShape, relay.counting, 'relay').value) {
    return relay.created_at < relay.before ? {} : undefined;
  }
  const valueCounter = { owner, relayId, subject: 'value' } as const;
  const keys = scans.flatMap((scan) => countedKeys('value', scan));
  // The counters are read first: a scan that comes in between is then stored, and not mistaken for a pruned one.
  const counters = await readCounters(
    db,
    valueCounter,
    keys.map(({ key }) => key),
  );
  const keptAdmissions = await acceptedScans(
    db,
    valueCounter,
    keys.flatMap(({ spellings }) => spellings),
  );
  const moments = keys.flatMap(({ key, spellings }) => {
    const counter = counters.get(key);
    const storedCount = spellings.reduce((sum, tid) => sum + (keptAdmissions.get(tid) ?? 0), 0);
    return counter && counter.accepted > storedCount ? (counter.last_accepted_at ?? []) : [];
  });
  return moments.length > 0 ? { admittedAt: Math.max(...moments) } : undefined;
}
