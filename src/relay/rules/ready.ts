/**
 * Rules, compiled. A rule that counts (`nth` with other conditions, `burst`) counts the scans that meet all its other
 * conditions; `nth` alone uses the relay's own counters. Pure.
 */
import type { RuleCount } from '../../counters/counters.js';
import { areWholeWeek } from '../../schedules/hours.js';
import { createSchedule, type Schedule } from '../../schedules/schedule.js';
import type { ScanFacts } from '../conditions/condition.js';
import { type CountingCondition, isCombinable, kindOf } from '../conditions/index.js';
import { createGs1Reader } from '../conditions/parts/gs1.js';
import type { ConditionOf, RelaySettings, Rule } from '../record/settings.js';

export interface ReadyRule {
  readonly rule: Rule;
  /** Whether a scan meets all conditions but the one that counts, and no exception. */
  readonly matches: (facts: ScanFacts) => boolean;
  readonly counts: CountingCondition | undefined;
  readonly quiet: Schedule | undefined;
}

/** The rules that are on, compiled; those that wait for silences are left to the timers. */
export function readyRules(settings: RelaySettings): readonly ReadyRule[] {
  const context = {
    validates: settings.judging.kind !== 'accept',
    findsDuplicates: settings.duplicates !== undefined,
    gs1: createGs1Reader(),
  };
  return settings.rules
    .filter((rule) => rule.on && silenceOf(rule) === undefined)
    .map((rule) => {
      const counts = countingOf(rule);
      const all = rule.when.filter((one) => one !== counts).map((one) => kindOf(one).predicate(one, context));
      const none = rule.unless.map((one) => kindOf(one).predicate(one, context));
      const matches = (facts: ScanFacts) => all.every((one) => one(facts)) && !none.some((one) => one(facts));
      return { rule, matches, counts, quiet: quietOf(rule) };
    });
}

export function silenceOf({ when }: Pick<Rule, 'when'>): ConditionOf<'silence'> | undefined {
  return when.find((one) => one.kind === 'silence');
}

export function burstOf({ when }: Pick<Rule, 'when'>): ConditionOf<'burst'> | undefined {
  return when.find((one) => one.kind === 'burst');
}

/** The condition that counts the scans which meet the rule's other conditions. */
export function countingOf({ when, unless }: Pick<Rule, 'when' | 'unless'>): ReadyRule['counts'] {
  const alone = ![...when, ...unless].some(({ kind }) => isCombinable(kind));
  return when.find((one): one is CountingCondition => one.kind === 'burst' || (one.kind === 'nth' && !alone));
}

/** The counter of a rule that counts scans itself. */
export function ruleCountOf(rule: Rule): RuleCount | undefined {
  const counts = countingOf(rule);
  return counts?.kind === 'nth' ? { ruleId: rule.id, generation: rule.generation, of: counts.of } : undefined;
}

/** Quiet hours of the whole week, which an older version took, hold nothing: held posts would never be posted. */
export function quietOf({ quiet }: Pick<Rule, 'quiet'>) {
  return quiet && !areWholeWeek(quiet) ? createSchedule(quiet) : undefined;
}

/** When a digest that starts at `at` is due: never within quiet hours. */
export function collectedUntil(rule: Rule, at: number): number {
  const until = rule.how === 'digest' ? at + rule.digestMinutes * 60_000 : at;
  return quietOf(rule)?.windowAt(until)?.to ?? until;
}

/** When an unanswered incident escalates. */
export function escalationOf({ escalate }: Rule, openedAt: number): { readonly escalateAt?: number } {
  return escalate ? { escalateAt: openedAt + escalate.minutes * 60_000 } : {};
}
