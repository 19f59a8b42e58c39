/**
 * What people do about an incident besides acknowledging it, each in one transaction with the notices that it sends.
 * Whoever hands over or resolves an incident acknowledges it if nobody had.
 */
import type { Owner } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import { acknowledgeIn } from './acknowledgements.js';
import type { AlertingRelay, LockAlerting } from './decision.js';
import { assignIncident, resolveIncident } from './responses.js';
import { redrawIncidents } from './table.js';
import { reply } from './timers.js';

interface Response {
  readonly who: string;
  readonly at: number;
}

export interface IncidentResponses {
  /** False: nothing changed. */
  handOver(owner: Owner, key: string, change: Response & { readonly to: string }): Promise<boolean>;
  resolve(owner: Owner, key: string, change: Response & { readonly reason: string }): Promise<boolean>;
}

export function createIncidentResponses(
  { db }: Pick<Store, 'db'>,
  lock: LockAlerting<AlertingRelay>,
): IncidentResponses {
  return {
    handOver: (owner, key, change) =>
      db.transaction().execute(async (trx) => {
        const { who, at, to } = change;
        const named = await trx
          .selectFrom('incidents')
          .select(['relay_id', 'rule_id', 'reposts'])
          .where((eb) => eb.and({ post_key: key, ...owner }))
          .executeTakeFirst();
        const relay = named && (await lock(trx, named.relay_id));
        if (!named || !(await assignIncident(trx, owner, key, change))) {
          return false;
        }
        const { relay_id: relayId, rule_id: ruleId, reposts } = named;
        const incident = { postKey: key, relayId, ruleId, reposts };
        await reply(trx, relay, incident, { part: 'handed_over', to, by: who }, at);
        await acknowledgeIn(trx, owner, key, { who, at });
        await redrawIncidents(trx, [key], at);
        return true;
      }),

    resolve: (owner, key, change) =>
      db.transaction().execute(async (trx) => {
        if (!(await resolveIncident(trx, owner, key, change))) {
          return false;
        }
        await acknowledgeIn(trx, owner, key, { who: change.who, at: change.at });
        await redrawIncidents(trx, [key], change.at);
        return true;
      }),
  };
}
