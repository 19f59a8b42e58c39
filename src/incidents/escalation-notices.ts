/**
 * Escalations that their channel takes no more, and which instance sends them by direct message. One that somebody has
 * answered meanwhile, or whose alert is over, calls nobody.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.js';
import { isInBlockedQueue } from '../posts/outbox/blocked-queues.js';
import { type OutboxPost, toPost } from '../posts/outbox/post.js';
import { escalationKey, messageKey } from './incident.js';

export interface EscalationNotices {
  /** Relays with such escalations. */
  due(now: number): Promise<readonly { readonly id: string }[]>;
  /** True for exactly one caller until then. */
  claim(relayId: string, now: number, until: number): Promise<boolean>;
  /** The escalations that the claim holds. */
  claimed(relayId: string, until: number): Promise<readonly OutboxPost[]>;
  sent(relayId: string, until: number): Promise<void>;
  release(relayId: string, until: number): Promise<void>;
}

type Incidents = ExpressionBuilder<Schema, 'incidents'>;

/** No claim is longer: a longer one was made by a wrong clock. */
const longestClaimMs = 10 * 60_000;
/** People who removed the relay or the app need no notice. */
const removed: readonly string[] = ['relay.removed', 'relay.uninstalled'];

export function createEscalationNotices(db: Kysely<Schema>): EscalationNotices {
  const claimedBy = (relayId: string, until: number) => (eb: Incidents) =>
    eb.and({ 'incidents.relay_id': relayId, 'incidents.escalation_claimed_until': until });

  return {
    due: (now) =>
      db
        .selectFrom('incidents')
        .select('relay_id as id')
        .distinct()
        .where((eb) => isDue(eb, now))
        .execute(),

    async claim(relayId, now, until) {
      const claimed = await db
        .updateTable('incidents')
        .set({ escalation_claimed_until: until })
        .where('relay_id', '=', relayId)
        .where((eb) => isDue(eb, now))
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    },

    async claimed(relayId, until) {
      const rows = await db
        .selectFrom('incidents')
        .innerJoin('outbox', (join) => join.on('outbox.key', '=', escalationOfAlert))
        .selectAll('outbox')
        .where(claimedBy(relayId, until))
        .execute();
      return rows.map(toPost);
    },

    async sent(relayId, until) {
      await db
        .updateTable('incidents')
        .set((eb) => ({ escalation_notified_at: eb.ref('escalated_at'), escalation_claimed_until: null }))
        .where(claimedBy(relayId, until))
        .execute();
    },

    async release(relayId, until) {
      await db
        .updateTable('incidents')
        .set({ escalation_claimed_until: null })
        .where(claimedBy(relayId, until))
        .execute();
    },
  };
}

const escalationOfAlert = sql<string>`${messageKey} || ${sql.lit(escalationKey(''))}`;

/** Refused for good, or waiting in a blocked channel; nobody has answered or was notified since; no current claim. */
function isDue(eb: Incidents, now: number) {
  const unlessSince = (column: 'acknowledged_at' | 'assigned_at' | 'escalation_notified_at') =>
    eb.or([
      eb(`incidents.${column}`, 'is', null),
      eb(`incidents.${column}`, '<', eb.ref('incidents.escalated_at').$notNull()),
    ]);
  return eb.and([
    eb('incidents.ended_at', 'is', null),
    eb('incidents.resolved_at', 'is', null),
    eb('incidents.escalated_at', 'is not', null),
    unlessSince('acknowledged_at'),
    unlessSince('assigned_at'),
    unlessSince('escalation_notified_at'),
    eb.or([
      eb('incidents.escalation_claimed_until', 'is', null),
      eb('incidents.escalation_claimed_until', '<=', now),
      eb('incidents.escalation_claimed_until', '>', now + longestClaimMs),
    ]),
    eb.exists(
      eb
        .selectFrom('outbox')
        .innerJoin('relays', 'relays.id', 'outbox.source_id')
        .select('outbox.seq')
        .where('outbox.key', '=', escalationOfAlert)
        .where('relays.removed_at', 'is', null)
        .where((post) =>
          post.or([
            post.and([
              post('outbox.state', '=', 'dead'),
              post(post.fn.coalesce('outbox.last_code', sql.lit('')), 'not in', removed),
            ]),
            post.and([
              post('outbox.finished_at', 'is', null),
              post('relays.paused_at', 'is', null),
              isInBlockedQueue(post),
            ]),
          ]),
        ),
    ),
  ]);
}
