/**
 * Counter definitions: the subjects a relay counts its scans by, and what a counter holds. Counting starts with the
 * first setting that needs it and never stops, so counts stay exact when settings change.
 */
import { z } from 'zod';
import { indexKey } from '../database/index-key.js';

export const subjects = ['value', 'device', 'user', 'service', 'relay'] as const;
export type Subject = (typeof subjects)[number];

/** The field of a scan that identifies each of its subjects. */
export const fieldOf = { value: 'tid', device: 'udid', user: 'userid', service: 'sid' } as const;

/** The parts of a scan that identify its subjects. */
export interface CountedScan {
  readonly tid: string;
  readonly sid?: string;
  readonly userid?: string;
  readonly udid?: string;
  /** The value's counting key, if that is not the value itself: a database may treat `abc` and `ABC` as one. */
  readonly sameAs?: string;
}

export interface CountingRule {
  readonly ruleId: string;
  /** Set if counters of an earlier rule with that id were still stored when the rule was made. */
  readonly generation?: number | undefined;
}

/** A rule that counts the scans that meet its conditions, by a subject. */
export interface RuleCount extends CountingRule {
  readonly of: Subject;
}

/** A rule's own counter, stored beside the relay's counters under a subject of its own. */
export interface RuleCounter {
  readonly subject: `rule.${string}.${Subject}`;
  readonly key: string;
}

/** The rule's counter for a scan; undefined if the scan does not have the subject. */
export function ruleCounter(rule: RuleCount, scan: CountedScan): RuleCounter | undefined {
  const key = countKey(rule.of, scan);
  return key === undefined ? undefined : { subject: ruleSubject(rule, rule.of), key };
}

export function ruleSubject({ ruleId, generation = 0 }: CountingRule, subject: Subject): RuleCounter['subject'] {
  return `rule.${ruleId}${generation === 0 ? '' : `~${generation}`}.${subject}`;
}

/** All subjects by which a rule may have counted. */
export function ruleSubjects(rule: CountingRule): readonly RuleCounter['subject'][] {
  return subjects.map((subject) => ruleSubject(rule, subject));
}

export function ruleCounterName(counter: RuleCounter | undefined): string {
  return counter ? `${counter.subject} ${counter.key}` : '';
}

export interface SubjectCounting {
  /** The times, in minutes, within which settings count admissions; if set, the moment of each admission is stored. */
  readonly within?: readonly number[];
  /** Since when moments are stored; unset: since the relay was created. */
  readonly since?: number;
}

export type Counting = { readonly [Name in Subject]?: SubjectCounting };

export const countingShape: z.ZodType<Counting> = z.partialRecord(
  z.enum(subjects),
  z.object({ within: z.array(z.number().int().min(1)).min(1).optional(), since: z.number().optional() }),
) as z.ZodType<Counting>;

/** The counts of a subject before this scan. Moments are milliseconds. */
export interface Count {
  /** The number of scans, of any result. */
  readonly seen: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** The number of valid scans. */
  readonly accepted: number;
  readonly lastAcceptedAt?: number;
}

export const nothingCounted: Count = { seen: 0, accepted: 0 };

/** Counts that a commit gives to a decision. They are exact, since other writers wait until the commit is done. */
export interface Counts {
  /** The count of the scan's subject; zero if the scan does not have the subject, or the relay does not count it. */
  ofSubject(subject: Subject): Count;
  /**
   * Admissions of the scan's subject less than so many minutes before or after the moment at which the scan counts, in
   * whatever order they came. `minutes`: one of the relay's `within`.
   */
  admitted(subject: Subject, at: number, minutes: number): number;
  /** How many scans a rule counted. */
  ofRule(rule: RuleCount): number;
}

/**
 * The key that the scan counts under; undefined if the scan does not have the subject. The key of a single value never
 * equals a key of values counted together.
 */
export function countKey(subject: Subject, scan: CountedScan): string | undefined {
  const { tid, sameAs } = scan;
  if (subject === 'value' && sameAs !== undefined && (tid !== sameAs || sameAs.toUpperCase() !== sameAs)) {
    return `~${indexKey(sameAs)}`;
  }
  const text = subject === 'relay' ? '' : scan[fieldOf[subject]];
  return text === undefined ? undefined : indexKey(text);
}

/** The scan with the value by which it is counted. */
export function withSameAs<Scan extends CountedScan>(scan: Scan, sameAs: string | undefined): Scan & CountedScan {
  return sameAs === undefined ? scan : { ...scan, sameAs };
}

/** A key that a scan counts under. */
export interface CountedKey {
  readonly key: string;
  /** The spellings by which a value's uncounted scans are found. */
  readonly spellings: readonly string[];
}

/**
 * All keys of a scan. A value that counts together with others is counted by its own spelling as well: a database that
 * treats them as one today may not tomorrow.
 */
export function countedKeys(subject: Subject, scan: CountedScan): readonly CountedKey[] {
  const key = countKey(subject, scan);
  if (key === undefined) {
    return [];
  }
  const { tid, sameAs } = scan;
  const own = subject === 'value' ? indexKey(tid) : key;
  const alone = { key: own, spellings: [tid] };
  return key === own || sameAs === undefined ? [alone] : [alone, { key, spellings: spellingsOf(tid, sameAs) }];
}

/** The spellings in which a barcode is printed and typed, as no index finds mixed case; one for a barcode of digits. */
function spellingsOf(tid: string, sameAs: string): readonly string[] {
  return [...new Set([tid, sameAs, upperCase(sameAs), tid.toLowerCase(), upperCase(tid)])];
}

/** The text in upper case, letter by letter: `ß` stays, since `SS` may be another value. */
function upperCase(text: string): string {
  const upperLetter = (letter: string): string => {
    const upper = letter.toUpperCase();
    return upper.toLowerCase() === letter.toLowerCase() ? upper : letter;
  };
  return Array.from(text, upperLetter).join('');
}

/** The counting of a relay that needs `addend` from now on. */
export function addCounting(before: Counting, addend: Counting, now: number): Counting {
  return Object.fromEntries(
    subjects
      .filter((subject) => before[subject] !== undefined || addend[subject] !== undefined)
      .map((subject) => [subject, withSince(before[subject], addend[subject]?.within, now)]),
  );
}

/** A subject's counting. `since` is now for a longer time than before, which needs older moments than are stored. */
function withSince(before: SubjectCounting | undefined, within: SubjectCounting['within'], now: number) {
  if (within === undefined) {
    return {};
  }
  const since = Math.max(...within) > Math.max(0, ...(before?.within ?? [])) ? now : before?.since;
  return since === undefined ? { within } : { within, since };
}
