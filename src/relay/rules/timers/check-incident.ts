/** The check of a due, open incident: whether it is over, rests or is posted again, and when to look again. Pure. */
import type { IncidentDecision, IncidentFactsNow } from '../../../incidents/decision.js';
import type { Incident } from '../../../incidents/incident.js';
import type { DecidedPost } from '../../commit/index.js';
import type { RelaySettings } from '../../record/settings.js';
import { isOver } from '../burst.js';
import { burstOf, silenceOf } from '../ready.js';
import { continueSilence, silencesFor } from './silence.js';

/** The least minutes between two updates of the figures in a burst's thread. */
const leastBetweenUpdates = 15;

export function checkIncident(
  incident: Incident,
  settings: RelaySettings,
  facts: IncidentFactsNow,
): IncidentDecision<DecidedPost> {
  const { now } = facts;
  const rule = settings.rules.find(({ id, on }) => on && id === incident.ruleId);
  const turnedOff: IncidentDecision<DecidedPost> = { ended: { at: now, why: 'rule' } };
  if (!rule) {
    return turnedOff;
  }
  if (incident.kind === 'burst') {
    const burst = burstOf(rule);
    return burst ? checkBurst(incident, burst.minutes, now) : turnedOff;
  }
  const silence = silenceOf(rule);
  const { ruleId, subject, subjectId } = incident;
  const isWatched = silencesFor(settings).some(
    (one) => one.ruleId === ruleId && one.subject === subject && one.subjectId === subjectId,
  );
  if (!silence || !isWatched) {
    return turnedOff;
  }
  return continueSilence(incident, rule, silence, facts);
}

/** Checks a burst, which is over m minutes after its last scan, however late the check is. */
function checkBurst({ lastAt, repliedAt }: Incident, minutes: number, now: number): IncidentDecision<DecidedPost> {
  const span = minutes * 60_000;
  if (isOver(lastAt, minutes, now)) {
    return { ended: { at: lastAt + span, why: 'calm' } };
  }
  const between = Math.max(minutes, leastBetweenUpdates) * 60_000;
  const update = now - repliedAt >= between && lastAt > repliedAt;
  return { dueAt: Math.min(lastAt + span, (update ? now : Math.max(repliedAt, now - between)) + between), update };
}
