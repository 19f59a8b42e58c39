/**
 * Timer of incidents: ends those that are over, announces each end once, replies with the figures now and then. Each is
 * processed in one transaction under its relay's lock, so that one instance does it and no scan comes in between.
 */
import type { Transaction } from 'kysely';
import { inEachTransaction } from '../../database/each-transaction.js';
import type { Schema } from '../../database/schema.js';
import type { Store } from '../../workspaces/types.js';
import { enqueue } from '../delivery/outbox/enqueue.js';
import { lockRelay } from '../relays/lock.js';
import { type RelayRecord, toRelay } from '../relays/records.js';
import { endMutesOf } from '../relays/watches-and-mutes/mute-ends.js';
import { createMuting } from '../rules/muting.js';
import { mutesOf } from '../rules/timers/table.js';
import type { IncidentDecision } from './check.js';
import { type Incident, messageKeyOf, toIncident } from './incident.js';
import { type IncidentThread, incidentReply, type ReplyContent } from './replies.js';
import { redrawIncidents } from './table.js';

type Trx = Transaction<Schema>;

export interface IncidentTimers {
  /** Takes no lock. */
  hasDue(now: number): Promise<boolean>;
  /** Returns how many are over. */
  check(now: number, decide: (incident: Incident, relay: RelayRecord) => IncidentDecision): Promise<number>;
}

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
    decide: (incident: Incident, relay: RelayRecord) => IncidentDecision,
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
        ? decide(incident, relay)
        : { ended: { at: now, why: 'relay' } };
    const changed = trx.updateTable('incidents').where('post_key', '=', key);
    if ('dueAt' in decision) {
      await changed.set({ due_at: decision.dueAt, ...(decision.update ? { replied_at: now } : {}) }).execute();
      if (decision.update) {
        const { scans, tally } = incident;
        await reply(trx, relay, incident, { part: 'update', scans, tally }, now);
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
