/**
 * Counters of a commit on PostgreSQL. What a batch may need is read beforehand under the relays' locks, in one
 * statement, plus one more for what only some relays need.
 */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.js';
import { type CountedScan, countedKeys, subjects } from '../../scans/counters.js';
import {
  type CounterName,
  type CountingRelay,
  idOf,
  type ScanCounter,
  type StoredCount,
  type StoredCounts,
} from './counter.js';

type Trx = Transaction<Schema>;

interface Asked extends CounterName {
  readonly spellings: readonly string[];
  readonly last: number | undefined;
  /** How many scans of the batch belong to it. */
  scans: number;
}

interface CountRow {
  readonly relay_id: string;
  readonly subject: string;
  readonly key: string;
  readonly seen: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly accepted: number;
  readonly last_accepted_at: number | null;
}

export async function countsOnPostgres(
  trx: Trx,
  batch: readonly { readonly relay: CountingRelay; readonly scan: CountedScan }[],
): Promise<StoredCounts> {
  const asked = new Map<string, Asked>();
  for (const { relay, scan } of batch) {
    for (const subject of subjects) {
      const counting = relay.counting[subject];
      if (!counting) {
        continue;
      }
      for (const { key, spellings } of countedKeys(subject, scan)) {
        const name = { relayId: relay.id, subject, key };
        const before = asked.get(idOf(name));
        asked.set(idOf(name), {
          ...name,
          spellings: before ? [...new Set([...before.spellings, ...spellings])] : spellings,
          last: counting.last,
          scans: (before?.scans ?? 0) + 1,
        });
      }
    }
  }
  if (asked.size === 0) {
    return { counter: () => undefined, acceptedAt: () => undefined, lastAccepted: () => [] };
  }
  const counters = await readCounters(trx, [...asked.values()]);
  const counted = [...asked.values()].filter(({ subject }) => subject === 'value');
  await addFromScans(
    trx,
    counted.filter((name) => !counters.has(idOf(name))),
    counters,
  );
  const limited = [...asked.values()].filter(({ last }) => last !== undefined);
  const remembered = await readAcceptances(trx, limited, counters);
  const unremembered = limited.filter((name) => {
    const accepted = counters.get(idOf(name))?.accepted ?? 0;
    const { last = 0, scans } = name;
    const mayAsk = accepted > 0 && accepted - last + scans >= 1;
    const first = Math.max(1, accepted - last + 1);
    return name.subject === 'value' && mayAsk && !remembered.has(`${idOf(name)}:${first}`);
  });
  const recent = await readRecent(trx, unremembered);
  return {
    counter: (name) => counters.get(idOf(name)),
    acceptedAt: (name, n) => remembered.get(`${idOf(name)}:${n}`),
    lastAccepted: (name) => recent.get(idOf(name)) ?? [],
  };
}

async function readCounters(trx: Trx, asked: readonly Asked[]): Promise<Map<string, StoredCount>> {
  const names = asked.map(({ relayId, subject, key }) => ({ relay_id: relayId, subject, key }));
  const { rows } = await sql<CountRow>`select counters.*
    from json_to_recordset(${JSON.stringify(names)}::json) as asked (relay_id text, subject text, key text)
    join counters using (relay_id, subject, key)`.execute(trx);
  return new Map(
    rows.map((row) => [
      idOf({ relayId: row.relay_id, subject: row.subject as CounterName['subject'], key: row.key }),
      {
        seen: row.seen,
        firstAt: row.first_at,
        lastAt: row.last_at,
        accepted: row.accepted,
        lastAcceptedAt: row.last_accepted_at,
      },
    ]),
  );
}

/** Values counted for the first time. */
async function addFromScans(trx: Trx, asked: readonly Asked[], counters: Map<string, StoredCount>): Promise<void> {
  if (asked.length === 0) {
    return;
  }
  const { rows } = await sql<{
    n: number;
    seen: number;
    first_at: number;
    last_at: number;
    accepted: number;
    last_accepted_at: number | null;
  }>`select asked.n, count(*) as seen, min(${moment}) as first_at, max(${moment}) as last_at,
      count(*) filter (where valid = 1) as accepted, max(${moment}) filter (where valid = 1) as last_accepted_at
    from ${recordset(asked)}
    join scans on ${ofValue}
    group by asked.n`.execute(trx);
  for (const row of rows) {
    counters.set(idOf(asked[row.n]!), {
      seen: row.seen,
      firstAt: row.first_at,
      lastAt: row.last_at,
      accepted: row.accepted,
      lastAcceptedAt: row.last_accepted_at,
    });
  }
}

