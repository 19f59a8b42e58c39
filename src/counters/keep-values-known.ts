/**
 * Value counters and admissions, written from scans before these are deleted, so that a value with deleted scans is not
 * counted as new. The caller holds the relays' locks, as a commit does when it counts.
 */
import type { Transaction } from 'kysely';
import { fold } from '../codereadr/barcode-equality.js';
import type { Schema } from '../database/schema.js';
import { countReceived } from '../scans/received/commit.js';
import type { LeavingScan } from '../scans/received/removal.js';
import { clocksDifferMs, insertAdmissions } from './admissions.js';
import { type CounterName, idOf } from './counter.js';
import { type CountedKey, type Counting, countedKeys, type SubjectCounting, withSameAs } from './counters.js';
import { readStoredCounters } from './read-counts.js';
import { putCounters, toRow } from './write-counters.js';

export interface CountedRelay {
  readonly counting: Counting;
  /** The relay's settings as JSON. */
  readonly settings: string;
}

/** Writes counters before scans are deleted. @param relays those whose counters may still be read; others need none */
export async function keepValuesKnown(
  trx: Transaction<Schema>,
  scans: readonly LeavingScan[],
  relays: ReadonlyMap<string, CountedRelay>,
): Promise<void> {
  const counters = new Map<string, CounterName & CountedKey>();
  const admissions: Parameters<typeof insertAdmissions>[1][number][] = [];
  for (const scan of scans) {
    const { relay_id: relayId, tid } = scan;
    const relay = relays.get(relayId);
    const counting = relay?.counting.value;
    if (relay && counting) {
      for (const counted of countedKeys('value', withSameAs({ tid }, sameAsOf(relay.settings, tid)))) {
        const counter = { relayId, subject: 'value' as const, ...counted };
        counters.set(idOf(counter), counter);
        if (isUnstored(scan, counting)) {
          const at = scan.made_at ?? scan.received_at;
          admissions.push({ relay_id: relayId, subject: 'value', key: counted.key, at, scan_id: scan.id });
        }
      }
    }
  }
  const known = await readStoredCounters(trx, [...counters.values()]);
  const uncounted = [...counters.values()].filter((counter) => !known.has(idOf(counter)));
  const counts = await countReceived(trx, uncounted);
  await putCounters(
    trx,
    [...counts].map(([name, count]) => toRow({ name, count })),
  );
  await insertAdmissions(trx, admissions);
}

/** Whether the scan was admitted before the relay's admissions were stored. */
function isUnstored({ valid, received_at: at }: LeavingScan, { within, since = 0 }: SubjectCounting): boolean {
  return valid === 1 && within !== undefined && at < since + clocksDifferMs;
}

/** Only relays whose settings contain these words treat two values as one; a false match does no harm. */
function sameAsOf(settings: string, tid: string): string | undefined {
  const isList = settings.includes('"kind":"list"') && settings.includes('"exact":false');
  return settings.includes('"database"') ? tid.toLowerCase() : isList ? fold(tid) : undefined;
}
