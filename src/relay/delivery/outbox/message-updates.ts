/**
 * Posts whose delivered messages are out of date. A claim expires by itself, so a crashed worker's update passes on.
 * Updating twice does no harm: a message is always rendered from the current state.
 */
import { type Selectable, sql } from 'kysely';
import type { OutboxTable } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';
import type { Store } from '../../../workspaces/types.js';
import { type OutboxPost, toPost } from './outbox.js';

export interface PostEdit {
  readonly post: OutboxPost;
  readonly ts: string;
  /** The revision to render. */
  readonly revision: number;
  /** Failed attempts before this one. */
  readonly tries: number;
  readonly dueAt: number;
}

export interface MessageUpdates {
  /**
   * Due updates, the longest due first, without a lock. A relay that was paused, other than by a person, has none.
   * @param cardsBefore thread parents updated since then are skipped: they collect more counts first
   * @param except workspaces to skip
   */
  due(now: number, cardsBefore: number, except: readonly Owner[], limit: number): Promise<readonly PostEdit[]>;
  /**
   * Undefined: another worker was quicker. Otherwise no other worker has it before `until`; returns its current state.
   */
  claim(edit: PostEdit, until: number): Promise<PostEdit | undefined>;
  /**
   * The message shows the revision. Nothing changes if the post has another message by now. A later change is due at
   * `now`.
   */
  done(edit: PostEdit, now: number): Promise<void>;
  later(edit: PostEdit, at: number): Promise<void>;
  /** The message is gone, or cannot be changed any more. */
  giveUp(edit: PostEdit): Promise<void>;
}

export function createMessageUpdates(store: Pick<Store, 'db'>): MessageUpdates {
  const { db } = store;
  return {
    async due(now, cardsBefore, except, limit) {
      const rows = await db
        .selectFrom('outbox')
        .innerJoin('relays', 'relays.id', 'outbox.relay_id')
        .selectAll('outbox')
        .where('outbox.edit_at', 'is not', null)
        .where('outbox.edit_at', '<=', now)
        .where('outbox.state', '=', 'done')
        // A deleted thread parent has no message.
        .where('outbox.ts', 'is not', null)
        // A person who pauses a relay wants no new posts; messages that are out stay up to date.
        .where((eb) => eb.or([eb('relays.paused_at', 'is', null), eb('relays.paused_why', '=', 'person')]))
        .where((eb) =>
          eb.or([
            eb('outbox.kind', '<>', 'card'),
            eb('outbox.edited_at', 'is', null),
            eb('outbox.edited_at', '<=', cardsBefore),
            // After the clock was set back, a thread parent must not wait for the difference.
            eb('outbox.edited_at', '>', now),
          ]),
        )
        .where((eb) =>
          eb.and(
            except.map(({ installation, team }) =>
              eb.not(eb.and({ 'outbox.installation': installation, 'outbox.team': team })),
            ),
          ),
        )
        .orderBy('outbox.edit_at')
        .orderBy('outbox.seq')
        .limit(limit)
        .execute();
      return rows.map(toEdit);
    },

    async claim({ post, dueAt }, until) {
      const row = await db
        .updateTable('outbox')
        .set({ edit_at: until })
        .where('seq', '=', post.seq)
        .where('edit_at', '=', dueAt)
        .where('state', '=', 'done')
        .where('ts', 'is not', null)
        .returningAll()
        .executeTakeFirst();
      return row && toEdit(row);
    },

    async done({ post, ts, revision }, now) {
      await db
        .updateTable('outbox')
        .set({
          shown: revision,
          edited_at: now,
          edit_tries: 0,
          edit_at: sql<number | null>`case when revision > ${sql.lit(revision)} then ${sql.lit(now)} else null end`,
        })
        .where('seq', '=', post.seq)
        .where('ts', '=', ts)
        .execute();
    },

    async later({ post, ts, tries }, at) {
      await db
        .updateTable('outbox')
        .set({ edit_at: at, edit_tries: tries + 1 })
        .where('seq', '=', post.seq)
        .where('ts', '=', ts)
        .where('edit_at', 'is not', null)
        .execute();
    },

    async giveUp({ post, ts }) {
      await db
        .updateTable('outbox')
        .set((eb) => ({ shown: eb.ref('revision'), edit_at: null, edit_tries: 0 }))
        .where('seq', '=', post.seq)
        .where('ts', '=', ts)
        .execute();
    },
  };
}

function toEdit(row: Selectable<OutboxTable>): PostEdit {
  const { ts, revision, edit_tries: tries, edit_at: dueAt } = row;
  return { post: toPost(row), ts: ts ?? '', revision, tries, dueAt: dueAt ?? 0 };
}