/** Those the batch may need: each acceptance within it moves on by one. */
async function readAcceptances(
  trx: Trx,
  asked: readonly Asked[],
  counters: ReadonlyMap<string, StoredCount>,
): Promise<Map<string, number>> {
  const wanted = asked.flatMap(({ relayId, subject, key, last = 0, scans }) => {
    const from = (counters.get(idOf({ relayId, subject, key }))?.accepted ?? 0) - last + 1;
    return from + scans <= 1 ? [] : [{ relay_id: relayId, subject, key, least: from, most: from + scans }];
  });
  if (wanted.length === 0) {
    return new Map();
  }
  const { rows } = await sql<{ relay_id: string; subject: string; key: string; n: number; at: number }>`
    select acceptances.*
    from json_to_recordset(${JSON.stringify(wanted)}::json)
      as asked (relay_id text, subject text, key text, least bigint, most bigint)
    join acceptances on acceptances.relay_id = asked.relay_id and acceptances.subject = asked.subject
      and acceptances.key = asked.key and acceptances.n between asked.least and asked.most`.execute(trx);
  return new Map(
    rows.map((row) => [
      `${idOf({ relayId: row.relay_id, subject: row.subject as CounterName['subject'], key: row.key })}:${row.n}`,
      row.at,
    ]),
  );
}

async function readRecent(trx: Trx, asked: readonly Asked[]): Promise<Map<string, number[]>> {
  const recent = new Map<string, number[]>();
  if (asked.length === 0) {
    return recent;
  }
  const { rows } = await sql<{ n: number; at: number }>`select asked.n, latest.at
    from ${recordset(asked)}
    cross join lateral (
      select scans.id, ${moment} as at from scans where ${ofValue} and scans.valid = 1 order by scans.id desc limit asked.last
    ) as latest
    order by asked.n, latest.id desc`.execute(trx);
  for (const { n, at } of rows) {
    const id = idOf(asked[n]!);
    recent.set(id, [...(recent.get(id) ?? []), at]);
  }
  return recent;
}

/** A row for each spelling, with its relay: the index on values begins with the relay's owner. */
function recordset(asked: readonly Asked[]) {
  const rows = asked.flatMap(({ relayId, spellings, last = 1 }, n) =>
    spellings.map((tid) => ({ n, relay_id: relayId, tid, last })),
  );
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as asked (n int, relay_id text, tid text, last bigint)
    join relays on relays.id = asked.relay_id`;
}

const moment = sql`coalesce(scans.made_at, scans.received_at)`;

const ofValue = sql`scans.installation = relays.installation and scans.team = relays.team
  and substr(scans.tid, 1, 200) = substr(asked.tid, 1, 200) and scans.tid = asked.tid and scans.relay_id = relays.id`;

export async function writeCountsOnPostgres(
  trx: Trx,
  { counters, acceptances }: Pick<ScanCounter, 'counters' | 'acceptances'>,
): Promise<void> {
  const rows = [...counters];
  if (rows.length > 0) {
    await sql`insert into counters (relay_id, subject, key, seen, first_at, last_at, accepted, last_accepted_at)
      select "relayId", subject, key, seen, "firstAt", "lastAt", accepted, "lastAcceptedAt"
      from json_to_recordset(${JSON.stringify(rows)}::json) as counted ("relayId" text, subject text, key text, seen bigint,
        "firstAt" bigint, "lastAt" bigint, accepted bigint, "lastAcceptedAt" bigint)
      on conflict (relay_id, subject, key) do update set seen = excluded.seen, first_at = excluded.first_at,
        last_at = excluded.last_at, accepted = excluded.accepted, last_accepted_at = excluded.last_accepted_at`.execute(
      trx,
    );
  }
  if (acceptances.length > 0) {
    await sql`insert into acceptances (relay_id, subject, key, n, at)
      select "relayId", subject, key, n, at from json_to_recordset(${JSON.stringify(acceptances)}::json)
        as accepted ("relayId" text, subject text, key text, n bigint, at bigint)
      on conflict (relay_id, subject, key, n) do update set at = excluded.at`.execute(trx);
    await sql`delete from acceptances using json_to_recordset(${JSON.stringify(acceptances)}::json)
        as accepted ("relayId" text, subject text, key text, n bigint, last bigint)
      where acceptances.relay_id = accepted."relayId" and acceptances.subject = accepted.subject
        and acceptances.key = accepted.key and acceptances.n <= accepted.n - accepted.last`.execute(trx);
  }
}
