/** Counters of a commit, read in bulk under the relays' locks: one statement, and more only for what is not counted yet. */
import type { Transaction } from 'kysely';
import { bulkStatement } from '../../../database/bulk.js';
import type { Schema } from '../../../database/schema.js';
import { type CountedScan, countedKeys, type RuleCount, subjects } from '../../scans/counters.js';
import { moment, ofValue } from '../../scans/of-value.js';
import {
  type CounterName,
  type CountingRelay,
  idOf,
  ruleNames,
  type StoredCount,
  type StoredCounts,
  withCount,
} from './counter.js';

type Trx = Transaction<Schema>;

interface CounterQuery extends CounterName {
  readonly spellings: readonly string[];
  readonly last: number | undefined;
  /** How many scans of the batch belong to it. */
  scans: number;
}

interface CountRow {
  readonly n: number;
  readonly seen: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly accepted: number;
  readonly last_accepted_at: number | null;
}

const selectCounters = bulkStatement(
  { relay_id: 'text', subject: 'text', key: 'text' },
  ({ input }) => `
    select input.n, counters.seen, counters.first_at, counters.last_at, counters.accepted, counters.last_accepted_at
    from ${input} cross join counters
    where counters.relay_id = input.relay_id and counters.subject = input.subject and counters.key = input.key`,
);

/** Of values that have no counter: from the stored scans. */
const countScans = bulkStatement(
  { relay_id: 'text', tid: 'text' },
  ({ input }) => `
    select input.n, count(*) as seen, min(${moment}) as first_at, max(${moment}) as last_at,
      sum(scans.valid) as accepted, max(case when scans.valid = 1 then ${moment} end) as last_accepted_at
    from ${input} cross join relays cross join scans
    where relays.id = input.relay_id and ${ofValue}
    group by input.n`,
);

const selectAcceptances = bulkStatement(
  { relay_id: 'text', subject: 'text', key: 'text', least: 'bigint', most: 'bigint' },
  ({ input }) => `
    select input.n as row, acceptances.n, acceptances.at from ${input} cross join acceptances
    where acceptances.relay_id = input.relay_id and acceptances.subject = input.subject
      and acceptances.key = input.key and acceptances.n between input.least and input.most`,
);

/** Of values that were accepted before moments were stored. */
const selectLastAccepted = bulkStatement(
  { relay_id: 'text', tid: 'text', last: 'bigint' },
  ({ input }) => `
    select n, id, at from (
      select input.n, input.last, scans.id, ${moment} as at,
        row_number() over (partition by input.n order by scans.id desc) as back
      from ${input} cross join relays cross join scans
      where relays.id = input.relay_id and ${ofValue} and scans.valid = 1
    ) as latest
    where back <= last`,
);

/** `rulesOf`: the rules of a relay that count for themselves. */
export async function readCounts<Relay extends CountingRelay>(
  trx: Trx,
  batch: readonly { readonly relay: Relay; readonly scan: CountedScan }[],
  rulesOf: (relay: Relay) => readonly RuleCount[],
): Promise<StoredCounts> {
  const queries = [...queriesOf(batch), ...ruleQueriesOf(batch, rulesOf)];
  const counters = await readCounters(trx, queries);
  const uncounted = queries.filter((one) => one.subject === 'value' && !counters.has(idOf(one)));
  await addFromScans(trx, uncounted, counters);
  const limited = queries.filter(({ last }) => last !== undefined);
  const acceptedAt = await readAcceptances(trx, limited, counters);
  const unremembered = limited.filter((one) => {
    const accepted = counters.get(idOf(one))?.accepted ?? 0;
    const { last = 0, scans, subject } = one;
    const mayAsk = subject === 'value' && accepted > 0 && accepted - last + scans >= 1;
    return mayAsk && !acceptedAt.has(`${idOf(one)}:${Math.max(1, accepted - last + 1)}`);
  });
  const lastAccepted = await readLastAccepted(trx, unremembered);
  return {
    counter: (one) => counters.get(idOf(one)),
    acceptedAt: (one, n) => acceptedAt.get(`${idOf(one)}:${n}`),
    lastAccepted: (one) => lastAccepted.get(idOf(one)) ?? [],
  };
}

