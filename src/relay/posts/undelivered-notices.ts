/**
 * Relays with dead letters that their creator has not been notified of, and which instance sends the notice. At most
 * one notice per relay a day, and only after a delay, so that posts that fail together are reported together.
 */
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { type RelayRecord, toRelay } from '../record/records.js';

export interface UndeliveredPosts {
  /** Undefined if no reason was recorded. */
  readonly code: string | undefined;
  readonly posts: number;
}

export interface UndeliveredNotices {
  /** Relays whose owner is to be notified now. */
  due(now: number): Promise<readonly RelayRecord[]>;
  /** True for exactly one caller until then. */
  claim(relayId: string, now: number, until: number): Promise<boolean>;
  /** Dead letters up to `at` that were not reported yet, by reason, most first. */
  since(relayId: string, at: number): Promise<readonly UndeliveredPosts[]>;
  /** For the holder of the claim: the owner knows of the dead letters up to `at`. */
  sent(relayId: string, until: number, at: number): Promise<void>;
  /** For the holder of the claim: the notice was not delivered. */
  release(relayId: string, until: number): Promise<void>;
}

const dayMs = 24 * 3_600_000;
const gatherMs = 5 * 60_000;
/** No claim is longer: a longer one was made by a wrong clock. */
const longestClaimMs = 10 * 60_000;
/** Posts that a person removed need no notice. */
const removed = 'relay.removed';

type Relays = ExpressionBuilder<Schema, 'relays'>;

export function createUndeliveredNotices(db: Kysely<Schema>): UndeliveredNotices {
  return {
    async due(now) {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('removed_at', 'is', null)
        // There is no token to send the notice with.
        .where((eb) => eb.or([eb('paused_why', 'is', null), eb('paused_why', '<>', 'uninstalled')]))
        .where((eb) => isFree(eb, now))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('outbox')
              .select('outbox.seq')
              .whereRef('outbox.installation', '=', 'relays.installation')
              .whereRef('outbox.team', '=', 'relays.team')
              .where('outbox.source', '=', 'relay')
              .whereRef('outbox.source_id', '=', 'relays.id')
              // A literal: SQLite uses a partial index only where it sees the condition.
              .where('outbox.state', '=', sql.lit('dead' as const))
              .where('outbox.finished_at', '>', eb.fn.coalesce('relays.undelivered_notified_at', sql.lit(0)))
              .where('outbox.finished_at', '<=', now - gatherMs)
              .where((post) =>
                isWorthANotice(post('outbox.last_code', 'is', null), post('outbox.last_code', '<>', removed)),
              ),
          ),
        )
        .execute();
      return rows.map(toRelay);
    },

    async claim(relayId, now, until) {
      const claimed = await db
        .updateTable('relays')
        .set({ undelivered_claimed_until: until })
        .where('id', '=', relayId)
        .where((eb) => isFree(eb, now))
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    },

    async since(relayId, at) {
      const rows = await db
        .selectFrom('outbox')
        .innerJoin('relays', (join) =>
          join
            .onRef('relays.installation', '=', 'outbox.installation')
            .onRef('relays.team', '=', 'outbox.team')
            .onRef('relays.id', '=', 'outbox.source_id'),
        )
        .select((eb) => ['outbox.last_code', eb.fn.countAll().as('posts')])
        .where((eb) => eb.and({ 'outbox.source': 'relay', 'outbox.source_id': relayId }))
        .where('outbox.state', '=', sql.lit('dead' as const))
        .where('outbox.finished_at', '<=', at)
        .where((eb) => eb('outbox.finished_at', '>', eb.fn.coalesce('relays.undelivered_notified_at', sql.lit(0))))
        .where((eb) => isWorthANotice(eb('outbox.last_code', 'is', null), eb('outbox.last_code', '<>', removed)))
        .groupBy('outbox.last_code')
        .execute();
      return rows
        .map(({ last_code: code, posts }) => ({ code: code ?? undefined, posts: Number(posts) }))
        .sort((a, b) => b.posts - a.posts);
    },

    async sent(relayId, until, at) {
      await db
        .updateTable('relays')
        .set({ undelivered_notified_at: at, undelivered_claimed_until: null })
        .where('id', '=', relayId)
        .where('undelivered_claimed_until', '=', until)
        .execute();
    },

    async release(relayId, until) {
      await db
        .updateTable('relays')
        .set({ undelivered_claimed_until: null })
        .where('id', '=', relayId)
        .where('undelivered_claimed_until', '=', until)
        .execute();
    },
  };
}

function isWorthANotice(...either: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<boolean>`(${sql.join(either, sql` or `)})`;
}

/** No notice within a day, and no current claim. */
function isFree(eb: Relays, now: number) {
  return eb.and([
    eb.or([eb('undelivered_notified_at', 'is', null), eb('undelivered_notified_at', '<=', now - dayMs)]),
    eb.or([
      eb('undelivered_claimed_until', 'is', null),
      eb('undelivered_claimed_until', '<=', now),
      eb('undelivered_claimed_until', '>', now + longestClaimMs),
    ]),
  ]);
}
