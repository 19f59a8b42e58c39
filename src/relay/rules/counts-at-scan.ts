/**
 * Counts at the time of a scan, stored so that a second submit evaluates the rules as they were then. They are stored
 * in the reply's JSON, only where rules that a second submit can match use counts, or depend on rules that do. Pure.
 */
import { z } from 'zod';
import type { Counts, Subject } from '../../counters/counters.js';
import { kindOf } from '../conditions/index.js';
import type { RelaySettings, Rule } from '../record/settings.js';
import { silenceOf } from './ready.js';

/** Adds the counts to a reply. @param reply JSON of the reply, if it is more than a text */
export type WriteCounts = (reply: string | undefined, counts: Counts) => string | undefined;

const storedShape = z.object({ seen: z.record(z.string(), z.number()).default({}) });

/** Whether a second submit can change whether the rule matches. */
export function needsSecondSubmit({ when, unless }: Pick<Rule, 'when' | 'unless'>): boolean {
  return [...when, ...unless].some((one) => kindOf(one).facts === 'answers' || kindOf(one).facts === 'properties');
}

export function createWriteCounts({ rules, match }: RelaySettings): WriteCounts {
  const activeRules = rules.filter((rule) => rule.on && silenceOf(rule) === undefined);
  const lateRules = activeRules.filter(needsSecondSubmit);
  // Where a match of one rule ends the evaluation, the counts of all rules matter.
  const usedRules = match === 'first' || activeRules.some(({ action }) => action === 'stop') ? activeRules : lateRules;
  const subjects = lateRules.length === 0 ? [] : [...new Set(usedRules.flatMap(countersOf))];
  if (subjects.length === 0) {
    return (reply) => reply;
  }
  return (reply, counts) => {
    const stored: object = reply === undefined ? {} : JSON.parse(reply);
    const seen = Object.fromEntries(subjects.map((subject) => [subject, counts.ofSubject(subject).seen]));
    return JSON.stringify({ ...stored, seen });
  };
}

/** The count of a subject; 0 if it is not stored or unreadable: a completed scan is stored in any case. */
export function countsAtScan(reply: string | undefined): (subject: Subject) => number {
  const seen = reply === undefined ? {} : parseCounts(reply);
  return (subject) => seen[subject] ?? 0;
}

function parseCounts(reply: string): Readonly<Record<string, number>> {
  try {
    return storedShape.parse(JSON.parse(reply)).seen;
  } catch {
    return {};
  }
}

function countersOf({ when, unless }: Rule): Subject[] {
  return [...when, ...unless].flatMap((one) => kindOf(one).counts?.(one) ?? []);
}
