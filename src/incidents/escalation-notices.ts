/**
 * Notices of escalations that their channel refuses: they go out by direct message. An escalation that somebody has
 * answered meanwhile, or whose alert is over, calls nobody.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.js';
import { isInBlockedQueue } from '../posts/outbox/blocked-queues.js';
import { isHeld } from '../posts/outbox/held-sources.js';
import { type OutboxPost, toPost } from '../posts/outbox/post.js';
import { escalationKey, incidentKeyOf, messageKey, withdrawnCodes } from './incident.js';

export function createEscalationNotices(db: Kysely<Schema>) {
  const escalations = () =>
    db
      .selectFrom('incidents')
      .innerJoin('outbox', (join) => join.on('outbox.key', '=', escalationOfAlert))
      .selectAll('outbox');

  return {
    async due(): Promise<readonly OutboxPost[]> {
      return (await escalations().where(isDue).execute()).map(toPost);
    },

    /** An escalation's post; undefined if it is gone or answered, or its alert is over. */
    async find(key: string): Promise<OutboxPost | undefined> {
      const row = await escalations()
        .where(isUnanswered)
        .where('incidents.post_key', '=', incidentOf(key))
        .where('outbox.key', '=', key)
        .executeTakeFirst();
      return row && toPost(row);
    },

    async sent({ key }: OutboxPost): Promise<void> {
      await db
        .updateTable('incidents')
        .set((eb) => ({ escalation_notified_at: eb.ref('escalated_at') }))
        .where('post_key', '=', incidentOf(key))
        .where(escalationOfAlert, '=', key)
        .execute();
    },
  };
}

type Incidents = ExpressionBuilder<Schema, 'incidents' | 'outbox'>;

const escalationOfAlert = sql<string>`${messageKey} || ${sql.lit(escalationKey(''))}`;

/** The key of the incident that an escalation's post belongs to: with it, no other incident is read. */
function incidentOf(escalation: string): string {
  return incidentKeyOf(escalation.slice(0, -escalationKey('').length));
}

/** The condition that nobody has answered since the escalation, and the incident goes on. */
function isUnanswered(eb: Incidents) {
  return eb.and([
    eb('incidents.ended_at', 'is', null),
    eb('incidents.resolved_at', 'is', null),
    eb('incidents.escalated_at', 'is not', null),
    unlessSince(eb, 'acknowledged_at'),
    unlessSince(eb, 'assigned_at'),
  ]);
}

function unlessSince(eb: Incidents, column: 'acknowledged_at' | 'assigned_at' | 'escalation_notified_at') {
  return eb.or([
    eb(`incidents.${column}`, 'is', null),
    eb(`incidents.${column}`, '<', eb.ref('incidents.escalated_at').$notNull()),
  ]);
}

/**
 * The escalation's post was refused for good, or waits in a blocked channel, and nobody was notified since. People who
 * removed the relay or the app need no notice.
 */
function isDue(eb: Incidents) {
  return eb.and([
    isUnanswered(eb),
    unlessSince(eb, 'escalation_notified_at'),
    eb.or([
      eb.and([
        eb('outbox.state', '=', 'dead'),
        eb(eb.fn.coalesce('outbox.last_code', sql.lit('')), 'not in', withdrawnCodes),
      ]),
      eb.and([eb('outbox.finished_at', 'is', null), eb.not(isHeld(eb)), isInBlockedQueue(eb)]),
    ]),
  ]);
}