function queriesOf(
  batch: readonly { readonly relay: CountingRelay; readonly scan: CountedScan }[],
): readonly CounterQuery[] {
  const queries = new Map<string, CounterQuery>();
  for (const { relay, scan } of batch) {
    for (const subject of subjects) {
      const counting = relay.counting[subject];
      for (const { key, spellings } of counting ? countedKeys(subject, scan) : []) {
        const one = { relayId: relay.id, subject, key };
        const before = queries.get(idOf(one));
        queries.set(idOf(one), {
          ...one,
          spellings: before ? [...new Set([...before.spellings, ...spellings])] : spellings,
          last: counting?.last,
          scans: (before?.scans ?? 0) + 1,
        });
      }
    }
  }
  return [...queries.values()];
}

function ruleQueriesOf<Relay extends CountingRelay>(
  batch: readonly { readonly relay: Relay; readonly scan: CountedScan }[],
  rulesOf: (relay: Relay) => readonly RuleCount[],
): readonly CounterQuery[] {
  const names = batch.flatMap(({ relay, scan }) => ruleNames(relay, rulesOf(relay), scan));
  return [...new Map(names.map((name) => [idOf(name), name])).values()].map((name) => ({
    ...name,
    ...{ spellings: [], last: undefined, scans: 0 },
  }));
}

async function readCounters(trx: Trx, queries: readonly CounterQuery[]): Promise<Map<string, StoredCount>> {
  const rows = await selectCounters<CountRow>(
    trx,
    queries.map(({ relayId, subject, key }) => ({ relay_id: relayId, subject, key })),
  );
  return new Map(rows.map((row) => [idOf(queries[row.n]!), toCount(row)]));
}

async function addFromScans(
  trx: Trx,
  queries: readonly CounterQuery[],
  counters: Map<string, StoredCount>,
): Promise<void> {
  const spelt = queries.flatMap((one) => one.spellings.map((tid) => ({ one, relay_id: one.relayId, tid })));
  for (const row of await countScans<CountRow>(trx, spelt)) {
    const id = idOf(spelt[row.n]!.one);
    counters.set(id, withCount(counters.get(id), toCount(row)));
  }
}

/** Those the batch may need: each acceptance within it moves on by one. */
async function readAcceptances(
  trx: Trx,
  queries: readonly CounterQuery[],
  counters: ReadonlyMap<string, StoredCount>,
): Promise<Map<string, number>> {
  const wanted = queries.flatMap((one) => {
    const { relayId, subject, key, last = 0, scans } = one;
    const least = (counters.get(idOf(one))?.accepted ?? 0) - last + 1;
    return least + scans <= 1 ? [] : [{ one, relay_id: relayId, subject, key, least, most: least + scans }];
  });
  const rows = await selectAcceptances<{ row: number; n: number; at: number }>(trx, wanted);
  return new Map(rows.map(({ row, n, at }) => [`${idOf(wanted[row]!.one)}:${n}`, at]));
}

/** Newest first. */
async function readLastAccepted(trx: Trx, queries: readonly CounterQuery[]): Promise<Map<string, number[]>> {
  const spelt = queries.flatMap((one) =>
    one.spellings.map((tid) => ({ one, relay_id: one.relayId, tid, last: one.last ?? 1 })),
  );
  const found = new Map<string, number[]>();
  const rows = [...(await selectLastAccepted<{ n: number; id: string; at: number }>(trx, spelt))].sort((a, b) =>
    a.id < b.id ? 1 : -1,
  );
  for (const { n, at } of rows) {
    const id = idOf(spelt[n]!.one);
    found.set(id, [...(found.get(id) ?? []), at]);
  }
  return found;
}

function toCount(row: CountRow): StoredCount {
  return {
    seen: row.seen,
    firstAt: row.first_at,
    lastAt: row.last_at,
    accepted: row.accepted,
    lastAcceptedAt: row.last_accepted_at,
  };
}
