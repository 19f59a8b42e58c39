/**
 * The alarm of a silence: no scan of a relay, device or service for n minutes within given hours. One alert lasts until
 * the next scan. It rests outside the hours, and is posted again each day n minutes into the hours, or at their end if
 * they are shorter. Pure.
 */
import { never } from '../../../database/claims/due-rows.js';
import type { IncidentDecision, IncidentFactsNow } from '../../../incidents/decision.js';
import type { Incident, IncidentSubject } from '../../../incidents/incident.js';
import { emptyTally } from '../../../incidents/tally.js';
import { postKinds } from '../../../posts/kinds.js';
import { createSchedule, type Schedule } from '../../../schedules/schedule.js';
import { createMuting } from '../../../watches/muting.js';
import type { DecidedPost } from '../../commit/index.js';
import type { ConditionOf, RelaySettings, Rule } from '../../record/settings.js';
import { postOf } from '../evaluate.js';
import { escalationOf, quietOf, silenceOf } from '../ready.js';
import { routePost } from '../route.js';
import type { DueSilence, SilenceDecision } from './table.js';

type SilenceCondition = ConditionOf<'silence'>;

/** The silences that active rules watch for. */
export function silencesFor(settings: Pick<RelaySettings, 'rules'>): readonly Omit<IncidentSubject, 'relayId'>[] {
  return settings.rules.flatMap((rule): Omit<IncidentSubject, 'relayId'>[] => {
    const { id, on: isOn } = rule;
    const silence = silenceOf(rule);
    if (!isOn || !silence) {
      return [];
    }
    const { of, ids } = silence;
    return of === 'relay' || ids.length === 0
      ? [{ ruleId: id, subject: 'relay', subjectId: '' }]
      : [...new Set(ids)].map((subjectId) => ({ ruleId: id, subject: of, subjectId }));
  });
}

const isHeldWhilePaused = postKinds.silence.whenPaused === 'later';
/** How long after its hours end a silence may still be posted: polls are not exact. */
const graceMs = 5 * 60_000;

/** Decides what to do about a due silence. */
export function checkSilence(
  silence: Omit<DueSilence, 'relay'> & { readonly relay: Pick<DueSilence['relay'], 'paused'> },
  settings: Pick<RelaySettings, 'rules'>,
  now: number,
): SilenceDecision {
  const { ruleId, subject, subjectId, since, alreadyPosted, relay, mutes } = silence;
  const rule = settings.rules.find(({ id, on }) => on && id === ruleId);
  const condition = rule && silenceOf(rule);
  if (!rule || !condition) {
    return { dueAt: never };
  }
  const nextDueAt = now + condition.minutes * 60_000;
  if (alreadyPosted || (relay.paused && isHeldWhilePaused)) {
    return { dueAt: nextDueAt };
  }
  const hours = createSchedule(condition.hours);
  const dueAt = silentAt(hours, condition, since);
  if (dueAt > now) {
    return { dueAt };
  }
  if (!hours.windowAt(now) && !hours.windowAt(now - graceMs)) {
    // The poll came too late: its hours are over, and nobody is on duty to act on the silence.
    return { dueAt: silentAt(hours, condition, now) };
  }
  const muting = createMuting(mutes);
  if (muting.stops('silence', rule.channel, ruleId)) {
    return { dueAt: nextDueAt, muted: muting.counted };
  }
  const incident = {
    ...{ kind: 'silence' as const, subject, subjectId, beganAt: since, scans: 0, tally: emptyTally, shows: [] },
    ...{ dueAt: hours.windowAt(now)?.to ?? now, ...escalationOf(rule, now) },
  };
  return {
    dueAt: nextDueAt,
    post: { ...alertPost(rule, condition, silence, now), incident },
  };
}

/** How often to check whether a paused relay was resumed. */
const lookAgainMs = 60_000;
/** The longest rest without a check, however far away the next watched hours are. */
const longestRestMs = 30 * 24 * 60 * 60_000;

/** Decides how a silence's alert goes on. Checks that were missed do not matter: its last posting counts. */
export function continueSilence(
  incident: Pick<
    Incident,
    'openedAt' | 'repostedAt' | 'restsUntil' | 'relayId' | 'subject' | 'subjectId' | 'beganAt' | 'resolved'
  >,
  rule: Rule,
  condition: SilenceCondition,
  { now, mutes, paused }: IncidentFactsNow,
): IncidentDecision<DecidedPost> {
  const { openedAt, repostedAt: postedAt = openedAt, restsUntil, beganAt } = incident;
  const hours = createSchedule(condition.hours);
  const currentWindow = hours.windowAt(now);
  const restSpan = { until: Math.min(hours.nextStart(now), now + longestRestMs), from: hours.windowAt(postedAt)?.to };
  const goesOn = currentWindow ? { dueAt: currentWindow.to } : { dueAt: restSpan.until, rest: restSpan };
  if (incident.resolved) {
    return goesOn;
  }
  const window = currentWindow ?? hours.windowAt(now - graceMs);
  // Hours around the clock have no beginning: the window found begins where the search did.
  const isLater = window !== undefined && window.from > postedAt && !hours.isOpen(window.from - 1);
  if (!window || !(isLater || (currentWindow && restsUntil !== undefined))) {
    return goesOn;
  }
  const spanMs = condition.minutes * 60_000;
  const dueAt = Math.min(window.from + spanMs, window.to);
  if (now < dueAt) {
    return { dueAt };
  }
  if (paused && isHeldWhilePaused) {
    return { dueAt: now + lookAgainMs };
  }
  const muting = createMuting(mutes);
  const muted = muting.stops('silence', rule.channel, rule.id);
  if (muted && muting.counted.length === 0) {
    return { dueAt: Math.min(now + spanMs, currentWindow?.to ?? now + spanMs) };
  }
  const post = muted ? {} : { post: alertPost(rule, condition, { ...incident, since: beganAt }, now) };
  return { dueAt: currentWindow?.to ?? now, again: { ...post, ...escalationOf(rule, now) }, muted: muting.counted };
}

/** The alert in the form in which its rule posts it now. */
function alertPost(
  rule: Rule,
  { minutes }: SilenceCondition,
  silence: Pick<Incident, 'relayId' | 'subject' | 'subjectId'> & { readonly since: number },
  now: number,
): DecidedPost {
  const { relayId, subject, subjectId, since } = silence;
  const post = postOf('silence', { rule, quiet: quietOf(rule) }, now);
  const id = subjectId === '' ? {} : { id: subjectId };
  return routePost(post, relayId, now, { silence: { of: subject, ...id, minutes, since } });
}

/** When the silence becomes long enough, if no scan comes after `since`. */
function silentAt(hours: Schedule, { minutes }: Pick<SilenceCondition, 'minutes'>, since: number): number {
  const span = minutes * 60_000;
  const window = hours.windowAt(since);
  if (window && since + span <= window.to) {
    return since + span;
  }
  const from = hours.nextStart(since);
  const next = hours.windowAt(from);
  return Math.min(from + span, next?.to ?? Number.POSITIVE_INFINITY);
}
