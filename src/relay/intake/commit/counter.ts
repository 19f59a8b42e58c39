/**
 * Counters within a commit: stored counts, plus the batch's scans so far, and the rows to write. Pure. Each subject
 * costs one read and one write by key. A value counted for the first time is looked for among the stored scans.
 */
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
} from '../../scans/counters.js';

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

/** An acceptance whose moment is stored; those `last` and more before it are deleted. */
export interface AcceptanceRow extends CounterName {
  readonly n: number;
  readonly at: number;
  readonly last: number;
}

/** The stored counters at the time of the commit. */
export interface StoredCounts {
  /** Of a value without a counter: as its stored scans say. */
  counter(name: CounterName): StoredCount | undefined;
  /** When the n-th scan of a subject was accepted, if stored. */
  acceptedAt(name: CounterName, n: number): number | undefined;
  /** The same from the relay's scans, for values accepted before moments were stored: newest first. */
  lastAccepted(name: CounterName): readonly number[];
}

export type StoredCount = Omit<CounterRow, keyof CounterName>;

export interface ScanCounter {
  before(relay: CountingRelay, scan: CountedScan): Counts;
  /** Counts the scan. `at`: the moment it counts at. `rules`: those that count it too. */
  add(
    relay: CountingRelay,
    scan: CountedScan,
    outcome: { at: number; accepted: boolean; rules?: readonly RuleCount[] | undefined },
  ): void;
  readonly counters: Iterable<CounterRow>;
  readonly acceptances: readonly AcceptanceRow[];
}

export interface CountingRelay {
  readonly id: string;
  readonly counting: Counting;
}

export function createCounter(stored: StoredCounts): ScanCounter {
  const known = new Map<string, CounterRow | undefined>();
  const changed = new Map<string, CounterRow>();
  const acceptances: AcceptanceRow[] = [];
  const fresh = new Map<string, number>();

  const namesOf = (relay: CountingRelay, subject: Subject, scan: CountedScan): readonly Name[] =>
    relay.counting[subject]
      ? countedKeys(subject, scan).map((counted) => ({ relayId: relay.id, subject, ...counted }))
      : [];

  const read = (name: CounterName): CounterRow | undefined => {
    const id = idOf(name);
    const own = changed.get(id);
    if (own || known.has(id)) {
      return own ?? known.get(id);
    }
    const found = stored.counter(name);
    const { relayId, subject, key } = name;
    const row = found && { ...found, relayId, subject, key };
    known.set(id, row);
    return row;
  };

  const nthAcceptedAt = (name: Name, row: CounterRow, last: number | undefined): number | undefined => {
    if (last === undefined || row.accepted < last) {
      return undefined;
    }
    const n = row.accepted - last + 1;
    const remembered = fresh.get(`${idOf(name)}:${n}`) ?? stored.acceptedAt(name, n);
    if (remembered !== undefined || name.subject !== 'value') {
      return remembered;
    }
    const before = known.get(idOf(name))?.accepted ?? 0;
    return stored.lastAccepted(name)[before - n];
  };

  const countOf = (name: Name, last: number | undefined): Count => {
    const row = read(name);
    if (!row) {
      return nothingCounted;
    }
    const nth = nthAcceptedAt(name, row, last);
    return {
      seen: row.seen,
      firstAt: row.firstAt,
      lastAt: row.lastAt,
      accepted: row.accepted,
      ...(row.lastAcceptedAt === null ? {} : { lastAcceptedAt: row.lastAcceptedAt }),
      ...(nth === undefined ? {} : { nthAcceptedAt: nth }),
    };
  };

  const count = (relay: CountingRelay, subject: Subject, scan: CountedScan): Count => {
    const last = relay.counting[subject]?.last;
    return namesOf(relay, subject, scan)
      .map((name) => countOf(name, last))
      .reduce(united, nothingCounted);
  };

  const addOne = (name: CounterName, at: number, accepted: boolean): number => {
    const { relayId, subject, key } = name;
    const row = read(name);
    const counted = (row?.accepted ?? 0) + (accepted ? 1 : 0);
    changed.set(idOf(name), {
      relayId,
      subject,
      key,
      seen: (row?.seen ?? 0) + 1,
      firstAt: Math.min(row?.firstAt ?? at, at),
      lastAt: Math.max(row?.lastAt ?? at, at),
      accepted: counted,
      lastAcceptedAt: accepted ? Math.max(row?.lastAcceptedAt ?? at, at) : (row?.lastAcceptedAt ?? null),
    });
    return counted;
  };

  return {
    before: (relay, scan) => ({
      of: (subject) => count(relay, subject, scan),
      ofRule: (rule) => ruleNames(relay, [rule], scan).map((name) => read(name)?.seen ?? 0)[0] ?? 0,
    }),

    add(relay, scan, { at, accepted, rules = [] }) {
      for (const name of ruleNames(relay, rules, scan)) {
        addOne(name, at, accepted);
      }
      for (const subject of subjects) {
        const last = relay.counting[subject]?.last;
        for (const name of namesOf(relay, subject, scan)) {
          const { relayId, key } = name;
          const counted = addOne(name, at, accepted);
          if (accepted && last !== undefined) {
            acceptances.push({ relayId, subject, key, n: counted, at, last });
            fresh.set(`${idOf(name)}:${counted}`, at);
          }
        }
      }
    },

    get counters() {
      return changed.values();
    },
    acceptances,
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
 * Joins the counts by a scan's own spelling and by its counting key. One may have been counted for longer: neither has
 * more than there were.
 */
function united(a: Count, b: Count): Count {
  if (a.seen === 0 || b.seen === 0) {
    return a.seen === 0 ? b : a;
  }
  const [most, least] = b.accepted > a.accepted ? [b, a] : [a, b];
  const lastAcceptedAt = latest(most.lastAcceptedAt, least.lastAcceptedAt);
  const nthAcceptedAt = latest(most.nthAcceptedAt, least.nthAcceptedAt);
  return {
    seen: Math.max(a.seen, b.seen),
    accepted: most.accepted,
    ...(a.firstAt === undefined || b.firstAt === undefined ? {} : { firstAt: Math.min(a.firstAt, b.firstAt) }),
    ...(a.lastAt === undefined || b.lastAt === undefined ? {} : { lastAt: Math.max(a.lastAt, b.lastAt) }),
    ...(lastAcceptedAt === undefined ? {} : { lastAcceptedAt }),
    ...(nthAcceptedAt === undefined ? {} : { nthAcceptedAt }),
  };
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** The scans of one more spelling, counted together. */
export function withCount(before: StoredCount | undefined, more: StoredCount): StoredCount {
  if (before === undefined) {
    return more;
  }
  const moments = [before.lastAcceptedAt, more.lastAcceptedAt].filter((at) => at !== null);
  return {
    seen: before.seen + more.seen,
    firstAt: Math.min(before.firstAt, more.firstAt),
    lastAt: Math.max(before.lastAt, more.lastAt),
    accepted: before.accepted + more.accepted,
    lastAcceptedAt: moments.length === 0 ? null : Math.max(...moments),
  };
}

/** No relay's id and no subject holds a colon. */
export function idOf({ relayId, subject, key }: CounterName): string {
  return `${relayId}:${subject}:${key}`;
}
