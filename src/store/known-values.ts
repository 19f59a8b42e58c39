/**
 * Owns that a value stays known when the scans go by which it was known: a relay that counts values looks for those it has no
 * counter of among its scans (see commit/counter.ts), so what it would find there is written down before. To be called under the
 * relays' locks, as a commit counts.
 */
import { sql, type Transaction } from 'kysely';
import { type Counting, countKey } from './counting.js';
import type { Schema } from './schema.js';

type Trx = Transaction<Schema>;

export interface LeavingScan {
  readonly id: string;
  readonly relay_id: string;
  readonly installation: string;
  readonly team: string;
  readonly tid: string;
}

export interface JudgingRelay {
  readonly counting: Counting;
  /** JSON. */
  readonly settings: string;
}

/** Without regard to case, as the account's databases compare. */
export type Fold = (text: string) => string;

/**
 * The ids of scans that have to stay: a database or a list may take their value for one with others, and how it is counted
 * then is not known yet.
 * @param relays those that may still ask; scans of others are known to nobody
 */
export async function keepValuesKnown(
  trx: Trx,
  scans: readonly LeavingScan[],
  relays: ReadonlyMap<string, JudgingRelay>,
  fold: Fold,
): Promise<ReadonlySet<string>> {
  const asked = scans.flatMap((scan) => {
    const relay = relays.get(scan.relay_id);
    return relay?.counting.value ? [{ scan, last: relay.counting.value.last, ...keysOf(scan.tid, relay, fold) }] : [];
  });
  if (asked.length === 0) {
    return new Set();
  }
  const counters = await trx
    .selectFrom('counters')
    .select(['relay_id', 'key'])
    .where('subject', '=', 'value')
    .where('relay_id', 'in', [...new Set(asked.map(({ scan }) => scan.relay_id))])
    .where('key', 'in', [...new Set(asked.flatMap(({ own, folded }) => [own, folded]))])
    .execute();
  const known = new Set(counters.map((row) => `${row.relay_id}:${row.key}`));
  const staying = new Set<string>();
  const done = new Set<string>();
  for (const { scan, own, folded, last } of asked) {
    if (folded !== own && !known.has(`${scan.relay_id}:${folded}`)) {
      staying.add(scan.id);
      continue;
    }
    const name = `${scan.relay_id}:${own}`;
    if (done.has(name)) {
      continue;
    }
    done.add(name);
    if (!known.has(name)) {
      await writeCounter(trx, scan, own);
    }
    if (last !== undefined) {
      for (const key of new Set([own, folded])) {
        await writeAcceptances(trx, scan, key, last);
      }
    }
  }
  return staying;
}

/** A relay that takes no two values for one has no such words in its settings; one that has them elsewhere loses nothing by it. */
function folds(settings: string): boolean {
  return settings.includes('"database"') || (settings.includes('"kind":"list"') && settings.includes('"exact":false'));
}

function keysOf(tid: string, { settings }: JudgingRelay, fold: Fold): { own: string; folded: string } {
  const own = countKey('value', { tid }) as string;
  const folded = folds(settings) ? (countKey('value', { tid, sameAs: fold(tid) }) as string) : own;
  return { own, folded };
}

const moment = sql`coalesce(made_at, received_at)`;

/** By the index on values, which begins with the owner. */
function ofValue({ installation, team, tid, relay_id }: LeavingScan) {
  return sql`installation = ${installation} and team = ${team}
    and substr(tid, 1, 200) = substr(cast(${tid} as text), 1, 200) and tid = ${tid} and relay_id = ${relay_id}`;
}

/** As the commit counts a value that it has no counter of. */
async function writeCounter(trx: Trx, scan: LeavingScan, key: string): Promise<void> {
  await sql`insert into counters (relay_id, subject, key, seen, first_at, last_at, accepted, last_accepted_at)
    select cast(${scan.relay_id} as text), 'value', cast(${key} as text), count(*), min(${moment}), max(${moment}),
      sum(valid), max(case when valid = 1 then ${moment} end)
    from scans where ${ofValue(scan)}`.execute(trx);
}

/** The moments of the last acceptances, where nobody remembered them yet. */
async function writeAcceptances(trx: Trx, scan: LeavingScan, key: string, last: number): Promise<void> {
  await sql`insert into acceptances (relay_id, subject, key, n, at)
    select counters.relay_id, counters.subject, counters.key, counters.accepted - latest.back, latest.at
    from (
      select newest.at, row_number() over (order by newest.id desc) - 1 as back
      from (
        select id, ${moment} as at from scans where ${ofValue(scan)} and valid = 1 order by id desc limit ${last}
      ) as newest
    ) as latest
    join counters on counters.relay_id = ${scan.relay_id} and counters.subject = 'value' and counters.key = ${key}
    where counters.accepted > latest.back
    on conflict (relay_id, subject, key, n) do nothing`.execute(trx);
}
