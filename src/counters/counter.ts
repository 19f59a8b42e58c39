/**
 * Counters within a commit: stored counts, plus the batch's scans so far, and the rows to write. Pure. Each subject
 * costs one read and one write by key. A value counted for the first time is counted among the stored scans.
 */
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

export interface CounterRow extends CounterName {
  readonly seen: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly accepted: number;
  readonly lastAcceptedAt: number | null;
}

/** An admission, at the moment at which its scan counts. */
export interface AdmissionRow extends CounterName {
  readonly at: number;
  readonly scanId: string;
}

/** The stored counters at the time of the commit. */
export interface StoredCounts {
  /** A stored counter; for a value without one, the count of its stored scans. */
  counter(name: CounterName): StoredCount | undefined;
  /** The number of admissions less than so many minutes before or after the moment. */
  admitted(name: CounterName, at: number, minutes: number): number;
}

export type StoredCount = Omit<CounterRow, keyof CounterName>;

export interface CountingRelay {
  readonly id: string;
  readonly counting: Counting;
}

export function createCounter(storedCounts: StoredCounts) {
  const storedRows = new Map<string, CounterRow | undefined>();
  const changedRows = new Map<string, CounterRow>();
  const admissions: AdmissionRow[] = [];
  const newMoments = new Map<string, number[]>();

  const namesOf = (relay: CountingRelay, subject: Subject, scan: CountedScan): readonly Name[] =>
    relay.counting[subject]
      ? countedKeys(subject, scan).map((counted) => ({ relayId: relay.id, subject, ...counted }))
      : [];

  const readRow = (name: CounterName): CounterRow | undefined => {
    const id = idOf(name);
    const changedRow = changedRows.get(id);
    if (changedRow || storedRows.has(id)) {
      return changedRow ?? storedRows.get(id);
    }
    const storedRow = storedCounts.counter(name);
    const { relayId, subject, key } = name;
    const row = storedRow && { ...storedRow, relayId, subject, key };
    storedRows.set(id, row);
    return row;
  };

  /** The last admission counts even if its moment was not stored, or its scan was deleted before moments were. */
  const admittedOf = (name: Name, at: number, minutes: number): number => {
    const lastAcceptedAt = readRow(name)?.lastAcceptedAt ?? undefined;
    if (lastAcceptedAt === undefined) {
      return 0;
    }
    const isNear = (moment: number) => isWithin(moment, at, minutes);
    const found = storedCounts.admitted(name, at, minutes) + (newMoments.get(idOf(name))?.filter(isNear).length ?? 0);
    return found === 0 && isNear(lastAcceptedAt) ? 1 : found;
  };

  const countOf = (counterName: Name): Count => {
    const row = readRow(counterName);
    if (!row) {
      return nothingCounted;
    }
    return {
      seen: row.seen,
      firstAt: row.firstAt,
      lastAt: row.lastAt,
      accepted: row.accepted,
      ...(row.lastAcceptedAt === null ? {} : { lastAcceptedAt: row.lastAcceptedAt }),
    };
  };

  const count = (relay: CountingRelay, subject: Subject, scan: CountedScan): Count =>
    namesOf(relay, subject, scan).map(countOf).reduce(sumOfCounts, nothingCounted);

  const addOne = (name: CounterName, at: number, isAccepted: boolean): void => {
    const { relayId, subject, key } = name;
    const row = readRow(name);
    changedRows.set(idOf(name), {
      relayId,
      subject,
      key,
      seen: (row?.seen ?? 0) + 1,
      firstAt: Math.min(row?.firstAt ?? at, at),
      lastAt: Math.max(row?.lastAt ?? at, at),
      accepted: (row?.accepted ?? 0) + (isAccepted ? 1 : 0),
      lastAcceptedAt: isAccepted ? Math.max(row?.lastAcceptedAt ?? at, at) : (row?.lastAcceptedAt ?? null),
    });
  };

  return {
    before: (relay: CountingRelay, scan: CountedScan): Counts => ({
      of: (subject) => count(relay, subject, scan),
      admitted: (subject, at, minutes) =>
        Math.max(0, ...namesOf(relay, subject, scan).map((name) => admittedOf(name, at, minutes))),
      ofRule: (rule) => ruleNames(relay, [rule], scan).map((name) => readRow(name)?.seen ?? 0)[0] ?? 0,
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
            admissions.push({ relayId: relay.id, subject, key: name.key, at, scanId: scan.id });
            const moments = newMoments.get(idOf(name)) ?? [];
            moments.push(at);
            newMoments.set(idOf(name), moments);
          }
        }
      }
    },

    get counters(): Iterable<CounterRow> {
      return changedRows.values();
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
function sumOfCounts(a: Count, b: Count): Count {
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
