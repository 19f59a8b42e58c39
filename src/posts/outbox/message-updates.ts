/**
 * The updates of delivered messages that are out of date. A claim expires by itself, so a crashed worker's update
 * passes on. Updating twice does no harm: a message is always rendered from the current state.
 */
import { type Expression, type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { claimRows } from '../../database/claims/claim.js';
import { isDue } from '../../database/claims/due-rows.js';
import { equal } from '../../database/equal.js';
import type { MessageUpdatesTable, OutboxTable, Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import { type DeliveryTimes, longestWaitMs } from '../delivery-times.js';
import { kindOfRow, kindsWhere } from '../kinds.js';
import { isInBlockedQueue } from './blocked-queues.js';
import { areUpdatesHeld } from './held-sources.js';
import { type OutboxPost, toPost } from './post.js';

export interface MessageUpdate {
  readonly post: OutboxPost;
  readonly ts: string;
  /** The revision of the post to render. */
  readonly revision: number;
  /** The number of failed attempts before this one. */
  readonly failures: number;
  readonly dueAt: number;
  /** Whether people wait for the update: it is of an alert, a figure or an acknowledgement. */
  readonly isUrgent: boolean;
}

type CollectingTimes = Pick<DeliveryTimes, 'parentEveryMs' | 'yieldingEveryMs' | 'yieldingBusyMs'>;

const urgentKinds = kindsWhere(({ updates }) => updates === 'urgent');
const placeInWorkspace = sql<number>`row_number() over (partition by outbox.installation, outbox.team
  order by case when outbox.kind in (${sql.join(urgentKinds.map((kind) => sql.lit(kind)))}) or outbox.ack_by is not null
    then 0 else 1 end, message_updates.due_at, outbox.seq)`;
const countingKinds = kindsWhere(({ collects }) => collects === 'counting');
const yieldingKinds = kindsWhere(({ collects }) => collects === 'yielding');

/** The condition that another post of the workspace waits to be sent, or an update of a kind that does not yield. */
const othersWait = (now: number) => sql<boolean>`(exists (select 1 from outbox as other
    where other.installation = outbox.installation and other.team = outbox.team and other.finished_at is null
      and other.next_at <= ${sql.lit(now)})
  or exists (select 1 from message_updates as waiting join outbox as other on other.seq = waiting.post_seq
    where waiting.due_at <= ${sql.lit(now)} and other.installation = outbox.installation and other.team = outbox.team
      and other.kind not in (${sql.join(yieldingKinds.map((kind) => sql.lit(kind)))})))`;

export function createMessageUpdates(store: Pick<Store, 'db'>) {
  const { db } = store;
  return {
    /**
     * Due updates without a lock: the first of each workspace, then the second of each; within a workspace urgent ones
     * come first, then the longest due. Those in blocked channels, or of sources whose updates are held, are left out.
     * @param except workspaces to skip
     */
    async due(
      now: number,
      { parentEveryMs, yieldingEveryMs, yieldingBusyMs }: CollectingTimes,
      except: readonly Owner[],
      limit: number,
    ): Promise<readonly MessageUpdate[]> {
      const collected = (eb: ExpressionBuilder<Schema, 'message_updates'>, ms: number) =>
        eb.or([
          eb('message_updates.updated_at', 'is', null),
          eb('message_updates.updated_at', '<=', now - ms),
          // A time in the future comes from a clock that was set back: no message must wait for the difference.
          eb('message_updates.updated_at', '>', now),
        ]);
      const rows = await updatesWithPosts(db)
        .where(isDue('message_updates.due_at', now, longestWaitMs))
        .where((eb) => eb.not(eb.or([areUpdatesHeld(eb), isInBlockedQueue(eb)])))
        .where((eb) =>
          eb.and([
            eb.or([eb('outbox.kind', 'not in', countingKinds), collected(eb, parentEveryMs)]),
            eb.or([
              eb('outbox.kind', 'not in', yieldingKinds),
              collected(eb, yieldingBusyMs),
              eb.and([collected(eb, yieldingEveryMs), eb.not(othersWait(now))]),
            ]),
          ]),
        )
        .where((eb) =>
          eb.and(
            except.map(({ installation, team }) =>
              eb.not(eb.and({ 'outbox.installation': installation, 'outbox.team': team })),
            ),
          ),
        )
        .orderBy(placeInWorkspace)
        .orderBy('message_updates.due_at')
        .limit(limit)
        .execute();
      return rows.map(toUpdate);
    },

    /** Claims the update until `until` and returns its current state; undefined if another worker was quicker. */
    claim: ({ post, dueAt }: MessageUpdate, until: number): Promise<MessageUpdate | undefined> =>
      db.transaction().execute(async (trx) => {
        const [claimed] = await claimRows(trx, 'message_updates', { due_at: until }, (updates) =>
          updates.where('post_seq', '=', post.seq).where('due_at', '=', dueAt),
        );
        const row = claimed && (await updatesWithPosts(trx).where('outbox.seq', '=', post.seq).executeTakeFirst());
        return row && toUpdate(row);
      }),

    /** Records that the message shows the revision. A post that has another message by now is not changed. */
    async done(update: MessageUpdate, now: number) {
      await db
        .updateTable('message_updates')
        .set({
          rendered_revision: update.revision,
          updated_at: now,
          failures: 0,
          due_at: sql<
            number | null
          >`case when revision > ${sql.lit(update.revision)} then ${sql.lit(now)} else null end`,
        })
        .where(hasMessage(update))
        .execute();
    },

    async later(update: MessageUpdate, at: number, failures: number) {
      await db
        .updateTable('message_updates')
        .set({ due_at: at, failures })
        .where(hasMessage(update))
        .where('due_at', 'is not', null)
        .execute();
    },

    /** Drops an update whose message cannot be changed or drawn. A later change makes one due. */
    async giveUp(update: MessageUpdate) {
      await db
        .updateTable('message_updates')
        .set((eb) => ({ rendered_revision: eb.ref('revision'), due_at: null, failures: 0 }))
        .where(hasMessage(update))
        .execute();
    },
  };
}

export type MessageUpdates = ReturnType<typeof createMessageUpdates>;

/** Delivered posts that have a message: a deleted thread parent has none. */
function updatesWithPosts(db: Kysely<Schema> | Transaction<Schema>) {
  return db
    .selectFrom('message_updates')
    .innerJoin('outbox', 'outbox.seq', 'message_updates.post_seq')
    .selectAll('outbox')
    .select(['message_updates.revision', 'message_updates.failures', 'message_updates.due_at'])
    .where('outbox.state', '=', 'delivered')
    .where('outbox.ts', 'is not', null);
}

/** The condition that the post still has the message that the update is of. */
function hasMessage({ post: { seq }, ts }: MessageUpdate) {
  return (eb: ExpressionBuilder<Schema, 'message_updates'>) =>
    eb.and([eb('post_seq', '=', seq), eb.exists(eb.selectFrom('outbox').select('seq').where(equal({ seq, ts })))]);
}

type UpdateRow = Selectable<OutboxTable> & Pick<MessageUpdatesTable, 'revision' | 'due_at'> & { failures: number };

function toUpdate(row: UpdateRow): MessageUpdate {
  const { ts, revision, failures, due_at: dueAt } = row;
  const isUrgent = kindOfRow(row).updates === 'urgent' || row.ack_by !== null;
  return { post: toPost(row), ts: ts ?? '', revision, failures, dueAt: dueAt ?? 0, isUrgent };
}

/** Makes the update of a changed post's message due; an update that is due already shows this change as well. */
export async function reviseMessage(trx: Transaction<Schema>, seq: number, now: number): Promise<void> {
  await reviseSelected(trx, trx.selectFrom('outbox').select(revisedAt(now)).where('seq', '=', seq));
}

/** The columns that a query for `reviseSelected` must select. */
export function revisedAt(now: number) {
  return ['outbox.seq', sql.lit(1).as('revision'), sql.lit(now).as('due_at')] as const;
}

/** Like `reviseMessage`, for the posts that a query selects by `revisedAt`, in the order of their numbers. */
export async function reviseSelected(trx: Transaction<Schema>, posts: Expression<unknown>): Promise<void> {
  await trx
    .insertInto('message_updates')
    .columns(['post_seq', 'revision', 'due_at'])
    .expression(posts)
    .onConflict((conflict) =>
      conflict.column('post_seq').doUpdateSet((eb) => ({
        revision: eb('message_updates.revision', '+', 1),
        due_at: eb.fn.coalesce('message_updates.due_at', eb.ref('excluded.due_at')),
      })),
    )
    .execute();
}

/**
 * The statement that makes the updates of selected posts' messages due. `select` returns a post's number, 1, and the
 * moment, in the order of the numbers.
 */
export function requestUpdatesSql(select: string): string {
  return `
    insert into message_updates (post_seq, revision, due_at) ${select}
    on conflict (post_seq) do update set revision = message_updates.revision + 1,
      due_at = coalesce(message_updates.due_at, excluded.due_at)`;
}

/** Records that the message of a post about to be sent will show all changes until now. */
export async function renderAll(trx: Transaction<Schema>, seq: number): Promise<void> {
  await trx
    .updateTable('message_updates')
    .set((eb) => ({ rendered_revision: eb.ref('revision') }))
    .where('post_seq', '=', seq)
    .execute();
}

/** Makes the changes due that were made since a delivered post was sent. */
export async function updateSince(trx: Transaction<Schema>, seq: number, now: number): Promise<void> {
  await trx
    .updateTable('message_updates')
    .set({ due_at: sql<number | null>`case when revision > rendered_revision then ${sql.lit(now)} else null end` })
    .where('post_seq', '=', seq)
    .execute();
}
