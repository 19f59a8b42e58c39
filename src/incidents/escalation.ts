/**
 * Escalation of incidents that nobody acknowledged in time: once for each posting of the alert, in one transaction with
 * its message, under the relay's lock. An escalation waits for the end of a mute, a pause or quiet hours.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.js';
import { enqueue } from '../posts/outbox/enqueue.js';
import type { Mention } from '../posts/publisher.js';
import { mutesOf } from '../watches/mute-rows.js';
import type { AlertingRelay, IncidentFactsNow, LockAlerting } from './alerting.js';
import { workOnDueIncidents } from './due.js';
import type { Incident } from './incident.js';
import { redrawIncidents } from './incident-rows.js';
import { incidentReply } from './replies.js';

export type Escalation =
  | { readonly escalate: Mention & { readonly minutes: number }; readonly channel: string }
  /** The next time to check the incident. */
  | { readonly at: number }
  /** The incident will never escalate. */
  | { readonly never: true };

/** Escalates incidents that are due; returns how many. */
export function escalateIncidents<Relay extends AlertingRelay>(
  db: Kysely<Schema>,
  lock: LockAlerting<Relay>,
  now: number,
  decide: (incident: Incident, relay: Relay, facts: IncidentFactsNow) => Escalation,
): Promise<number> {
  return workOnDueIncidents(db, lock, { at: 'escalate_at', now }, async (trx, incident, relay) => {
    const escalation: Escalation = relay
      ? decide(incident, relay, { now, mutes: await mutesOf(trx, relay, now), paused: relay.paused !== undefined })
      : { never: true };
    const isEscalated = 'escalate' in escalation;
    await trx
      .updateTable('incidents')
      .set({ escalate_at: 'at' in escalation ? escalation.at : null, ...(isEscalated ? { escalated_at: now } : {}) })
      .where('post_key', '=', incident.postKey)
      .execute();
    if (!isEscalated) {
      return false;
    }
    const { minutes, users, groups } = escalation.escalate;
    // The channel in which the rule posts now: the alert's may be one that nobody reads any more.
    const queue = { ...incident.owner, channel: escalation.channel };
    const thread = { ...incident, queue };
    const content = { part: 'escalated' as const, minutes, mention: { users, groups } };
    await enqueue(trx, { posts: [incidentReply(thread, content, now)] });
    await redrawIncidents(trx, [incident.postKey], now);
    return true;
  });
}
