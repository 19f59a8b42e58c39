/**
 * Budgets of Slack's methods: how often the app may call one in a workspace, whichever instance calls. A row holds the
 * time from which the budget is free again; each call moves that time on by one gap.
 */
import { type Kysely, sql } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';

export type PacedMethod = 'chat.update' | 'conversations.history' | 'conversations.replies';

/** The longest time for which a budget can be used up: a later moment was written by a wrong clock. */
const longestWaitMs = 60_000;
const forgottenAfterMs = 24 * 3_600_000;

export function createCallBudgets(db: Kysely<Schema>) {
  return {
    /**
     * Takes one call from the budget. Returns 0, or how long the budget is still used up. `aheadMs`: how far an urgent
     * call may overdraw the budget.
     */
    async take(
      { installation, team }: Owner,
      method: PacedMethod,
      now: number,
      { gapMs, aheadMs = 0 }: { readonly gapMs: number; readonly aheadMs?: number },
    ): Promise<number> {
      const freeAt = sql<number>`case when call_budgets.free_at between ${sql.lit(now)} and ${sql.lit(now + longestWaitMs)}
        then call_budgets.free_at else ${sql.lit(now)} end`;
      const takenCall = await db
        .insertInto('call_budgets')
        .values({ installation, team, method, free_at: now + gapMs })
        .onConflict((conflict) =>
          conflict
            .columns(['installation', 'team', 'method'])
            .doUpdateSet({ free_at: sql<number>`${freeAt} + ${sql.lit(gapMs)}` })
            .where(sql<boolean>`${freeAt} <= ${sql.lit(now + aheadMs)}`),
        )
        .returning('free_at')
        .executeTakeFirst();
      if (takenCall) {
        return 0;
      }
      const used = await db
        .selectFrom('call_budgets')
        .select('free_at')
        .where(equal({ installation, team, method }))
        .executeTakeFirst();
      return Math.max(1, (used?.free_at ?? now) - now - aheadMs);
    },

    /** Marks the budget as used up for as long as Slack says, for a minute at most. */
    async exhaust({ installation, team }: Owner, method: PacedMethod, now: number, forMs: number): Promise<void> {
      const until = now + Math.min(forMs, longestWaitMs);
      await db
        .updateTable('call_budgets')
        .set({ free_at: until })
        .where(equal({ installation, team, method }))
        .where('free_at', '<', until)
        .execute();
    },

    /** Forgets budgets that nobody has used for a day. */
    async forget(now: number): Promise<void> {
      await db
        .deleteFrom('call_budgets')
        .where('free_at', '<', now - forgottenAfterMs)
        .execute();
    },
  };
}

export type CallBudgets = ReturnType<typeof createCallBudgets>;
