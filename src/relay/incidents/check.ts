/** Decision on an open incident that is due: whether it is over, rests or is posted again, and when to look again. Pure. */
import type { RelaySettings } from '../relays/settings.js';
import { isOver } from '../rules/conditions/burst.js';
import { burstOf, silenceOf } from '../rules/ready.js';
import { continueSilence, silencesFor } from '../rules/timers/silence.js';
import type { IncidentDecision, IncidentFactsNow } from './decision.js';
import type { Incident } from './incident.js';

/** A burst's thread gets the figures at most this often. */
const leastBetweenUpdates = 15;

export function checkIncident(incident: Incident, settings: RelaySettings, facts: IncidentFactsNow): IncidentDecision {
  const { now } = facts;
  const rule = settings.rules.find(({ id, on }) => on && id === incident.ruleId);
  const turnedOff: IncidentDecision = { ended: { at: now, why: 'rule' } };
  if (!rule) {
    return turnedOff;
  }
  if (incident.kind === 'burst') {
    const burst = burstOf(rule);
    return burst ? checkBurst(incident, burst.minutes, now) : turnedOff;
  }
  const silence = silenceOf(rule);
  const { ruleId, subject, subjectId } = incident;
  const waited = silencesFor(settings).some(
    (one) => one.ruleId === ruleId && one.subject === subject && one.subjectId === subjectId,
  );
  if (!silence || !waited) {
    return turnedOff;
  }
  return continueSilence(incident, rule, silence, facts);
}

/** It was over at that time, however late somebody looks. */
function checkBurst({ lastAt, repliedAt }: Incident, minutes: number, now: number): IncidentDecision {
  const span = minutes * 60_000;
  if (isOver(lastAt, minutes, now)) {
    return { ended: { at: lastAt + span, why: 'calm' } };
  }
  const between = Math.max(minutes, leastBetweenUpdates) * 60_000;
  const update = now - repliedAt >= between && lastAt > repliedAt;
  return { dueAt: Math.min(lastAt + span, (update ? now : Math.max(repliedAt, now - between)) + between), update };
}
