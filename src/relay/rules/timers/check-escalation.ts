/** Decision on an incident that nobody may have answered in time: whom to call, or when to look again. Pure. */
import type { IncidentFactsNow } from '../../../incidents/alerting.js';
import type { Escalation } from '../../../incidents/escalation.js';
import { type Incident, isCurrent } from '../../../incidents/incident.js';
import { postKinds } from '../../../posts/kinds.js';
import { createMuting } from '../../../watches/muting.js';
import type { RelaySettings } from '../../record/settings.js';
import { quietOf } from '../ready.js';

/** How often to check whether the relay was resumed, or the mute ended. */
const lookAgainMs = 60_000;

export function checkEscalation(
  incident: Pick<Incident, 'ruleId' | 'acknowledged' | 'assigned' | 'resolved' | 'ended' | 'openedAt' | 'repostedAt'>,
  settings: Pick<RelaySettings, 'rules'>,
  { now, mutes, paused }: IncidentFactsNow,
): Escalation {
  const rule = settings.rules.find(({ id, on }) => on && id === incident.ruleId);
  const { acknowledged, assigned, resolved, ended, openedAt, repostedAt = openedAt } = incident;
  const isAnswered = isCurrent(acknowledged, incident) || isCurrent(assigned, incident) || resolved;
  if (!rule?.escalate || isAnswered || ended) {
    return { never: true };
  }
  const due = repostedAt + rule.escalate.minutes * 60_000;
  if (due > now) {
    return { at: due };
  }
  const { whenPaused, inQuietHours } = postKinds.escalation;
  // A mute for a number of posts may last until others use it up.
  const timed = mutes.filter(({ limit }) => !limit);
  if ((paused && whenPaused === 'later') || createMuting(timed).stops('escalation', rule.channel, rule.id)) {
    return { at: now + lookAgainMs };
  }
  const quiet = inQuietHours === 'later' ? quietOf(rule)?.windowAt(now) : undefined;
  return quiet ? { at: quiet.to } : { escalate: rule.escalate, channel: rule.channel };
}
