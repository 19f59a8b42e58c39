/** Rule data of a commit on PostgreSQL. It is read before the decision, and only what some rule may need. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';
import type { RelayRecord } from '../../relays/records.js';
import { countKey } from '../../scans/counters.js';
import {
  type MuteFact,
  type OpenDigest,
  type PostOfScan,
  type RuleNeeds,
  type RulePlan,
  type StoredRules,
  toMute,
  type WatchFact,
} from './rules.js';

type Trx = Transaction<Schema>;

/** A scan of the batch with its relay, and what is already known of them. */
export interface AskingScan {
  readonly relay: RelayRecord;
  readonly tid: string;
  readonly needs: RuleNeeds;
  /** Its owner has a watch or a mute. */
  readonly attended: boolean;
}

export async function rulesOnPostgres(
  trx: Trx,
  batch: readonly AskingScan[],
  /** Those that may be completed. */
  scanIds: readonly string[],
): Promise<StoredRules> {
  const attended = batch.filter((scan) => scan.attended);
  const watches = await readWatches(trx, attended);
  const mutes = await readMutes(trx, attended);
  const memories = await readMemories(trx, idsOf(batch.filter(({ needs }) => needs.memories)));
  const digests = await readDigests(trx, idsOf(batch.filter(({ needs }) => needs.digests)));
  const posts = await readPosts(trx, scanIds);
  return {
    watches: (owner, tid, at) =>
      (watches.get(ownedValue(owner, tid)) ?? [])
        .filter(({ until }) => until > at)
        .map(({ channel, who }) => ({ channel, who })),
    mutes: (owner, relayId, tid, at) =>
      [...(mutes.get(ownedValue(owner, tid)) ?? []), ...(mutes.get(relayId) ?? [])]
        .filter(({ until }) => until > at)
        .map(({ fact }) => fact),
    memory: (relayId, ruleId) => memories.get(`${relayId}:${ruleId}`),
    digest: (relayId, ruleId, channel) => digests.get(`${relayId}:${channel}:${ruleId}`),
    postsOf: (scanId) => posts.get(scanId) ?? [],
  };
}

function idsOf(scans: readonly AskingScan[]): string[] {
  return [...new Set(scans.map(({ relay }) => relay.id))];
}

function ownedValue({ installation, team }: Owner, tid: string): string {
  return `${installation}:${team}:${countKey('value', { tid })}`;
}

function askedValues(batch: readonly AskingScan[]): string {
  const values = new Map(
    batch.map(({ relay, tid }) => [ownedValue(relay.owner, tid), { ...relay.owner, key: countKey('value', { tid }) }]),
  );
  return JSON.stringify([...values.values()]);
}

async function readWatches(trx: Trx, batch: readonly AskingScan[]) {
  const found = new Map<string, (WatchFact & { until: number })[]>();
  if (batch.length > 0) {
    const { rows } = await sql<
      WatchFact & Owner & { value_key: string; until: number }
    >`select watches.installation, watches.team, watches.value_key, watches.channel, watches.who, watches.until
      from json_to_recordset(${askedValues(batch)}::json) as asked (installation text, team text, key text)
      join watches on watches.installation = asked.installation and watches.team = asked.team
        and watches.value_key = asked.key
      order by watches.made_at, watches.id`.execute(trx);
    for (const { installation, team, value_key, ...watch } of rows) {
      add(found, `${installation}:${team}:${value_key}`, watch);
    }
  }
  return found;
}

/** By owner and value, and by relay. */
async function readMutes(trx: Trx, batch: readonly AskingScan[]) {
  const found = new Map<string, { fact: MuteFact; until: number }[]>();
  if (batch.length > 0) {
    const relays = JSON.stringify(
      [...new Map(batch.map(({ relay }) => [relay.id, relay])).values()].map(({ id, owner }) => ({ id, ...owner })),
    );
    const { rows } = await sql<
      Owner & {
        what: 'value' | 'relay' | 'rule';
        what_key: string;
        channel: string;
        relay_id: string | null;
        rule_id: string | null;
        until: number;
      }
    >`select mutes.* from json_to_recordset(${askedValues(batch)}::json) as asked (installation text, team text, key text)
      join mutes on mutes.installation = asked.installation and mutes.team = asked.team
        and mutes.what = 'value' and mutes.what_key = asked.key
      union all
      select mutes.* from json_to_recordset(${relays}::json) as asked (id text, installation text, team text)
      join mutes on mutes.installation = asked.installation and mutes.team = asked.team
        and mutes.what in ('relay', 'rule') and mutes.relay_id = asked.id`.execute(trx);
    for (const row of rows) {
      const name = row.what === 'value' ? `${row.installation}:${row.team}:${row.what_key}` : (row.relay_id ?? '');
      add(found, name, { fact: toMute({ ...row, ruleId: row.rule_id }), until: row.until });
    }
  }
  return found;
}

