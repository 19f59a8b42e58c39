/** Rule data of a commit on SQLite, read on demand. */

import { numbered } from '../../../database/json-rows.js';
import type { PostKind } from '../../../database/schema.js';
import type { SqliteStatement } from '../../../database/types.js';
import type { Owner } from '../../../ownership.js';
import { enqueueSteps } from '../../delivery/outbox/enqueue.js';
import { countKey } from '../../scans/counters.js';
import { type MuteRow, type OpenDigest, type RulePlan, type StoredRules, toMute, type WatchFact } from './rules.js';

type Prepare = (sql: string) => SqliteStatement;

const selectAny = `
  select exists (select 1 from watches where installation = ? and team = ?) as watches,
    exists (select 1 from mutes where installation = ? and team = ?) as mutes`;
const selectWatches = `
  select channel, who from watches
  where installation = ? and team = ? and value_key = ? and until > ? order by made_at, id`;
const selectMutes = `
  select channel, what, rule_id as ruleId from mutes
  where installation = ? and team = ? and until > ?
    and ((what = 'value' and what_key = ?) or (what in ('relay', 'rule') and relay_id = ?))`;
const selectMemory = 'select memory from rule_memories where relay_id = ? and rule_id = ?';
const selectDigest = `
  select key, installation, team, card_key as parentKey, detail, due_at as dueAt from digests
  where relay_id = ? and rule_id = ? and channel = ?`;
/** Keys of a scan's posts are its id, and its id with `.` and a number: `.` sorts before `/`. */
const selectPosts = `
  select channel, kind, rule_id as rule, detail, state = 'folded' as folded from outbox
  where (key = ? or (key > ? and key < ?)) and scan_id = ? order by seq`;
const showCompleted = `
  update outbox set revision = revision + 1, edit_at = coalesce(edit_at, ?)
  where (key = ? or (key > ? and key < ?)) and scan_id = ? and state <> 'folded'`;
const insertDigest = `
  insert into digests (key, relay_id, rule_id, installation, team, channel, card_key, detail, due_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const deleteDigest = 'delete from digests where key = ?';
const upsertMemory = `
  insert into rule_memories (relay_id, rule_id, memory) values (?, ?, ?)
  on conflict (relay_id, rule_id) do update set memory = excluded.memory`;
export function rulesOnSqlite(prepare: Prepare): StoredRules {
  // Nearly every workspace has neither: one read for each commit rather than two for each scan.
  const any = new Map<string, { watches: number; mutes: number }>();
  const anyOf = ({ installation, team }: Owner) => {
    const name = `${installation}:${team}`;
    const found =
      any.get(name) ??
      prepare(selectAny).get<{ watches: number; mutes: number }>(installation, team, installation, team);
    any.set(name, found ?? { watches: 0, mutes: 0 });
    return found ?? { watches: 0, mutes: 0 };
  };

  return {
    watches(owner, tid, at) {
      return anyOf(owner).watches === 0
        ? []
        : prepare(selectWatches).all<WatchFact>(owner.installation, owner.team, countKey('value', { tid }), at);
    },
    mutes(owner, relayId, tid, at) {
      return anyOf(owner).mutes === 0
        ? []
        : prepare(selectMutes)
            .all<MuteRow>(owner.installation, owner.team, at, countKey('value', { tid }), relayId)
            .map(toMute);
    },
    memory: (relayId, ruleId) => prepare(selectMemory).get<{ memory: string }>(relayId, ruleId)?.memory,
    digest(relayId, ruleId, channel) {
      const row = prepare(selectDigest).get<DigestRow>(relayId, ruleId, channel);
      return row && toDigest(row, relayId, ruleId, channel);
    },
    postsOf: (scanId) =>
      prepare(selectPosts)
        .all<PostRow>(scanId, `${scanId}.`, `${scanId}/`, scanId)
        .map(({ channel, kind, rule, detail, folded }) => ({
          ...{ channel, kind, rule: rule ?? undefined, detail: detail ?? undefined },
          folded: folded === 1,
        })),
  };
}

export function writeRulesOnSqlite(prepare: Prepare, plan: RulePlan): void {
  // Closed digests first: the next one of the same rule takes its place.
  for (const key of plan.closed) {
    prepare(deleteDigest).run(key);
  }
  for (const digest of plan.opened) {
    const { installation, team, channel } = digest.queue;
    prepare(insertDigest).run(
      ...[digest.key, digest.relayId, digest.ruleId, installation, team, channel],
      ...[digest.parentKey, digest.detail, digest.dueAt],
    );
  }
  for (const { statement, rows } of enqueueSteps(plan)) {
    prepare(statement('sqlite')).run(numbered(rows));
  }
  for (const { id, at } of plan.completed) {
    prepare(showCompleted).run(at, id, `${id}.`, `${id}/`, id);
  }
  for (const { relayId, ruleId, memory } of plan.memories) {
    prepare(upsertMemory).run(relayId, ruleId, memory);
  }
}

interface PostRow {
  readonly channel: string;
  readonly kind: PostKind;
  readonly rule: string | null;
  readonly detail: string | null;
  readonly folded: number;
}

interface DigestRow {
  readonly key: string;
  readonly installation: string;
  readonly team: string;
  readonly parentKey: string | null;
  readonly detail: string;
  readonly dueAt: number;
}

function toDigest(row: DigestRow, relayId: string, ruleId: string, channel: string): OpenDigest {
  const { key, installation, team, parentKey, detail, dueAt } = row;
  const queue = { installation, team, channel };
  return { key, relayId, ruleId, queue, parentKey: parentKey ?? undefined, detail, dueAt };
}
