/**
 * The check of a due incident: whether it is over or rests, whether its alert is posted now, and when to look again. An
 * alert is posted until it was delivered once; what holds it (a mute, a pause, quiet hours) is asked at each check. Pure.
 */
import { never } from '../../../database/claims/due-rows.js';
import type { PostKind } from '../../../database/schema.js';
import type { AlertMessage, IncidentDecision, IncidentFactsNow } from '../../../incidents/alerting.js';
import type { Incident } from '../../../incidents/incident.js';
import { createMuting } from '../../../watches/muting.js';
import type { AlertPost } from '../../commit/index.js';
import type { RelaySettings, Rule } from '../../record/settings.js';
import { isOver } from '../burst.js';
import { burstOf, escalationOf, quietOf, silenceOf } from '../ready.js';
import { alertPost } from '../route.js';
import { continueSilence, type GoingOn, isAtRest, silencesFor } from './silence.js';

const minuteMs = 60_000;
/** The least minutes between two updates of the figures in a burst's thread. */
const leastBetweenUpdates = 15;
/** How long after its posting an alert is looked at again: it may not have been delivered. */
const lookAfterMs = 10 * minuteMs;
/** How long after its posting an alert that Slack did not take is posted again. */
const againAfterMs = 60 * minuteMs;

type Ended = Required<Pick<IncidentDecision<never>, 'ended'>>;

export function checkIncident(
  incident: Incident,
  settings: Pick<RelaySettings, 'rules'>,
  facts: IncidentFactsNow & { readonly message: AlertMessage },
): IncidentDecision<AlertPost> {
  const rule = settings.rules.find(({ id, on }) => on && id === incident.ruleId);
  if (incident.ended) {
    return rule ? afterEnd({ ended: incident.ended }, incident, rule, facts) : { ended: incident.ended };
  }
  const state = rule && goingOn(incident, rule, settings, facts.now);
  if (!rule || !state) {
    return { ended: { at: facts.now, why: 'rule' } };
  }
  return 'ended' in state ? afterEnd(state, incident, rule, facts) : withAlert(state, incident, rule, facts);
}

/** Undefined: the rule does not watch the incident's subject any more. */
function goingOn(
  incident: Incident,
  rule: Rule,
  settings: Pick<RelaySettings, 'rules'>,
  now: number,
): Ended | GoingOn | undefined {
  const { kind, ruleId, subject, subjectId } = incident;
  if (kind === 'burst') {
    const burst = burstOf(rule);
    return burst && checkBurst(incident, burst.minutes, now);
  }
  const silence = silenceOf(rule);
  const isWatched = silencesFor(settings).some(
    (one) => one.ruleId === ruleId && one.subject === subject && one.subjectId === subjectId,
  );
  return silence && isWatched ? continueSilence(incident, rule, silence, now) : undefined;
}

/** Checks a burst, which is over m minutes after its last scan, however late the check is. */
function checkBurst({ lastAt, repliedAt }: Incident, minutes: number, now: number): Ended | GoingOn {
  const span = minutes * minuteMs;
  if (isOver(lastAt, minutes, now)) {
    return { ended: { at: lastAt + span, why: 'calm' } };
  }
  const between = Math.max(minutes, leastBetweenUpdates) * minuteMs;
  const update = now - repliedAt >= between && lastAt > repliedAt;
  const dueAt = Math.min(lastAt + span, (update ? now : Math.max(repliedAt, now - between)) + between);
  return { dueAt, update, wanted: 'once' };
}

/** Posts the alert if nothing holds it. */
function withAlert(
  { wanted, ...state }: GoingOn,
  incident: Incident,
  rule: Rule,
  { now, message, mutes, paused }: Parameters<typeof checkIncident>[2],
): IncidentDecision<AlertPost> {
  const postedAt = incident.repostedAt ?? incident.openedAt;
  const isMissing =
    message === 'none' || message === 'withdrawn' || (message === 'lost' && now - postedAt >= againAfterMs);
  const until = (at: number) => ({ ...state, dueAt: Math.min(state.dueAt, at) });
  if (incident.resolved || !(wanted === 'again' || (wanted && isMissing))) {
    return message === 'waiting'
      ? until(now + lookAfterMs)
      : message === 'lost'
        ? until(postedAt + againAfterMs)
        : state;
  }
  // A relay that is resumed checks its incidents.
  if (paused) {
    return state;
  }
  const muting = createMuting(mutes);
  if (muting.stops(incident.kind, rule.channel, rule.id)) {
    const { counted } = muting;
    return { ...until(now + (counted.length > 0 ? minutesOf(rule) : 1) * minuteMs), muted: counted };
  }
  const quietUntil = quietUntilOf(incident.kind, rule, now);
  if (quietUntil !== undefined) {
    return until(quietUntil);
  }
  const post = alertPost(rule, silenceDetail(incident, rule));
  return { ...until(now + lookAfterMs), post, ...escalationOf(rule, now) };
}

/** An alert that quiet hours or a pause held is posted as over, without its mentions; one that a mute held is not. */
function afterEnd(
  state: Ended,
  incident: Incident,
  rule: Rule,
  { now, message, mutes, paused }: Parameters<typeof checkIncident>[2],
): IncidentDecision<AlertPost> {
  const isHeld = message === 'none' && state.ended.why !== 'rule';
  if (!isHeld || createMuting(mutes).stops(incident.kind, rule.channel, rule.id)) {
    return state;
  }
  const heldUntil = paused ? never : quietUntilOf(incident.kind, rule, now);
  return heldUntil === undefined
    ? { ...state, post: alertPost(rule, silenceDetail(incident, rule), false) }
    : { ...state, dueAt: heldUntil };
}

/**
 * When the quiet hours that hold an alert's post end, which the check and the post's sending ask alike. Those of a
 * silence are a part of its rest, unless nothing would be left.
 */
export function quietUntilOf(kind: PostKind, rule: Rule, now: number): number | undefined {
  return kind === 'silence' && !isAtRest(rule, now) ? undefined : quietOf(rule)?.windowAt(now)?.to;
}

function minutesOf(rule: Rule): number {
  return burstOf(rule)?.minutes ?? silenceOf(rule)?.minutes ?? 1;
}

function silenceDetail({ kind, subject, subjectId, beganAt: since }: Incident, rule: Rule) {
  const id = subjectId === '' ? {} : { id: subjectId };
  return kind === 'silence' ? { silence: { of: subject, ...id, minutes: minutesOf(rule), since } } : {};
}

/** When an alert that is posted now is checked first. @param endsAt when it may be over */
export function nextCheckAt(now: number, endsAt: number): number {
  return Math.min(now + lookAfterMs, endsAt);
}
