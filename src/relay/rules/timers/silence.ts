/**
 * Silence alarm: no scan of a relay, device or service for n minutes within given hours; posted once until the next
 * scan. Each day's hours start anew: hours shorter than n minutes count as silent if they end without a scan. Pure.
 */

import { emptyTally } from '../../incidents/tally.js';
import type { ConditionOf, RelaySettings } from '../../relays/settings.js';
import { createMuting } from '../muting.js';
import { escalationOf, silenceOf } from '../ready.js';
import { routed } from '../route.js';
import { createSchedule, type Schedule } from '../schedule.js';
import type { DueSilence, Silence, SilenceDecision } from './table.js';

type SilenceCondition = ConditionOf<'silence'>;

/** The silences that active rules watch for. */
export function silencesFor(settings: RelaySettings): readonly Omit<Silence, 'relayId'>[] {
  return settings.rules.flatMap((rule): Omit<Silence, 'relayId'>[] => {
    const { id, on } = rule;
    const silence = silenceOf(rule);
    if (!on || !silence) {
      return [];
    }
    const { of, ids } = silence;
    return of === 'relay' || ids.length === 0
      ? [{ ruleId: id, subject: 'relay', subjectId: '' }]
      : [...new Set(ids)].map((subjectId) => ({ ruleId: id, subject: of, subjectId }));
  });
}

/** A silence is posted at most this long after its hours end: polls are not exact. */
const graceMs = 5 * 60_000;

/** Decides what to do about a due silence. */
export function checkSilence(silence: DueSilence, settings: RelaySettings, now: number): SilenceDecision {
  const { ruleId, relayId, subject, subjectId, since, alreadyPosted, relay, mutes } = silence;
  const rule = settings.rules.find(({ id, on }) => on && id === ruleId);
  const when = rule && silenceOf(rule);
  if (!rule || !when) {
    return { dueAt: Number.MAX_SAFE_INTEGER };
  }
  const { quiet } = rule;
  const again = now + when.minutes * 60_000;
  if (alreadyPosted || relay.paused) {
    return { dueAt: again };
  }
  const hours = createSchedule(when.hours);
  const due = silentAt(hours, when, since);
  if (due > now) {
    return { dueAt: due };
  }
  if (!hours.windowAt(now) && !hours.windowAt(now - graceMs)) {
    // The poll came too late: nobody is there any more to act on it.
    return { dueAt: silentAt(hours, when, now) };
  }
  const { channel, mention, how } = rule;
  const muting = createMuting(mutes);
  if (muting.stops(channel, ruleId)) {
    return { dueAt: again, muted: muting.counted };
  }
  const post = {
    ...{ kind: 'silence' as const, channel, rules: [rule], watchers: [], mention, how },
    quiet: quiet !== undefined && createSchedule(quiet).windowAt(now) !== undefined,
  };
  const id = subjectId === '' ? {} : { id: subjectId };
  const detail = { silence: { of: subject, ...id, minutes: when.minutes, since } };
  const incident = {
    ...{
      kind: 'silence' as const,
      subject,
      subjectId,
      beganAt: since,
      scans: 0,
      tally: emptyTally,
      ...escalationOf(rule, now),
    },
    // One that is found at the very end of its hours goes on in the next ones.
    ...{ dueAt: (hours.windowAt(now) ?? hours.windowAt(hours.nextFrom(now)))?.to ?? now, shows: [] },
  };
  return { dueAt: again, post: { ...routed(post, relayId, now, detail), incident } };
}

/** When the silence is long enough if no scan comes after `since`. */
function silentAt(hours: Schedule, { minutes }: Pick<SilenceCondition, 'minutes'>, since: number): number {
  const span = minutes * 60_000;
  const window = hours.windowAt(since);
  if (window && since + span <= window.to) {
    return since + span;
  }
  const from = hours.nextFrom(since);
  const next = hours.windowAt(from);
  return Math.min(from + span, next?.to ?? Number.POSITIVE_INFINITY);
}
