/**
 * Relays with dead letters that their creator has not been notified of. At most one notice per relay a day, and only
 * after a delay, so that posts that fail together are reported together.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { type RelayRecord, toRelay } from '../record/records.js';

export const undeliveredPosts = z.object({
  /** The error code of the dead letters; undefined if none was recorded. */
  code: z.string().optional(),
  posts: z.number(),
});
export type UndeliveredPosts = z.output<typeof undeliveredPosts>;

/** A relay whose creator has been notified of dead letters up to `notifiedAt`. */
export interface UndeliveredRelay {
  readonly relay: RelayRecord;
  readonly notifiedAt: number;
}

const dayMs = 24 * 3_600_000;
const gatherMs = 5 * 60_000;
/** The error code of posts whose relay a person removed, which need no notice. */
const removedCode = 'relay.removed';

export function createUndeliveredNotices(db: Kysely<Schema>) {
  return {
    /** Relays whose creator must be notified now. */
    async due(now: number): Promise<readonly UndeliveredRelay[]> {
      const rows = await db
        .selectFrom('relays')
        .selectAll()
        .where('removed_at', 'is', null)
        // Without the app in the workspace there is no token to send the notice with.
        .where((eb) => eb.or([eb('paused_why', 'is', null), eb('paused_why', '<>', 'uninstalled')]))
        .where((eb) =>
          eb.or([eb('undelivered_notified_at', 'is', null), eb('undelivered_notified_at', '<=', now - dayMs)]),
        )
        .where((eb) =>
          eb.exists(
            postsOfRelay(eb)
              // The state is a literal: SQLite uses a partial index only where it sees the condition.
              .where('outbox.state', '=', sql.lit('dead' as const))
              .where('outbox.finished_at', '>', eb.fn.coalesce('relays.undelivered_notified_at', sql.lit(0)))
              .where('outbox.finished_at', '<=', now - gatherMs)
              .where(isWorthANotice),
          ),
        )
        .execute();
      return rows.map((row) => ({ relay: toRelay(row), notifiedAt: row.undelivered_notified_at ?? 0 }));
    },

    /** Dead letters up to `until` that were not reported yet, by reason, the most frequent first. */
    async unreported(relayId: string, until: number): Promise<readonly UndeliveredPosts[]> {
      const rows = await db
        .selectFrom('outbox')
        .innerJoin('relays', (join) =>
          join
            .onRef('relays.installation', '=', 'outbox.installation')
            .onRef('relays.team', '=', 'outbox.team')
            .onRef('relays.id', '=', 'outbox.source_id'),
        )
        .select((eb) => ['outbox.last_code', eb.fn.countAll().as('posts')])
        .where(equal({ 'outbox.source': 'relay', 'outbox.source_id': relayId }))
        .where('outbox.state', '=', sql.lit('dead' as const))
        .where('outbox.finished_at', '<=', until)
        .where((eb) => eb('outbox.finished_at', '>', eb.fn.coalesce('relays.undelivered_notified_at', sql.lit(0))))
        .where(isWorthANotice)
        .groupBy('outbox.last_code')
        .execute();
      return rows
        .map(({ last_code: code, posts }) => ({ ...(code === null ? {} : { code }), posts: Number(posts) }))
        .sort((a, b) => b.posts - a.posts);
    },

    /** Records that the creator was notified of dead letters up to `at`, unless another instance did so meanwhile. */
    async sent({ relay: { id }, notifiedAt }: UndeliveredRelay, at: number): Promise<void> {
      await db
        .updateTable('relays')
        .set({ undelivered_notified_at: at })
        .where('id', '=', id)
        .where((eb) => eb(eb.fn.coalesce('undelivered_notified_at', sql.lit(0)), '=', notifiedAt))
        .execute();
    },
  };
}

/** The posts of a relay's row in a query. */
export function postsOfRelay(eb: ExpressionBuilder<Schema, 'relays'>) {
  return eb
    .selectFrom('outbox')
    .select('outbox.seq')
    .whereRef('outbox.installation', '=', 'relays.installation')
    .whereRef('outbox.team', '=', 'relays.team')
    .where('outbox.source', '=', 'relay')
    .whereRef('outbox.source_id', '=', 'relays.id');
}

function isWorthANotice(eb: ExpressionBuilder<Schema, 'outbox'>) {
  return eb.or([eb('outbox.last_code', 'is', null), eb('outbox.last_code', '<>', removedCode)]);
}
