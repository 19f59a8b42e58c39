/**
 * The timer of incidents: it posts alerts that were not posted yet, ends incidents that are over, announces each end
 * once, and now and then replies with the figures. The relay's lock keeps scans from coming in between.
 */
import type { Kysely, Transaction } from 'kysely';
import type { PostState, Schema } from '../database/schema.js';
import { enqueue } from '../posts/outbox/enqueue.js';
import { countMuted, endMutesOf, mutesOf } from '../watches/mute-rows.js';
import { createMuting } from '../watches/muting.js';
import type { Alerting, AlertingRelay, AlertMessage, IncidentDecision, IncidentFactsNow } from './alerting.js';
import { workOnDueIncidents } from './due.js';
import { escalationKey, type Incident, messageKeyOf, withdrawnCodes } from './incident.js';
import { redrawIncidents } from './incident-rows.js';
import { type IncidentThread, incidentReply, type ReplyContent } from './replies.js';

type Trx = Transaction<Schema>;

/** Decides on incidents that are due; returns how many are over. */
export function checkIncidents<Relay extends AlertingRelay, Post>(
  db: Kysely<Schema>,
  relays: Alerting<Relay, Post>,
  now: number,
  decide: (
    incident: Incident,
    relay: Relay,
    facts: IncidentFactsNow & { readonly message: AlertMessage },
  ) => IncidentDecision<Post>,
): Promise<number> {
  /** Posts the alert, again if it has a message already. The message shows the incident as it is then. */
  const announce = async (trx: Trx, relay: Relay, incident: Incident, post: Post, message: AlertMessage) => {
    const reposts = incident.reposts + (message === 'none' ? 0 : 1);
    await relays.announce(trx, relay, messageKeyOf({ ...incident, reposts }), post, now);
    await trx
      .updateTable('incidents')
      .set({ reposted_at: now, reposts })
      .where('post_key', '=', incident.postKey)
      .execute();
    if (incident.shows && message === 'none') {
      await postReply(trx, relay, { ...incident, reposts }, { part: 'opened', scans: incident.shows }, now);
    }
  };

  return workOnDueIncidents(db, relays.lock, { at: 'due_at', now }, async (trx, incident, relay) => {
    const message = await messageOf(trx, incident);
    const facts = { now, message, paused: relay?.paused !== undefined };
    const decision: IncidentDecision<Post> = relay
      ? decide(incident, relay, { ...facts, mutes: await mutesOf(trx, relay, now) })
      : { ended: incident.ended ?? { at: now, why: 'relay' } };
    const { ended, dueAt, update, rest, post, muted = [] } = decision;
    await trx
      .updateTable('incidents')
      .set(changesBy(decision, incident, now))
      .where('post_key', '=', incident.postKey)
      .execute();
    if (update) {
      const { scans, tally } = incident;
      await postReply(trx, relay, incident, { part: 'update', figures: { scans, tally } }, now);
    }
    await countMuted(trx, muted);
    if (ended && message !== 'none') {
      await postReply(trx, relay, incident, { part: 'over' }, now);
    }
    await (relay && post && announce(trx, relay, incident, post, message));
    if (ended || post || rest?.until !== incident.restsUntil) {
      await redrawIncidents(trx, [incident.postKey], now);
    }
    await (ended && endMutesOf(trx, incident.postKey));
    return ended !== undefined && dueAt === undefined;
  });
}

function changesBy(
  { ended, dueAt, update, rest, post, escalateAt }: IncidentDecision<unknown>,
  incident: Incident,
  now: number,
) {
  const late = rest?.from !== undefined && incident.escalateAt !== undefined && incident.escalateAt > rest.from;
  return {
    due_at: dueAt ?? null,
    ...(update || ended ? { replied_at: now } : {}),
    ...(post ? { escalate_at: escalateAt ?? null } : late ? { escalate_at: null } : {}),
    ...(ended ? { ended_at: ended.at, end_reason: ended.why } : { rests_until: rest?.until ?? null }),
  };
}

/** The states of posts in the outbox that no worker works on, besides `delivered`. */
const ended: Readonly<Record<string, AlertMessage>> = { delivered: 'delivered', dead: 'lost', digested: 'withdrawn' };

async function messageOf(trx: Trx, incident: Incident): Promise<AlertMessage> {
  const row = await trx
    .selectFrom('outbox')
    .select(['state', 'last_code'])
    .where('key', '=', messageKeyOf(incident))
    .executeTakeFirst();
  const isWithdrawn = row?.state === 'dead' && withdrawnCodes.includes(row.last_code ?? '');
  return !row ? 'none' : isWithdrawn ? 'withdrawn' : (ended[row.state] ?? 'waiting');
}

/**
 * Posts a reply in the thread of an incident's alert, unless the alert has no message. A mute leaves replies out, and a
 * resolved incident gets no figures; a handover is posted all the same, if need be in the thread of the escalation.
 */
export async function postReply(
  trx: Trx,
  relay: AlertingRelay | undefined,
  incident: Pick<Incident, 'postKey' | 'relayId' | 'ruleId' | 'resolved' | 'reposts'>,
  content: ReplyContent,
  now: number,
): Promise<void> {
  const { ruleId, resolved } = incident;
  const isHandover = content.part === 'handed_over';
  const alertKey = messageKeyOf(incident);
  const thread =
    relay &&
    ((await threadOf(trx, alertKey)) ??
      (isHandover
        ? ((await threadOf(trx, escalationKey(alertKey))) ?? (await threadOf(trx, alertKey, [])))
        : undefined));
  if (!relay || !thread) {
    return;
  }
  const isQuiet = async () =>
    (resolved && content.part === 'update') ||
    createMuting(await mutesOf(trx, relay, now)).stops('reply', thread.queue.channel, ruleId);
  if (isHandover || !(await isQuiet())) {
    await enqueue(trx, { posts: [incidentReply({ ...incident, ...thread }, content, now)] });
  }
}

/** The thread of a message that is or may be in its channel. @param left states of posts that have no thread */
async function threadOf(
  trx: Trx,
  key: string,
  left: readonly PostState[] = ['digested', 'dead'],
): Promise<Pick<IncidentThread, 'queue' | 'parentKey'> | undefined> {
  const row = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel', 'parent_key'])
    .where('key', '=', key)
    .$if(left.length > 0, (query) => query.where('state', 'not in', left))
    .executeTakeFirst();
  return (
    row && {
      queue: { installation: row.installation, team: row.team, channel: row.channel },
      parentKey: row.parent_key ?? key,
    }
  );
}
