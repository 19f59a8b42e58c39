/**
 * Value counters and admissions are written from scans before these are deleted, so that a value with deleted scans is
 * not counted as new. Call it while holding the relays' locks, as a commit does when it counts.
 */
import { sql, type Transaction } from 'kysely';
import { fold } from '../codereadr/barcode-equality.js';
import type { Schema } from '../database/schema.js';
import { countReceived } from '../scans/received/commit.js';
import type { LeavingScan } from '../scans/received/removal.js';
import { clocksDifferMs, insertAdmissions } from './admissions.js';
import { type CountedKey, type Counting, countedKeys, type SubjectCounting, withSameAs } from './counters.js';

type Trx = Transaction<Schema>;

export interface CountedRelay {
  readonly counting: Counting;
  /** The relay's settings as JSON. */
  readonly settings: string;
}

/** A key under which a scan may be counted. */
interface CounterQuery extends CountedKey {
  readonly relayId: string;
}

/** Writes counters before scans are deleted. @param relays those whose counters may still be read; others need none */
export async function keepValuesKnown(
  trx: Trx,
  scans: readonly LeavingScan[],
  relays: ReadonlyMap<string, CountedRelay>,
): Promise<void> {
  const input = new Map<string, CounterQuery>();
  const admissions: Parameters<typeof insertAdmissions>[1][number][] = [];
  for (const scan of scans) {
    const { relay_id: relayId, tid } = scan;
    const relay = relays.get(relayId);
    const counting = relay?.counting.value;
    if (relay && counting) {
      for (const counted of countedKeys('value', withSameAs({ tid }, sameAsOf(relay.settings, tid)))) {
        input.set(nameOf(relayId, counted.key), { relayId, ...counted });
        if (isUnstored(scan, counting)) {
          const at = scan.made_at ?? scan.received_at;
          admissions.push({ relay_id: relayId, subject: 'value', key: counted.key, at, scan_id: scan.id });
        }
      }
    }
  }
  if (input.size === 0) {
    return;
  }
  const knownValues = await readKnown(trx, [...input.values()]);
  const uncounted = [...input].filter(([name]) => !knownValues.has(name)).map(([, one]) => one);
  if (uncounted.length > 0) {
    await writeCounters(trx, uncounted);
  }
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

/** The names of existing counters. */
async function readKnown(trx: Trx, input: readonly CounterQuery[]): Promise<ReadonlySet<string>> {
  const names = input.map(({ relayId, key }) => sql`(cast(${relayId} as text), cast(${key} as text))`);
  const { rows } = await sql<{ relay_id: string; key: string }>`
    with input (relay_id, key) as (values ${sql.join(names)})
    select input.relay_id, input.key from input
    join counters on counters.relay_id = input.relay_id and counters.subject = 'value' and counters.key = input.key
  `.execute(trx);
  return new Set(rows.map(({ relay_id, key }) => nameOf(relay_id, key)));
}

/** The key of a counter in maps: no relay's id holds a colon. */
function nameOf(relayId: string, key: string): string {
  return `${relayId}:${key}`;
}

/** Writes the counters that a commit would count for values without one. */
async function writeCounters(trx: Trx, input: readonly CounterQuery[]): Promise<void> {
  const counts = await countReceived(trx, input);
  const rows = [...counts].map(([{ relayId, key }, { seen, accepted, firstAt, lastAt, lastAcceptedAt }]) => ({
    ...{ relay_id: relayId, subject: 'value' as const, key, seen, accepted },
    ...{ first_at: firstAt, last_at: lastAt, last_accepted_at: lastAcceptedAt },
  }));
  if (rows.length > 0) {
    await trx.insertInto('counters').values(rows).execute();
  }
}
