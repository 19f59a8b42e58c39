/**
 * Rule timers: due digests become posts, silences raise alarms, incidents end. A failure waits for the next poll and never blocks
 * delivery.
 */
import type { Clock } from '../../../clock.js';
import { codeOf } from '../../../errors.js';
import type { IncidentDecision, IncidentFactsNow } from '../../../incidents/decision.js';
import { createEscalations, type Escalation, type EscalationFacts } from '../../../incidents/escalation.js';
import type { Incident } from '../../../incidents/incident.js';
import { createIncidentTimers } from '../../../incidents/timers.js';
import type { Log } from '../../../log.js';
import type { Store } from '../../../workspaces/types.js';
import type { DecidedPost } from '../../commit/index.js';
import type { RelayRecord } from '../../record/records.js';
import { readSettings } from '../../record/relay.js';
import { askSilence } from '../index.js';
import { createAlerting } from './alerting.js';
import { checkEscalation } from './check-escalation.js';
import { checkIncident } from './check-incident.js';
import { createRuleTimers, type DueSilence, type SilenceDecision } from './table.js';

export interface Timers {
  poll(): Promise<void>;
}

/** Minutes are what they are set in. */
const pollMs = 200;
/** A clock that goes back further than this was set back. */
const clockStepMs = 2_000;
const retryBrokenMs = 60 * 60_000;

export function createTimers(deps: { store: Store; clock: Clock; log: Log }): Timers {
  const { store, clock, log } = deps;
  const timers = createRuleTimers(store);
  const alerting = createAlerting(store);
  const incidents = createIncidentTimers(store, alerting);
  const escalations = createEscalations(store, alerting.lock);
  // Nobody knows what the clock did before: the first poll looks at silences as after a clock that was set back.
  let polledAt = Number.POSITIVE_INFINITY;

  const ask = (silence: DueSilence, now: number): SilenceDecision => {
    try {
      return askSilence(silence, readSettings(silence.relay.settings), now);
    } catch (error) {
      // One unreadable relay must not block the others.
      log.error({ relay: silence.relayId, err: error, code: codeOf(error) }, 'a silence alarm could not be evaluated');
      return { dueAt: now + retryBrokenMs };
    }
  };

  const decide = (incident: Incident, relay: RelayRecord, facts: IncidentFactsNow): IncidentDecision<DecidedPost> => {
    try {
      return checkIncident(incident, readSettings(relay.settings), facts);
    } catch (error) {
      log.error({ relay: relay.id, err: error, code: codeOf(error) }, 'an incident could not be checked');
      return { dueAt: facts.now + retryBrokenMs };
    }
  };

  const escalate = (incident: Incident, relay: RelayRecord, facts: EscalationFacts, now: number): Escalation => {
    try {
      return checkEscalation(incident, readSettings(relay.settings), now, facts);
    } catch (error) {
      log.error({ relay: relay.id, err: error, code: codeOf(error) }, 'an incident could not be escalated');
      return { at: now + retryBrokenMs };
    }
  };

  return {
    async poll() {
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
        await timers.checkSilences(now, (silence) => ask(silence, now));
        await incidents.check(now, decide);
        // After the ends: what is over needs nobody.
        await escalations.check(now, (incident, relay, facts) => escalate(incident, relay, facts, now));
      } catch (error) {
        log.error({ err: error, code: codeOf(error) }, 'due digests, silences and incidents could not be processed');
      }
    },
  };
}
