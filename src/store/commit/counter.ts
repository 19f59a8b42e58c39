/**
 * Owns counting within a commit: what was read of the subjects, what the scans of this very batch have added since, and what
 * is to be written. Pure; the two databases tell it what is stored.
 *
 * What a scan costs, for each subject that its relay counts: one row read by its key and one written, O(log rows), however
 * many scans there were; with `last` one more of each. A value that is counted for the first time is looked for among the
 * relay's stored scans, once, by their index. Other subjects count from when the relay began to.
 */
import {
  type Count,
  type CountedScan,
  type Counting,
  type Counts,
  countKey,
  nothingCounted,
  type Subject,
  subjects,
} from '../counting.js';

/** One counter. */
export interface CounterName {
  readonly relayId: string;
  readonly subject: Subject;
  readonly key: string;
}

/** A row. */
export interface CounterRow extends CounterName {
  readonly seen: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly accepted: number;
  readonly lastAcceptedAt: number | null;
}

/** An acceptance whose moment is remembered; those `last` and more before it are forgotten. */
export interface AcceptanceRow extends CounterName {
  readonly n: number;
  readonly at: number;
  readonly last: number;
}

/** What is stored, as it is at the commit. */
export interface StoredCounts {
  /** @param tid the value's own spelling, for the look among the scans. */
  counter(name: CounterName, tid: string): StoredCount | undefined;
  /** When the n-th scan of a subject was accepted, where that is remembered. */
  acceptedAt(name: CounterName, n: number): number | undefined;
  /** The same from the relay's scans, for values that were accepted before anybody remembered: the newest first. */
  lastAccepted(name: CounterName, tid: string, last: number): readonly number[];
}

export type StoredCount = Omit<CounterRow, keyof CounterName>;

export interface Counter {
  before(relay: CountingRelay, scan: CountedScan): Counts;
  /** Counts the scan in. `at`: the moment it counts at. */
  add(relay: CountingRelay, scan: CountedScan, outcome: { at: number; accepted: boolean }): void;
  readonly counters: Iterable<CounterRow>;
  readonly acceptances: readonly AcceptanceRow[];
}

export interface CountingRelay {
  readonly id: string;
  readonly counting: Counting;
}

export function createCounter(stored: StoredCounts): Counter {
  const known = new Map<string, CounterRow | undefined>();
  const changed = new Map<string, CounterRow>();
  const acceptances: AcceptanceRow[] = [];
  const fresh = new Map<string, number>();

  const nameOf = (relay: CountingRelay, subject: Subject, scan: CountedScan): CounterName | undefined => {
    const key = relay.counting[subject] && countKey(subject, scan);
    return key === undefined ? undefined : { relayId: relay.id, subject, key };
  };

  const read = (name: CounterName, tid: string): CounterRow | undefined => {
    const id = idOf(name);
    const own = changed.get(id);
    if (own || known.has(id)) {
      return own ?? known.get(id);
    }
    const found = stored.counter(name, tid);
    const row = found && { ...found, ...name };
    known.set(id, row);
    return row;
  };

  const nthAcceptedAt = (
    name: CounterName,
    tid: string,
    row: CounterRow,
    last: number | undefined,
  ): number | undefined => {
    if (last === undefined || row.accepted < last) {
      return undefined;
    }
    const n = row.accepted - last + 1;
    const remembered = fresh.get(`${idOf(name)}:${n}`) ?? stored.acceptedAt(name, n);
    if (remembered !== undefined || name.subject !== 'value') {
      return remembered;
    }
    const before = known.get(idOf(name))?.accepted ?? 0;
    return stored.lastAccepted(name, tid, last)[before - n];
  };

  const count = (relay: CountingRelay, subject: Subject, scan: CountedScan): Count => {
    const name = nameOf(relay, subject, scan);
    const row = name && read(name, scan.tid);
    if (!name || !row) {
      return nothingCounted;
    }
    const nth = nthAcceptedAt(name, scan.tid, row, relay.counting[subject]?.last);
    return {
      seen: row.seen,
      firstAt: row.firstAt,
      lastAt: row.lastAt,
      accepted: row.accepted,
      ...(row.lastAcceptedAt === null ? {} : { lastAcceptedAt: row.lastAcceptedAt }),
      ...(nth === undefined ? {} : { nthAcceptedAt: nth }),
    };
  };

  return {
    before: (relay, scan) => ({ of: (subject) => count(relay, subject, scan) }),

    add(relay, scan, { at, accepted }) {
      for (const subject of subjects) {
        const name = nameOf(relay, subject, scan);
        if (!name) {
          continue;
        }
        const row = read(name, scan.tid);
        const counted = (row?.accepted ?? 0) + (accepted ? 1 : 0);
        changed.set(idOf(name), {
          ...name,
          seen: (row?.seen ?? 0) + 1,
          firstAt: Math.min(row?.firstAt ?? at, at),
          lastAt: Math.max(row?.lastAt ?? at, at),
          accepted: counted,
          lastAcceptedAt: accepted ? Math.max(row?.lastAcceptedAt ?? at, at) : (row?.lastAcceptedAt ?? null),
        });
        const last = relay.counting[subject]?.last;
        if (accepted && last !== undefined) {
          acceptances.push({ ...name, n: counted, at, last });
          fresh.set(`${idOf(name)}:${counted}`, at);
        }
      }
    },

    get counters() {
      return changed.values();
    },
    acceptances,
  };
}

/** No relay's id and no subject holds a colon. */
export function idOf({ relayId, subject, key }: CounterName): string {
  return `${relayId}:${subject}:${key}`;
}
