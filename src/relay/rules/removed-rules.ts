/**
 * Removed rules whose counters are still stored. Their deletion would stall every scan, so it is recorded with the
 * removal and done later in slices. A rule that returns meanwhile gets a new generation, with counters of its own.
 */
import type { Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { ruleSubjects } from '../../counters/counters.js';
import { eraseSomeCounts } from '../../counters/erase-counts.js';
import { equal } from '../../database/equal.js';
import { createPace } from '../../database/pace.js';
import type { RemovedRulesTable, Schema } from '../../database/schema.js';
import type { Store } from '../../workspaces/types.js';
import { rulesIn } from '../record/relay.js';
import type { Rule } from '../record/settings.js';

type Trx = Transaction<Schema>;

/** Records removed rules. Call it with the relay's row locked: no scan is counted between the removal and this. */
export async function removeRules(trx: Trx, relayId: string, rules: readonly Rule[]): Promise<void> {
  if (rules.length === 0) {
    return;
  }
  const ids = rules.map(({ id }) => id);
  await trx.deleteFrom('rule_memories').where('relay_id', '=', relayId).where('rule_id', 'in', ids).execute();
  await trx
    .insertInto('removed_rules')
    .values(rules.map(({ id, generation = 0 }) => ({ relay_id: relayId, rule_id: id, generation })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** New settings (JSON) with the generations of their rules. Call it with the relay's row locked. */
export async function withGenerations(
  trx: Trx,
  relayId: string,
  settings: string,
  settingsBefore: string,
): Promise<string> {
  const rules = rulesIn(settings);
  const rulesBefore = new Map(rulesIn(settingsBefore).map((rule) => [rule.id, rule]));
  const removedRules = rules.every(({ id }) => rulesBefore.has(id)) ? [] : await removedRulesOf(trx, [relayId]);
  const generations = rules.map(({ id }) => {
    const same = removedRules.flatMap(({ rule_id, generation }) => (rule_id === id ? [generation + 1] : []));
    return rulesBefore.has(id) ? rulesBefore.get(id)?.generation : same.length === 0 ? undefined : Math.max(...same);
  });
  if (rules.every(({ generation }, at) => generation === generations[at])) {
    return settings;
  }
  const written = JSON.parse(settings) as { readonly rules: readonly object[] };
  return JSON.stringify({
    ...written,
    rules: written.rules.map((rule, at) => ({ ...rule, generation: generations[at] })),
  });
}

/** Removed rules whose counters are still stored. */
export function removedRulesOf(trx: Trx, relayIds: readonly string[]) {
  return trx.selectFrom('removed_rules').selectAll().where('relay_id', 'in', relayIds).execute();
}

/** Deletes the counters of removed rules in slices, until none is left or `stopping` aborts. Returns how many rules. */
export function createRemovedRulePurge(store: Pick<Store, 'db' | 'kind'>, clock: Clock) {
  return async (stopping: AbortSignal): Promise<number> => {
    const pace = createPace(store, clock, stopping);
    let purged = 0;
    for (const rule of await store.db.selectFrom('removed_rules').selectAll().execute()) {
      await pace.repeat(async (trx, limit) => {
        const hasMore = await purgeSome(trx, rule, limit);
        purged += hasMore ? 0 : 1;
        return hasMore;
      });
    }
    return purged;
  };
}

/**
 * Deletes some counters of a removed rule; returns whether there may be more. Another instance may have finished the
 * deletion, and a rule may count under the same name since.
 */
async function purgeSome(trx: Trx, rule: RemovedRulesTable, maxRows: number): Promise<boolean> {
  // The write locks the row in either database.
  const { numUpdatedRows } = await trx
    .updateTable('removed_rules')
    .set({ generation: rule.generation })
    .where(equal({ ...rule }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    return false;
  }
  const subjects = ruleSubjects({ ruleId: rule.rule_id, generation: rule.generation });
  if (await eraseSomeCounts(trx, 'counters', { relayId: rule.relay_id, subjects }, maxRows)) {
    return true;
  }
  await trx
    .deleteFrom('removed_rules')
    .where(equal({ ...rule }))
    .execute();
  return false;
}
