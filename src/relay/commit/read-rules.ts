/** Rule data of a commit, read in bulk: only the data that a rule, watch or mute of the batch's relays may need. */
import type { Transaction } from 'kysely';
import { countKey } from '../../counters/counters.js';
import { bulkStatement } from '../../database/bulk.js';
import type { DigestsTable, MutesTable, RuleMemoriesTable, Schema, WatchesTable } from '../../database/schema.js';
import { type OpenBurst, selectOpenBursts, toFigures } from '../../incidents/writes.js';
import type { Owner } from '../../ownership.js';
import { postsOfScans } from '../../posts/outbox/scan-posts.js';
import { toMute } from '../../watches/facts.js';
import { lockCountingMutes } from '../../watches/mute-rows.js';
import type { RelayRecord } from '../record/records.js';
import { collectsText, type RuleNeeds, type StoredRules, toDigest } from './rules.js';

type Trx = Transaction<Schema>;

interface RelayScan {
  readonly relay: RelayRecord;
  readonly scan: { readonly tid: string };
}

const selectWatches = bulkStatement(
  { installation: 'text', team: 'text', key: 'text' },
  ({ input }) => `
    select watches.* from ${input} cross join watches
    where watches.installation = input.installation and watches.team = input.team and watches.value_key = input.key
    order by watches.made_at, watches.id`,
);

const selectValueMutes = bulkStatement(
  { installation: 'text', team: 'text', key: 'text' },
  ({ input }) => `
    select mutes.* from ${input} cross join mutes
    where mutes.installation = input.installation and mutes.team = input.team
      and mutes.what = 'value' and mutes.what_key = input.key`,
);

const selectRelayMutes = bulkStatement(
  { installation: 'text', team: 'text', relay_id: 'text' },
  ({ input }) => `
    select mutes.* from ${input} cross join mutes
    where mutes.installation = input.installation and mutes.team = input.team
      and mutes.what in ('relay', 'rule') and mutes.relay_id = input.relay_id`,
);

const selectMemories = bulkStatement(
  { relay_id: 'text' },
  ({ input }) => `
    select rule_memories.* from ${input} cross join rule_memories
    where rule_memories.relay_id = input.relay_id`,
);

const selectDigests = bulkStatement(
  { relay_id: 'text' },
  ({ input }) => `
    select digests.*, ${collectsText} as collects from ${input} cross join digests
    where digests.relay_id = input.relay_id`,
);

/** Reads the rule data. `ids`: scans that may be completed. `watched`: relays whose owner has a watch or a mute. */
export async function readRules(
  trx: Trx,
  batch: readonly RelayScan[],
  scope: { ids: readonly string[]; watched: ReadonlySet<string>; needs: (relay: RelayRecord) => RuleNeeds },
): Promise<StoredRules> {
  const relays = [...new Map(batch.map(({ relay }) => [relay.id, relay])).values()];
  const ruleNeeds = relays.map((relay) => ({ relay_id: relay.id, ...scope.needs(relay) }));
  const watched = batch.filter(({ relay }) => scope.watched.has(relay.id));
  const values = watched.map(({ relay, scan }) => ({ ...relay.owner, key: keyOf(scan.tid) }));
  const distinctValues = [...new Map(values.map((value) => [nameOf(value, value.key), value])).values()];
  const ownedRelays = relays.flatMap(({ id, owner }) => (scope.watched.has(id) ? [{ ...owner, relay_id: id }] : []));

  const watches = grouped(await selectWatches<WatchesTable>(trx, distinctValues), (row) => nameOf(row, row.value_key));
  const mutes = await lockCountingMutes(trx, [
    ...(await selectValueMutes<MutesTable>(trx, distinctValues)),
    ...(await selectRelayMutes<MutesTable>(trx, ownedRelays)),
  ]);
  const mutesBySubject = grouped(mutes, (row) =>
    row.what === 'value' ? nameOf(row, row.what_key) : (row.relay_id ?? ''),
  );
  const memories = await selectMemories<RuleMemoriesTable>(
    trx,
    ruleNeeds.filter((one) => one.memories),
  );
  const bursts = await selectOpenBursts<OpenBurst>(
    trx,
    ruleNeeds.filter((one) => one.memories),
  );
  const digests = await selectDigests<DigestsTable & { readonly collects: unknown }>(
    trx,
    ruleNeeds.filter((one) => one.digests),
  );
  const memoryOf = new Map(memories.map((row) => [`${row.relay_id}:${row.rule_id}`, row.memory]));
  const burstOf = new Map(bursts.map((row) => [`${row.relay_id}:${row.rule_id}`, toFigures(row)]));
  const digestOf = new Map(digests.map((row) => [`${row.relay_id}:${row.channel}:${row.rule_id}`, toDigest(row)]));
  const posts = await postsOfScans(trx, scope.ids);
  return {
    watches: (owner, tid, at) =>
      watches.size === 0
        ? emptyList
        : (watches.get(nameOf(owner, keyOf(tid))) ?? [])
            .filter(({ until }) => until > at)
            .map(({ channel, who }) => ({ channel, who })),
    mutes: (owner, id, tid, at) =>
      mutes.length === 0
        ? emptyList
        : [nameOf(owner, keyOf(tid)), id]
            .flatMap((subject) => mutesBySubject.get(subject) ?? [])
            .filter(({ until }) => until > at)
            .map(toMute),
    memory: (id, ruleId) => memoryOf.get(`${id}:${ruleId}`),
    burst: (id, ruleId) => burstOf.get(`${id}:${ruleId}`),
    digest: (id, ruleId, channel) => digestOf.get(`${id}:${channel}:${ruleId}`),
    postsOf: (scanId) => posts.get(scanId) ?? [],
  };
}

const emptyList: readonly never[] = [];

function keyOf(tid: string): string {
  return countKey('value', { tid }) ?? '';
}

function nameOf({ installation, team }: Owner, key: string): string {
  return `${installation}:${team}:${key}`;
}

function grouped<Row>(rows: readonly Row[], name: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    groups.set(name(row), [...(groups.get(name(row)) ?? []), row]);
  }
  return groups;
}
