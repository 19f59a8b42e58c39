/** Counters of a commit, read in bulk under the relays' locks: one statement; more only for new values and limits. */
import type { Kysely } from 'kysely';
import { bulkStatement } from '../database/bulk.js';
import type { CountersTable, Schema } from '../database/schema.js';
import { countReceived } from '../scans/received/commit.js';
import {
  type CounterName,
  type CountingRelay,
  idOf,
  ruleNames,
  type StoredCount,
  type StoredCounts,
} from './counter.js';
import { type CountedScan, countedKeys, type RuleCount, subjects } from './counters.js';
import { type AdmissionQuery, readAdmissions } from './read-admissions.js';

type Trx = Kysely<Schema>;

const selectCounters = bulkStatement(
  { relay_id: 'text', subject: 'text', key: 'text' },
  ({ input }) => `
    select input.n, counters.seen, counters.first_at, counters.last_at, counters.accepted, counters.last_accepted_at
    from ${input} cross join counters
    where counters.relay_id = input.relay_id and counters.subject = input.subject and counters.key = input.key`,
);

/** Reads counts. `rulesOf`: a relay's rules that count for themselves. `momentOf`: see `RulesPort.countsAround`. */
export async function readCounts<Relay extends CountingRelay, Scan extends CountedScan>(
  trx: Trx,
  batch: readonly { readonly relay: Relay; readonly scan: Scan }[],
  rulesOf: (relay: Relay) => readonly RuleCount[],
  momentOf: (relay: Relay, scan: Scan) => number | undefined,
): Promise<StoredCounts> {
  const queries = [...queriesOf(batch, momentOf), ...ruleQueriesOf(batch, rulesOf)];
  const counters = new Map(await readStoredCounters(trx, queries));
  const uncounted = queries.filter((one) => one.subject === 'value' && !counters.has(idOf(one)));
  // Values without a counter are counted among the stored scans.
  for (const [one, count] of await countReceived(trx, uncounted)) {
    counters.set(idOf(one), count);
  }
  return {
    counter: (one) => counters.get(idOf(one)),
    admitted: await readAdmissions(trx, queries, counters),
  };
}

function queriesOf<Relay extends CountingRelay, Scan extends CountedScan>(
  batch: readonly { readonly relay: Relay; readonly scan: Scan }[],
  momentOf: (relay: Relay, scan: Scan) => number | undefined,
): readonly AdmissionQuery[] {
  const queries = new Map<string, AdmissionQuery>();
  for (const { relay, scan } of batch) {
    for (const subject of subjects) {
      const counting = relay.counting[subject];
      for (const { key, spellings } of counting ? countedKeys(subject, scan) : []) {
        const counterName = { relayId: relay.id, subject, key };
        const earlierQuery = queries.get(idOf(counterName));
        const moments = earlierQuery?.moments ?? [];
        const countedAt = counting?.within && momentOf(relay, scan);
        if (countedAt !== undefined) {
          moments.push(countedAt);
        }
        queries.set(idOf(counterName), {
          ...counterName,
          spellings: earlierQuery ? [...new Set([...earlierQuery.spellings, ...spellings])] : spellings,
          within: counting?.within ?? [],
          since: counting?.since,
          moments,
        });
      }
    }
  }
  return [...queries.values()];
}

function ruleQueriesOf<Relay extends CountingRelay>(
  batch: readonly { readonly relay: Relay; readonly scan: CountedScan }[],
  rulesOf: (relay: Relay) => readonly RuleCount[],
): readonly AdmissionQuery[] {
  const names = batch.flatMap(({ relay, scan }) => ruleNames(relay, rulesOf(relay), scan));
  return [...new Map(names.map((name) => [idOf(name), name])).values()].map((name) => ({
    ...name,
    spellings: [],
    within: [],
    since: undefined,
    moments: [],
  }));
}

/** The stored counters among these, by their names (`idOf`). */
export async function readStoredCounters(
  trx: Trx,
  names: readonly CounterName[],
): Promise<ReadonlyMap<string, StoredCount>> {
  const rows = await selectCounters<Omit<CountersTable, 'relay_id' | 'subject' | 'key'> & { readonly n: number }>(
    trx,
    names.map(({ relayId, subject, key }) => ({ relay_id: relayId, subject, key })),
  );
  return new Map(
    rows.map(({ n, seen, accepted, first_at: firstAt, last_at: lastAt, last_accepted_at: lastAcceptedAt }) => [
      idOf(names[n]!),
      { seen, accepted, firstAt, lastAt, lastAcceptedAt: lastAcceptedAt ?? undefined },
    ]),
  );
}
