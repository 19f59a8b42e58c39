/** What relays do for their incidents: their lock, their alerts, their rules' memories. */
import type { Alerting } from '../../../incidents/decision.js';
import type { Store } from '../../../workspaces/types.js';
import type { DecidedPost } from '../../commit/index.js';
import { lockRecord } from '../../record/lock.js';
import type { RelayRecord } from '../../record/records.js';
import { putIn } from './enqueue.js';

export function createAlerting({ kind }: Pick<Store, 'kind'>): Alerting<RelayRecord, DecidedPost> {
  return {
    lock: lockRecord(kind),
    announce: putIn,
    async forgetBurst(trx, { relayId, ruleId }) {
      await trx.deleteFrom('rule_memories').where('relay_id', '=', relayId).where('rule_id', '=', ruleId).execute();
    },
  };
}
