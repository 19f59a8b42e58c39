/**
 * Timer of incidents: ends those that are over, announces each end once, posts silences again that go on after a rest,
 * replies with the figures now and then. Each is
 * processed in one transaction under its relay's lock, so that one instance does it and no scan comes in between.
 */
import type { Transaction } from 'kysely';
import { inEachTransaction } from '../../database/each-transaction.js';
import type { Schema } from '../../database/schema.js';
import { enqueue } from '../../posts/outbox/enqueue.js';
import type { Store } from '../../workspaces/types.js';
import { lockRelay } from '../relays/lock.js';
import { type RelayRecord, toRelay } from '../relays/records.js';
import { countMuted, endMutesOf } from '../relays/watches-and-mutes/mute-ends.js';
import { createMuting } from '../rules/muting.js';
import { putIn } from '../rules/timers/enqueue.js';
import { mutesOf } from '../rules/timers/table.js';
import type { IncidentDecision, IncidentFactsNow } from './decision.js';
import { type Incident, messageKeyOf, toIncident } from './incident.js';
import { type IncidentThread, incidentReply, type ReplyContent } from './replies.js';
import { redrawIncidents } from './table.js';

type Trx = Transaction<Schema>;

export interface IncidentTimers {
  /** Takes no lock. */
  hasDue(now: number): Promise<boolean>;
  /** Returns how many are over. */
  check(now: number, decide: DecideIncident): Promise<number>;
}

type DecideIncident = (incident: Incident, relay: RelayRecord, facts: IncidentFactsNow) => IncidentDecision;

const atOnce = 50;

export function createIncidentTimers({ db, kind }: Pick<Store, 'db' | 'kind'>): IncidentTimers {
  const due = (now: number, limit: number) =>
    db
      .selectFrom('incidents')
      .select(['post_key', 'relay_id'])
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(limit);

  /** Whether it is over. */
  const checkOne = async (
    trx: Trx,
    { post_key: key, relay_id: relayId }: { readonly post_key: string; readonly relay_id: string },
    now: number,
    decide: DecideIncident,
  ): Promise<boolean> => {
    const locked = await lockRelay(trx, kind, relayId);
    const relay = locked && toRelay(locked);
    const row = await trx
      .selectFrom('incidents')
      .selectAll()
      .where('post_key', '=', key)
      .where('due_at', '<=', now)
      .executeTakeFirst();
    if (!row) {
      return false;
    }
    const incident = toIncident(row);
    const decision: IncidentDecision = incident.ended
      ? { ended: incident.ended }
      : relay
        ? decide(incident, relay, {
            mutes: incident.kind === 'silence' ? await mutesOf(trx, relay, now) : [],
            ...{ now, paused: relay.paused !== undefined },
          })
        : { ended: { at: now, why: 'relay' } };
    const changed = trx.updateTable('incidents').where('post_key', '=', key);
    if ('dueAt' in decision) {
      await changed.set(changesBy(decision, incident, now)).execute();
      if (relay) {
        await announce(trx, relay, incident, decision, now);
      }
      return false;
    }
    const { at, why } = decision.ended;
    await changed.set({ ended_at: at, end_reason: why, due_at: null, replied_at: now }).execute();
    if (!incident.ended && incident.kind === 'burst') {
      // The rule's memory still counts for it.
      await trx
        .deleteFrom('rule_memories')
        .where('relay_id', '=', incident.relayId)
        .where('rule_id', '=', incident.ruleId)
        .execute();
    }
    await reply(trx, relay, incident, { part: 'over' }, now);
    await redrawIncidents(trx, [key], now);
    await endMutesOf(trx, key);
    return true;
  };

  return {
    hasDue: async (now) => (await due(now, 1).executeTakeFirst()) !== undefined,

    async check(now, decide) {
      const rows = await due(now, atOnce).execute();
      return await inEachTransaction(db, rows, (trx, name) => checkOne(trx, name, now, decide));
    },
  };
}

type GoingOn = Extract<IncidentDecision, { dueAt: number }>;

function changesBy({ dueAt, update, rest, again }: GoingOn, incident: Incident, now: number) {
  const { reposts, escalateAt } = incident;
  const late = rest?.from !== undefined && escalateAt !== undefined && escalateAt > rest.from;
  return {
    ...{ due_at: dueAt, rests_until: rest?.until ?? null },
    ...(update ? { replied_at: now } : {}),
    ...(late ? { escalate_at: null } : {}),
    ...(again
      ? { reposted_at: now, reposts: reposts + (again.post ? 1 : 0), escalate_at: again.escalateAt ?? null }
      : {}),
  };
}

/** What people see of it. Its row is written before. */
async function announce(
  trx: Trx,
  relay: RelayRecord,
  incident: Incident,
  { update, rest, again, muted = [] }: GoingOn,
  now: number,
): Promise<void> {
  if (update) {
    const { scans, tally } = incident;
    await reply(trx, relay, incident, { part: 'update', scans, tally }, now);
  }
  await countMuted(trx, muted);
  if (again?.post) {
    const key = messageKeyOf({ ...incident, reposts: incident.reposts + 1 });
    await putIn(trx, relay, key, again.post, now);
  }
  if (again || rest?.until !== incident.restsUntil) {
    await redrawIncidents(trx, [incident.postKey], now);
  }
}

/**
 * In the incident's thread: of one that has a message, of a relay that posts, and only where nobody muted or resolved
 * it; what a person did is posted all the same.
 */
export async function reply(
  trx: Trx,
  relay: RelayRecord | undefined,
  incident: Pick<Incident, 'postKey' | 'relayId' | 'ruleId' | 'resolved' | 'reposts'>,
  content: ReplyContent,
  now: number,
): Promise<void> {
  const { ruleId, resolved } = incident;
  const thread = relay && !relay.paused ? await threadOf(trx, messageKeyOf(incident)) : undefined;
  if (!relay || !thread) {
    return;
  }
  const isQuiet = async () =>
    (resolved && content.part === 'update') ||
    createMuting(await mutesOf(trx, relay, now)).stopsBurst(thread.queue.channel, ruleId);
  if (content.part === 'handed_over' || !(await isQuiet())) {
    await enqueue(trx, { parents: [], posts: [incidentReply({ ...incident, ...thread }, content, now)] });
  }
}

async function threadOf(trx: Trx, alertKey: string): Promise<Pick<IncidentThread, 'queue' | 'parentKey'> | undefined> {
  const row = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel', 'parent_key'])
    .where('key', '=', alertKey)
    .where('state', 'not in', ['digested', 'dead'])
    .executeTakeFirst();
  return (
    row && {
      queue: { installation: row.installation, team: row.team, channel: row.channel },
      parentKey: row.parent_key ?? undefined,
    }
  );
}
