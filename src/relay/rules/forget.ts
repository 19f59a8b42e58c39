/** Deletion of what a relay's removed rules counted and remembered, in the transaction that removes them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { ruleSubjects } from '../scans/counters.js';

/** A rule may count every barcode: the statements leave others a turn in between. */
const atOnce = 1_000;

/** Call it with the relay's row locked: no scan is committed between the removal and this. */
export async function forgetRules(
  trx: Transaction<Schema>,
  relayId: string,
  ruleIds: readonly string[],
): Promise<void> {
  if (ruleIds.length === 0) {
    return;
  }
  await trx.deleteFrom('rule_memories').where('relay_id', '=', relayId).where('rule_id', 'in', ruleIds).execute();
  for (const subject of ruleIds.flatMap(ruleSubjects)) {
    const counters = trx.selectFrom('counters').where('relay_id', '=', relayId).where('subject', '=', subject);
    for (let deleted = atOnce; deleted === atOnce; ) {
      const result = await trx
        .deleteFrom('counters')
        .where('relay_id', '=', relayId)
        .where('subject', '=', subject)
        .where('key', 'in', counters.select('key').limit(atOnce))
        .executeTakeFirst();
      deleted = Number(result.numDeletedRows);
      await nextTurn();
    }
  }
}
