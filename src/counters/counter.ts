/**
 * Counters within a commit: stored counts, plus the batch's scans so far, and the rows to write. Pure. Each subject
 * costs one read and one write by key. A value counted for the first time is counted among the stored scans.
 */
import type { AdmissionsTable } from '../database/schema.js';
import { isWithin } from './admissions.js';
import {
  type Count,
  type CountedKey,
  type CountedScan,
  type Counting,
  type Counts,
  countedKeys,
  nothingCounted,
  type RuleCount,
  type RuleCounter,
  ruleCounter,
  type Subject,
  subjects,
} from './counters.js';

export interface CounterName {
  readonly relayId: string;
  readonly subject: Subject | RuleCounter['subject'];
  readonly key: string;
}

/** The stored counters at the time of the commit. */
export interface StoredCounts {
  /** The stored counter; of a value that has no counter, the count of its stored scans. */
  counter(name: CounterName): StoredCount | undefined;
  /** The number of admissions less than so many minutes before or after the moment. */
  admitted(name: CounterName, at: number, minutes: number): number;
}

export type StoredCount = Count & { readonly firstAt: number; readonly lastAt: number };

/** A counter after the batch's scans. */
export interface ChangedCounter {
  readonly name: CounterName;
  readonly count: StoredCount;
}

export interface CountingRelay {
  readonly id: string;
  readonly counting: Counting;
}

export function createCounter(storedCounts: StoredCounts) {
  const changed = new Map<string, ChangedCounter>();
  /** Each admission, at the moment at which its scan counts. */
  const admissions: AdmissionsTable[] = [];
  const newMoments = new Map<string, number[]>();

  const namesOf = (relay: CountingRelay, subject: Subject, scan: CountedScan): readonly Name[] =>
    relay.counting[subject]
      ? countedKeys(subject, scan).map((counted) => ({ relayId: relay.id, subject, ...counted }))
      : [];

  const countOf = (name: CounterName): StoredCount | undefined =>
    changed.get(idOf(name))?.count ?? storedCounts.counter(name);

  /** The last admission counts even if its moment was not stored, or its scan was deleted before moments were kept. */
  const admittedOf = (name: Name, at: number, minutes: number): number => {
    const lastAcceptedAt = countOf(name)?.lastAcceptedAt;
    if (lastAcceptedAt === undefined) {
      return 0;
    }
    const isNear = (moment: number) => isWithin(moment, at, minutes);
    const found = storedCounts.admitted(name, at, minutes) + (newMoments.get(idOf(name))?.filter(isNear).length ?? 0);
    return found === 0 && isNear(lastAcceptedAt) ? 1 : found;
  };

  const count = (relay: CountingRelay, subject: Subject, scan: CountedScan): Count =>
    namesOf(relay, subject, scan).reduce((joined, name) => joinedCounts(joined, countOf(name)), nothingCounted);

  const addOne = (name: CounterName, at: number, isAccepted: boolean): void => {
    const before = countOf(name);
    const count = {
      seen: (before?.seen ?? 0) + 1,
      firstAt: Math.min(before?.firstAt ?? at, at),
      lastAt: Math.max(before?.lastAt ?? at, at),
      accepted: (before?.accepted ?? 0) + (isAccepted ? 1 : 0),
      lastAcceptedAt: isAccepted ? Math.max(before?.lastAcceptedAt ?? at, at) : before?.lastAcceptedAt,
    };
    changed.set(idOf(name), { name, count });
  };

  return {
    before: (relay: CountingRelay, scan: CountedScan): Counts => ({
      ofSubject: (subject) => count(relay, subject, scan),
      admitted: (subject, at, minutes) =>
        Math.max(0, ...namesOf(relay, subject, scan).map((name) => admittedOf(name, at, minutes))),
      ofRule: (rule) => ruleNames(relay, [rule], scan).map((name) => countOf(name)?.seen)[0] ?? 0,
    }),

    /** Counts the scan. `at`: the moment at which the scan counts. `rules`: the rules that count the scan too. */
    add(
      relay: CountingRelay,
      scan: CountedScan & { readonly id: string },
      { at, accepted, rules = [] }: { at: number; accepted: boolean; rules?: readonly RuleCount[] | undefined },
    ): void {
      for (const name of ruleNames(relay, rules, scan)) {
        addOne(name, at, accepted);
      }
      for (const subject of subjects) {
        for (const name of namesOf(relay, subject, scan)) {
          addOne(name, at, accepted);
          if (accepted && relay.counting[subject]?.within) {
            admissions.push({ relay_id: relay.id, subject, key: name.key, at, scan_id: scan.id });
            const moments = newMoments.get(idOf(name)) ?? [];
            moments.push(at);
            newMoments.set(idOf(name), moments);
          }
        }
      }
    },

    get counters(): Iterable<ChangedCounter> {
      return changed.values();
    },
    admissions,
  };
}

type Name = CounterName & CountedKey & { readonly subject: Subject };

/** The counters of rules that the scan belongs to. */
export function ruleNames(
  { id: relayId }: Pick<CountingRelay, 'id'>,
  rules: readonly RuleCount[],
  scan: CountedScan,
): readonly CounterName[] {
  return rules.flatMap((rule) => {
    const counter = ruleCounter(rule, scan);
    return counter ? [{ relayId, ...counter }] : [];
  });
}

/**
 * Joins the counts by a scan's own spelling and by its counting key. One of the two may be older; neither is more than
 * the true count.
 */
function joinedCounts(a: Count, b: Count = nothingCounted): Count {
  if (a.seen === 0 || b.seen === 0) {
    return a.seen === 0 ? b : a;
  }
  const [most, least] = b.accepted > a.accepted ? [b, a] : [a, b];
  const lastAcceptedAt = latest(most.lastAcceptedAt, least.lastAcceptedAt);
  return {
    seen: Math.max(a.seen, b.seen),
    accepted: most.accepted,
    ...(a.firstAt === undefined || b.firstAt === undefined ? {} : { firstAt: Math.min(a.firstAt, b.firstAt) }),
    ...(a.lastAt === undefined || b.lastAt === undefined ? {} : { lastAt: Math.max(a.lastAt, b.lastAt) }),
    ...(lastAcceptedAt === undefined ? {} : { lastAcceptedAt }),
  };
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** The key of a counter in maps: no relay's id and no subject holds a colon. */
export function idOf({ relayId, subject, key }: CounterName): string {
  return `${relayId}:${subject}:${key}`;
}
