/**
 * Budgets of message updates: Slack takes about 50 a minute of an app in a workspace, whichever instance sends them. A
 * workspace's row says from when on its budget is free again; each update moves that on by one gap.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';

export interface EditBudgets {
  /** False: the budget is used up. `aheadMs`: how far an update that is urgent may overdraw it. */
  take(owner: Owner, now: number, pace: { readonly gapMs: number; readonly aheadMs: number }): Promise<boolean>;
  /** Slack takes no more for a while, counted up to a minute. */
  exhaust(owner: Owner, now: number, forMs: number): Promise<void>;
  /** Forgets budgets that nobody has used for a day. */
  forget(now: number): Promise<void>;
}

/** No budget is used up for longer: a later time was written by a wrong clock. */
const longestWaitMs = 60_000;
const forgottenAfterMs = 24 * 3_600_000;

export function createEditBudgets(db: Kysely<Schema>): EditBudgets {
  return {
    async take({ installation, team }, now, { gapMs, aheadMs }) {
      const free = sql<number>`case when edit_budgets.free_at between ${sql.lit(now)} and ${sql.lit(now + longestWaitMs)}
        then edit_budgets.free_at else ${sql.lit(now)} end`;
      const taken = await db
        .insertInto('edit_budgets')
        .values({ installation, team, free_at: now + gapMs })
        .onConflict((conflict) =>
          conflict
            .columns(['installation', 'team'])
            .doUpdateSet({ free_at: sql<number>`${free} + ${sql.lit(gapMs)}` })
            .where(sql<boolean>`${free} <= ${sql.lit(now + aheadMs)}`),
        )
        .returning('free_at')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async exhaust({ installation, team }, now, forMs) {
      const until = now + Math.min(forMs, longestWaitMs);
      await db
        .updateTable('edit_budgets')
        .set({ free_at: until })
        .where((eb) => eb.and({ installation, team }))
        .where('free_at', '<', until)
        .execute();
    },

    async forget(now) {
      await db
        .deleteFrom('edit_budgets')
        .where('free_at', '<', now - forgottenAfterMs)
        .execute();
    },
  };
}
