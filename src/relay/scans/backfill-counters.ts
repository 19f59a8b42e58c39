/**
 * Backfill of value counters before scans are pruned, so that a value with pruned scans is not counted as new. Call it
 * while holding the relays' locks, as a commit does when it counts.
 */
import { sql, type Transaction } from 'kysely';
import { fold } from '../../codereadr/barcode-equality.js';
import type { Schema } from '../../database/schema.js';
import { type CountedKey, type Counting, countedKeys } from './counters.js';

type Trx = Transaction<Schema>;

export interface LeavingScan {
  readonly relay_id: string;
  readonly tid: string;
}

export interface CountedRelay {
  readonly counting: Counting;
  /** JSON. */
  readonly settings: string;
}

/** A key that a scan may be counted by. */
interface CounterQuery extends CountedKey {
  readonly relayId: string;
  /** How many moments of acceptance are stored. */
  readonly last: number;
}

/** @param relays those whose counters may still be read; others need no backfill */
export async function keepValuesKnown(
  trx: Trx,
  scans: readonly LeavingScan[],
  relays: ReadonlyMap<string, CountedRelay>,
): Promise<void> {
  const input = new Map<string, CounterQuery>();
  for (const { relay_id: relayId, tid } of scans) {
    const relay = relays.get(relayId);
    const counting = relay?.counting.value;
    if (relay && counting) {
      for (const counted of countedKeys('value', folds(relay.settings) ? { tid, sameAs: fold(tid) } : { tid })) {
        input.set(nameOf(relayId, counted.key), { relayId, last: counting.last ?? 0, ...counted });
      }
    }
  }
  if (input.size === 0) {
    return;
  }
  const known = await readKnown(trx, [...input.values()]);
  const uncounted = [...input].filter(([name]) => !known.has(name)).map(([, one]) => one);
  const unremembered = [...input].filter(([name, { last }]) => last > 0 && !known.get(name)?.remembered);
  if (uncounted.length > 0) {
    await writeCounters(trx, uncounted);
  }
  if (unremembered.length > 0) {
    await writeAcceptances(
      trx,
      unremembered.map(([, one]) => one),
    );
  }
}

/** Only relays whose settings contain these words treat two values as one; a false match does no harm. */
function folds(settings: string): boolean {
  return settings.includes('"database"') || (settings.includes('"kind":"list"') && settings.includes('"exact":false'));
}

/** Existing counters; `remembered`: with as many moments of acceptance as the relay needs. */
async function readKnown(
  trx: Trx,
  input: readonly CounterQuery[],
): Promise<ReadonlyMap<string, { readonly remembered: boolean }>> {
  const names = input.map(
    ({ relayId, key, last }) => sql`(cast(${relayId} as text), cast(${key} as text), cast(${last} as bigint))`,
  );
  const { rows } = await sql<{ relay_id: string; key: string; last: number; accepted: number; moments: number }>`
    with input (relay_id, key, last) as (values ${sql.join(names)})
    select input.relay_id, input.key, input.last, counters.accepted, (
        select count(*) from acceptances
        where acceptances.relay_id = input.relay_id and acceptances.subject = 'value' and acceptances.key = input.key
          and acceptances.n > counters.accepted - input.last
      ) as moments
    from input
    join counters on counters.relay_id = input.relay_id and counters.subject = 'value' and counters.key = input.key
  `.execute(trx);
  return new Map(
    rows.map(({ relay_id, key, last, accepted, moments }) => [
      nameOf(relay_id, key),
      { remembered: moments >= Math.min(accepted, last) },
    ]),
  );
}

/** No relay's id holds a colon. */
function nameOf(relayId: string, key: string): string {
  return `${relayId}:${key}`;
}

const moment = sql`coalesce(scans.made_at, scans.received_at)`;

/** A row for each spelling. */
function spelt(input: readonly CounterQuery[]) {
  const rows = input.flatMap(({ relayId, key, last, spellings }) =>
    spellings.map(
      (tid) => sql`(cast(${relayId} as text), cast(${key} as text), cast(${last} as bigint), cast(${tid} as text))`,
    ),
  );
  return sql`input (relay_id, key, last, tid) as (values ${sql.join(rows)})`;
}

/**
 * Uses the index on values, which begins with the owner: SQLite joins in this order, and `||` keeps both databases from
 * scanning all of the relay's scans.
 */
const theirScans = sql`input cross join relays cross join scans
  where relays.id = input.relay_id and scans.installation = relays.installation and scans.team = relays.team
    and substr(scans.tid, 1, 200) = substr(input.tid, 1, 200) and scans.tid = input.tid
    and scans.relay_id || '' = relays.id`;

/** As a commit counts values without a counter. */
async function writeCounters(trx: Trx, input: readonly CounterQuery[]): Promise<void> {
  await sql`with ${spelt(input)}
    insert into counters (relay_id, subject, key, seen, first_at, last_at, accepted, last_accepted_at)
    select input.relay_id, 'value', input.key, count(*), min(${moment}), max(${moment}),
      sum(scans.valid), max(case when scans.valid = 1 then ${moment} end)
    from ${theirScans} group by input.relay_id, input.key`.execute(trx);
}

/** The moments of the last acceptances, if none are stored yet. */
async function writeAcceptances(trx: Trx, input: readonly CounterQuery[]): Promise<void> {
  await sql`with ${spelt(input)}
    insert into acceptances (relay_id, subject, key, n, at)
    select counters.relay_id, counters.subject, counters.key, counters.accepted - latest.back, latest.at
    from (
      select input.relay_id, input.key, input.last, ${moment} as at,
        row_number() over (partition by input.relay_id, input.key order by scans.id desc) - 1 as back
      from ${theirScans} and scans.valid = 1
    ) as latest
    join counters
      on counters.relay_id = latest.relay_id and counters.subject = 'value' and counters.key = latest.key
    where latest.back < latest.last and counters.accepted > latest.back
    on conflict (relay_id, subject, key, n) do nothing`.execute(trx);
}
