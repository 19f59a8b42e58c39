/**
 * The alarm of a silence: no scan of a relay, device or service for n minutes within given hours. One alert lasts until
 * the next scan. It rests outside the hours and in the rule's quiet hours, and is posted again each day n minutes into
 * the hours, or at their end if they are shorter. Pure.
 */
import { never } from '../../../database/claims/due-rows.js';
import type { IncidentDecision } from '../../../incidents/alerting.js';
import type { Incident, IncidentSubject } from '../../../incidents/incident.js';
import { createSchedule, type Schedule, withoutHours } from '../../../schedules/schedule.js';
import type { ConditionOf, RelaySettings, Rule } from '../../record/settings.js';
import { quietOf, silenceOf } from '../ready.js';
import type { DueSilence, SilenceDecision } from './timer-rows.js';

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

/** How long after its hours end a silence may still be posted: polls are not exact. */
const graceMs = 5 * 60_000;

/** Decides what to do about a due silence. */
export function checkSilence(
  { ruleId, since, isOpen }: Pick<DueSilence, 'ruleId' | 'since' | 'isOpen'>,
  settings: Pick<RelaySettings, 'rules'>,
  now: number,
): SilenceDecision {
  const rule = settings.rules.find(({ id, on }) => on && id === ruleId);
  const condition = rule && silenceOf(rule);
  if (!rule || !condition) {
    return { dueAt: never };
  }
  const nextDueAt = now + condition.minutes * 60_000;
  if (isOpen) {
    return { dueAt: nextDueAt };
  }
  const hours = watchedHours(rule, condition);
  const dueAt = silentAt(hours, condition, since);
  if (dueAt > now) {
    return { dueAt };
  }
  return isInTime(hours, now) ? { dueAt: nextDueAt, opens: true } : { dueAt: silentAt(hours, condition, now) };
}

/** How an incident goes on. `wanted`: its alert may be posted now; `again`: also if it was delivered before. */
export interface GoingOn extends Pick<IncidentDecision<never>, 'rest' | 'update'> {
  readonly dueAt: number;
  readonly wanted: 'once' | 'again' | undefined;
}

/** The longest time without a check, however far away the end of the watched hours, or their next beginning, is. */
const longestUncheckedMs = 14 * 24 * 60 * 60_000;

/** Decides how a silence goes on. Checks that were missed do not matter: its last posting counts. */
export function continueSilence(
  { openedAt, repostedAt: postedAt = openedAt, restsUntil }: Pick<Incident, 'openedAt' | 'repostedAt' | 'restsUntil'>,
  rule: Rule,
  condition: SilenceCondition,
  now: number,
): GoingOn {
  const hours = watchedHours(rule, condition);
  const currentWindow = hours.windowAt(now);
  const inTime = (at: number) => Math.min(at, now + longestUncheckedMs);
  const restSpan = { until: inTime(hours.nextStart(now)), from: hours.windowAt(postedAt)?.to };
  const goesOn = currentWindow ? { dueAt: inTime(currentWindow.to) } : { dueAt: restSpan.until, rest: restSpan };
  const window = currentWindow ?? hours.windowAt(now - graceMs);
  // Hours around the clock have no beginning: the window found begins where the search did.
  const isLater = window !== undefined && window.from > postedAt && !hours.isOpen(window.from - 1);
  if (!window || !(isLater || (currentWindow && restsUntil !== undefined))) {
    return { ...goesOn, wanted: window && 'once' };
  }
  const dueAt = Math.min(window.from + condition.minutes * 60_000, window.to);
  return now < dueAt ? { dueAt, wanted: undefined } : { ...goesOn, wanted: 'again' };
}

/** Whether the rule waits for no scan now. */
export function isAtRest(rule: Rule, now: number): boolean {
  const condition = silenceOf(rule);
  const hours = condition && watchedHours(rule, condition);
  return hours !== undefined && !isInTime(hours, now);
}

/** A poll that comes after the hours is too late: nobody is on duty to act on the silence. */
function isInTime(hours: Schedule, now: number): boolean {
  return hours.isOpen(now) || hours.isOpen(now - graceMs);
}

/** The hours in which the rule waits for scans: those of its condition, less its quiet hours unless nothing is left. */
function watchedHours(rule: Rule, { hours }: SilenceCondition): Schedule {
  const watched = createSchedule(hours);
  const quiet = quietOf(rule);
  const remaining = quiet && withoutHours(watched, quiet);
  return remaining && Number.isFinite(remaining.nextStart(0)) ? remaining : watched;
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
