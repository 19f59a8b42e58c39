/**
 * Escalation of incidents that nobody acknowledged in time: once, in one transaction under the relay's lock with the
 * message that it sends. One that is muted, paused or in quiet hours waits until it is not.
 */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.js';
import { enqueue } from '../posts/outbox/enqueue.js';
import type { Mention } from '../posts/publisher.js';
import type { MuteFact } from '../watches/facts.js';
import { mutesOf } from '../watches/mute-rows.js';
import type { Store } from '../workspaces/types.js';
import type { AlertingRelay, LockAlerting } from './decision.js';
import { workOnDueIncidents } from './due.js';
import type { Incident } from './incident.js';
import { incidentReply } from './replies.js';
import { redrawIncidents } from './table.js';

type Trx = Transaction<Schema>;

export type Escalation =
  | { readonly escalate: Mention & { readonly minutes: number }; readonly channel: string }
  /** When to look again. */
  | { readonly at: number }
  /** Nobody is to be mentioned. */
  | { readonly never: true };

/** What is known of its relay. */
export interface EscalationFacts {
  readonly mutes: readonly MuteFact[];
  readonly paused: boolean;
}

export interface Escalations<Relay> {
  /** Returns how many were escalated. */
  check(now: number, decide: DecideEscalation<Relay>): Promise<number>;
}

type DecideEscalation<Relay> = (incident: Incident, relay: Relay, facts: EscalationFacts) => Escalation;

export function createEscalations<Relay extends AlertingRelay>(
  { db }: Pick<Store, 'db'>,
  lock: LockAlerting<Relay>,
): Escalations<Relay> {
  const checkOne = async (
    trx: Trx,
    incident: Incident,
    relay: Relay | undefined,
    now: number,
    decide: DecideEscalation<Relay>,
  ): Promise<boolean> => {
    const found: Escalation = relay
      ? decide(incident, relay, { mutes: await mutesOf(trx, relay, now), paused: relay.paused !== undefined })
      : { never: true };
    const escalated = 'escalate' in found;
    await trx
      .updateTable('incidents')
      .set({ escalate_at: 'at' in found ? found.at : null, ...(escalated ? { escalated_at: now } : {}) })
      .where('post_key', '=', incident.postKey)
      .execute();
    if (!escalated) {
      return false;
    }
    const { minutes, users, groups } = found.escalate;
    // Where the rule posts now: the channel of the alert may be one that nobody reads any more.
    const queue = { ...incident.owner, channel: found.channel };
    const thread = { ...incident, queue };
    const content = { part: 'escalated' as const, minutes, mention: { users, groups } };
    await enqueue(trx, { posts: [incidentReply(thread, content, now)] });
    await redrawIncidents(trx, [incident.postKey], now);
    return true;
  };

  return {
    check: (now, decide) =>
      workOnDueIncidents(db, lock, { at: 'escalate_at', now }, (trx, incident, relay) =>
        checkOne(trx, incident, relay, now, decide),
      ),
  };
}