function add<Item>(lists: Map<string, Item[]>, name: string, item: Item): void {
  lists.set(name, [...(lists.get(name) ?? []), item]);
}

async function readMemories(trx: Trx, relayIds: readonly string[]): Promise<Map<string, string>> {
  if (relayIds.length === 0) {
    return new Map();
  }
  const rows = await trx.selectFrom('rule_memories').selectAll().where('relay_id', 'in', relayIds).execute();
  return new Map(rows.map((row) => [`${row.relay_id}:${row.rule_id}`, row.memory]));
}

async function readDigests(trx: Trx, relayIds: readonly string[]): Promise<Map<string, OpenDigest>> {
  if (relayIds.length === 0) {
    return new Map();
  }
  const rows = await trx.selectFrom('digests').selectAll().where('relay_id', 'in', relayIds).execute();
  return new Map(
    rows.map((row) => [
      `${row.relay_id}:${row.channel}:${row.rule_id}`,
      {
        ...{ key: row.key, relayId: row.relay_id, ruleId: row.rule_id, parentKey: row.card_key ?? undefined },
        queue: { installation: row.installation, team: row.team, channel: row.channel },
        ...{ detail: row.detail, dueAt: row.due_at },
      },
    ]),
  );
}

async function readPosts(trx: Trx, scanIds: readonly string[]): Promise<Map<string, PostOfScan[]>> {
  const found = new Map<string, PostOfScan[]>();
  if (scanIds.length > 0) {
    const { rows } = await sql<
      Pick<PostOfScan, 'channel' | 'kind' | 'folded'> & {
        scan_id: string;
        rule_id: string | null;
        detail: string | null;
      }
    >`select outbox.scan_id, outbox.channel, outbox.kind, outbox.rule_id, outbox.detail, outbox.state = 'folded' as folded
      from json_to_recordset(${JSON.stringify(scanIds.map((id) => ({ id })))}::json) as asked (id text)
      join outbox on ${ofScan} order by outbox.seq`.execute(trx);
    for (const { scan_id, channel, kind, rule_id, detail, folded } of rows) {
      add(found, scan_id, { channel, kind, rule: rule_id ?? undefined, detail: detail ?? undefined, folded });
    }
  }
  return found;
}

/** Keys of a scan's posts are its id, and its id with `.` and a number: `.` sorts before `/`. */
const ofScan = sql`(outbox.key = asked.id or (outbox.key > asked.id || '.' and outbox.key < asked.id || '/'))
  and outbox.scan_id = asked.id`;

/** The plan without its posts. */
export async function writeRulesOnPostgres(trx: Trx, plan: RulePlan): Promise<void> {
  // Closed digests first: the next one of the same rule takes its place.
  if (plan.closed.length > 0) {
    await trx.deleteFrom('digests').where('key', 'in', plan.closed).execute();
  }
  for (const { key, relayId, ruleId, queue, parentKey, detail, dueAt } of plan.opened) {
    const row = { key, relay_id: relayId, rule_id: ruleId, ...queue, detail, due_at: dueAt };
    await trx
      .insertInto('digests')
      .values({ ...row, card_key: parentKey ?? null })
      .execute();
  }
  if (plan.memories.length > 0) {
    await sql`insert into rule_memories (relay_id, rule_id, memory)
      select "relayId", "ruleId", memory from json_to_recordset(${JSON.stringify(plan.memories)}::json)
        as remembered ("relayId" text, "ruleId" text, memory text)
      on conflict (relay_id, rule_id) do update set memory = excluded.memory`.execute(trx);
  }
  if (plan.completed.length > 0) {
    await sql`update outbox set revision = outbox.revision + 1, edit_at = coalesce(outbox.edit_at, asked.at)
      from json_to_recordset(${JSON.stringify(plan.completed)}::json) as asked (id text, at bigint)
      where ${ofScan} and outbox.state <> 'folded'`.execute(trx);
  }
}
