/**
 * The timer of incidents: it ends those that are over, announces each end once, posts silences again that go on after a
 * rest, and now and then replies with the figures. The relay's lock keeps scans from coming in between.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import { postKinds } from '../posts/kinds.js';
import { enqueue } from '../posts/outbox/enqueue.js';
import { countMuted, endMutesOf, mutesOf } from '../watches/mute-rows.js';
import { createMuting } from '../watches/muting.js';
import type { Alerting, AlertingRelay, IncidentDecision, IncidentFactsNow } from './decision.js';
import { workOnDueIncidents } from './due.js';
import { type Incident, messageKeyOf } from './incident.js';
import { type IncidentThread, incidentReply, type ReplyContent } from './replies.js';
import { redrawIncidents } from './table.js';

type Trx = Transaction<Schema>;

/** Decides on incidents that are due; returns how many are over. */
export function checkIncidents<Relay extends AlertingRelay, Post>(
  db: Kysely<Schema>,
  relays: Alerting<Relay, Post>,
  now: number,
  decide: (incident: Incident, relay: Relay, facts: IncidentFactsNow) => IncidentDecision<Post>,
): Promise<number> {
  /** Posts the alert or reply of an incident that goes on. The incident's row is written before. */
  const announce = async (
    trx: Trx,
    relay: Relay,
    incident: Incident,
    { update, rest, again, muted = [] }: GoingOn<Post>,
  ): Promise<void> => {
    if (update) {
      const { scans, tally } = incident;
      await postReply(trx, relay, incident, { part: 'update', figures: { scans, tally } }, now);
    }
    await countMuted(trx, muted);
    if (again?.post) {
      const key = messageKeyOf({ ...incident, reposts: incident.reposts + 1 });
      await relays.announce(trx, relay, key, again.post, now);
    }
    if (again || rest?.until !== incident.restsUntil) {
      await redrawIncidents(trx, [incident.postKey], now);
    }
  };

  return workOnDueIncidents(db, relays.lock, { at: 'due_at', now }, async (trx, incident, relay) => {
    const key = incident.postKey;
    const decision: IncidentDecision<Post> = incident.ended
      ? { ended: incident.ended }
      : relay
        ? decide(incident, relay, {
            mutes: incident.kind === 'silence' ? await mutesOf(trx, relay, now) : [],
            ...{ now, paused: relay.paused !== undefined },
          })
        : { ended: { at: now, why: 'relay' } };
    const update = trx.updateTable('incidents').where('post_key', '=', key);
    if ('dueAt' in decision) {
      await update.set(changesBy(decision, incident, now)).execute();
      if (relay) {
        await announce(trx, relay, incident, decision);
      }
      return false;
    }
    const { at, why } = decision.ended;
    await update.set({ ended_at: at, end_reason: why, due_at: null, replied_at: now }).execute();
    if (!incident.ended && incident.kind === 'burst') {
      await relays.forgetBurst(trx, incident);
    }
    await postReply(trx, relay, incident, { part: 'over' }, now);
    await redrawIncidents(trx, [key], now);
    await endMutesOf(trx, key);
    return true;
  });
}

type GoingOn<Post> = Extract<IncidentDecision<Post>, { dueAt: number }>;

function changesBy({ dueAt, update, rest, again }: GoingOn<unknown>, incident: Incident, now: number) {
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

/**
 * Posts a reply in the thread of an incident's alert, unless the alert is in a digest or a dead letter, or the relay is
 * paused. A mute leaves replies out, and a resolved incident gets no figures; a handover is posted all the same.
 */
export async function postReply(
  trx: Trx,
  relay: AlertingRelay | undefined,
  incident: Pick<Incident, 'postKey' | 'relayId' | 'ruleId' | 'resolved' | 'reposts'>,
  content: ReplyContent,
  now: number,
): Promise<void> {
  const { ruleId, resolved } = incident;
  const isPaused = postKinds.reply.whenPaused === 'left_out' && relay?.paused;
  const thread = relay && !isPaused ? await threadOf(trx, messageKeyOf(incident)) : undefined;
  if (!relay || !thread) {
    return;
  }
  const isQuiet = async () =>
    (resolved && content.part === 'update') ||
    createMuting(await mutesOf(trx, relay, now)).stops('reply', thread.queue.channel, ruleId);
  if (content.part === 'handed_over' || !(await isQuiet())) {
    await enqueue(trx, { posts: [incidentReply({ ...incident, ...thread }, content, now)] });
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
