/** Thread parents ("cards") that replies go under, and what happens when somebody deletes a parent's message. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.js';

/** A reply, and the thread it was sent to. */
export interface SentReply {
  readonly cardKey?: string;
  readonly channel: string;
  readonly threadTs?: string;
}

export interface Cards {
  /** The thread parent's message; undefined if it has none in that channel. */
  cardTs(cardKey: string, channel: string): Promise<string | undefined>;
  /**
   * The thread's message is gone: its parent is posted again, before the waiting replies. Nothing changes if the parent
   * has another message by now.
   * @param postedBefore only a parent that was posted before then
   */
  renewCard(reply: SentReply, now: number, postedBefore?: number): Promise<void>;
  /** Nothing goes under that parent any more: its replies are posted by themselves. */
  dropCard(reply: SentReply): Promise<void>;
}

export function createCards(db: Kysely<Schema>): Cards {
  const goneOf = ({ cardKey = '', channel, threadTs = '' }: SentReply) =>
    db
      .updateTable('outbox')
      .where('key', '=', cardKey)
      .where('channel', '=', channel)
      .where('state', '=', 'done')
      .where('ts', '=', threadTs);
  const nowhere = { ts: null, edit_at: null, edit_tries: 0 };

  return {
    async cardTs(cardKey, channel) {
      const row = await db
        .selectFrom('outbox')
        .select('ts')
        .where('key', '=', cardKey)
        .where('channel', '=', channel)
        .where('state', '=', 'done')
        .executeTakeFirst();
      return row?.ts ?? undefined;
    },

    async renewCard(reply, now, postedBefore = now) {
      await goneOf(reply)
        .set((eb) => ({
          ...nowhere,
          ...{ state: 'waiting', next_at: now, attempts: 0, finished_at: null },
          ...{ first_attempt_at: null, attempt_at: null, doubt_at: null },
          generation: eb('generation', '+', 1),
        }))
        .where('finished_at', '<=', postedBefore)
        .execute();
    },

    async dropCard(reply) {
      await goneOf(reply).set(nowhere).execute();
    },
  };
}
