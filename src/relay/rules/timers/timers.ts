/**
 * Rule timers: due digests become posts, silences raise alarms, incidents end or escalate. A failure waits for the next
 * poll and never blocks delivery.
 */
import type { Clock } from '../../../clock.js';
import { codeOf } from '../../../errors.js';
import type { Alerting } from '../../../incidents/alerting.js';
import { escalateIncidents } from '../../../incidents/escalation.js';
import { checkIncidents } from '../../../incidents/timers.js';
import type { Log } from '../../../log.js';
import { enqueue } from '../../../posts/outbox/enqueue.js';
import type { Store } from '../../../workspaces/types.js';
import type { AlertPost } from '../../commit/index.js';
import { lockRecord } from '../../record/lock.js';
import type { RelayRecord } from '../../record/records.js';
import { readSettings } from '../../record/relay.js';
import type { RelaySettings } from '../../record/settings.js';
import { checkEscalation } from './check-escalation.js';
import { checkIncident } from './check-incident.js';
import { checkSilence } from './silence.js';
import { createRuleTimers } from './timer-rows.js';

/** The least time between two polls; timers are set in minutes. */
const pollMs = 200;
/** The step back from which a clock counts as set back. */
const clockStepMs = 2_000;
const retryBrokenMs = 60 * 60_000;

export function createTimers(deps: { store: Pick<Store, 'db'>; clock: Clock; log: Log }) {
  const { store, clock, log } = deps;
  const timers = createRuleTimers(store);
  const alerting: Alerting<RelayRecord, AlertPost> = {
    lock: lockRecord,
    async announce(trx, { id, owner }, key, { channel, kind, rule: ruleId, detail }, at) {
      const source = { kind: 'relay' as const, id };
      await enqueue(trx, { posts: [{ key, queue: { ...owner, channel }, source, at, kind, ruleId, detail }] });
    },
  };
  // The clock's earlier changes are unknown: the first poll checks silences as after a clock that was set back.
  let polledAt = Number.POSITIVE_INFINITY;

  /** A relay that cannot be read must not block other relays: it is checked again at the time given to `later`. */
  const decideSafely = <Decision>(
    relay: RelayRecord,
    failureMessage: string,
    decide: (settings: RelaySettings) => Decision,
    later: (at: number) => Decision,
  ): Decision => {
    try {
      return decide(readSettings(relay.settings));
    } catch (error) {
      log.error({ relay: relay.id, err: error, code: codeOf(error) }, failureMessage);
      return later(clock.now() + retryBrokenMs);
    }
  };

  return {
    async poll(): Promise<void> {
      const now = clock.now();
      if (now >= polledAt && now - polledAt < pollMs) {
        return;
      }
      const isSetBack = now < polledAt - clockStepMs;
      polledAt = now;
      try {
        if (isSetBack) {
          await timers.clockSetBack(now);
        }
        await timers.closeDigests(now);
        await timers.checkSilences(now, (silence) =>
          decideSafely(
            silence.relay,
            'a silence alarm could not be evaluated',
            (settings) => checkSilence(silence, settings, now),
            (dueAt) => ({ dueAt }),
          ),
        );
        await checkIncidents(store.db, alerting, now, (incident, relay, facts) =>
          decideSafely(
            relay,
            'an incident could not be checked',
            (settings) => checkIncident(incident, settings, facts),
            (dueAt) => ({ dueAt }),
          ),
        );
        // Escalations come after the ends: an incident that is over needs no escalation.
        await escalateIncidents(store.db, alerting.lock, now, (incident, relay, facts) =>
          decideSafely(
            relay,
            'an incident could not be escalated',
            (settings) => checkEscalation(incident, settings, facts),
            (at) => ({ at }),
          ),
        );
      } catch (error) {
        log.error({ err: error, code: codeOf(error) }, 'due digests, silences and incidents could not be processed');
      }
    },
  };
}
