/**
 * Owns the posts whose messages are to be changed: completed, acknowledged, counted on. A change is claimed for a while rather
 * than held: whoever claimed it and ended leaves it to the next, and doing it twice does no harm, since a message is always
 * written as it is now.
 */
import { sql } from 'kysely';
import { type OutboxPost, toPost } from './outbox.js';
import type { Store } from './types.js';

export interface PostEdit {
  readonly post: OutboxPost;
  readonly ts: string;
  /** What the message is to show. */
  readonly revision: number;
  /** Failed attempts before this one. */
  readonly tries: number;
}

export interface PostEdits {
  /** A look without a lock. */
  hasDue(now: number): Promise<boolean>;
  /**
   * Claims edits that are due, the longest due first. They are nobody else's until `until`.
   * @param cardsBefore cards that were edited since then are left alone: they wait for more to count
   */
  claim(now: number, until: number, limit: number, cardsBefore: number): Promise<readonly PostEdit[]>;
  /** The message shows the revision. What has changed since is due at `now`. */
  done(edit: PostEdit, now: number): Promise<void>;
  later(edit: PostEdit, at: number): Promise<void>;
  /** The message is gone, or cannot be changed any more. */
  giveUp(edit: PostEdit): Promise<void>;
}

export function createPostEdits(store: Pick<Store, 'db' | 'kind'>): PostEdits {
  const { db, kind } = store;
  return {
    async hasDue(now) {
      const row = await db
        .selectFrom('outbox')
        .select('seq')
        .where('edit_at', 'is not', null)
        .where('edit_at', '<=', now)
        .where('state', '=', 'done')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    claim: (now, until, limit, cardsBefore) =>
      db.transaction().execute(async (trx) => {
        const due = await trx
          .selectFrom('outbox')
          .innerJoin('relays', 'relays.id', 'outbox.relay_id')
          .selectAll('outbox')
          .where('outbox.edit_at', 'is not', null)
          .where('outbox.edit_at', '<=', now)
          .where('outbox.state', '=', 'done')
          .where('relays.paused_at', 'is', null)
          .where((eb) =>
            eb.or([
              eb('outbox.kind', '<>', 'card'),
              eb('outbox.edited_at', 'is', null),
              eb('outbox.edited_at', '<=', cardsBefore),
              eb('outbox.edited_at', '>', now),
            ]),
          )
          .orderBy('outbox.edit_at')
          .orderBy('outbox.seq')
          .limit(limit)
          .$if(kind === 'postgres', (query) => query.modifyEnd(sql`for update of outbox skip locked`))
          .execute();
        for (const { seq } of due) {
          await trx.updateTable('outbox').set({ edit_at: until }).where('seq', '=', seq).execute();
        }
        return due.map((row) => ({
          ...{ post: toPost(row), ts: row.ts ?? '', revision: row.revision, tries: row.edit_tries },
        }));
      }),

    async done({ post, revision }, now) {
      await db
        .updateTable('outbox')
        .set({
          shown: revision,
          edited_at: now,
          edit_tries: 0,
          edit_at: sql<number | null>`case when revision > ${sql.lit(revision)} then ${sql.lit(now)} else null end`,
        })
        .where('seq', '=', post.seq)
        .execute();
    },

    async later({ post, tries }, at) {
      await db
        .updateTable('outbox')
        .set({ edit_at: at, edit_tries: tries + 1 })
        .where('seq', '=', post.seq)
        .where('edit_at', 'is not', null)
        .execute();
    },

    async giveUp({ post }) {
      await db
        .updateTable('outbox')
        .set((eb) => ({ shown: eb.ref('revision'), edit_at: null, edit_tries: 0 }))
        .where('seq', '=', post.seq)
        .execute();
    },
  };
}
