/**
 * Admissions near the moments of a batch's scans, read in bulk. Scans of about the same moment share a count: however
 * many a limit allows, a batch that came at once counts them once. Few admissions lie at the edges of such windows.
 */
import type { Kysely } from 'kysely';
import { bulkStatement } from '../database/bulk.js';
import { leastId } from '../database/ids.js';
import type { Schema } from '../database/schema.js';
import { scanKey } from '../scans/key.js';
import { acceptedBetween } from '../scans/received/commit.js';
import { clocksDifferMs, isWithin } from './admissions.js';
import { type CounterName, idOf, type StoredCount, type StoredCounts } from './counter.js';

type Trx = Kysely<Schema>;

export interface AdmissionQuery extends CounterName {
  readonly spellings: readonly string[];
  readonly within: readonly number[];
  readonly since: number | undefined;
  /** The moments around which admissions are counted. */
  readonly moments: number[];
}

/** Scans of one subject from `first` to `last`, which count admissions within the same time. */
interface Group {
  readonly query: AdmissionQuery;
  readonly minutes: number;
  readonly first: number;
  last: number;
  /** The number of admissions within the time of all these scans. */
  shared: number;
  /** The moments of other admissions. */
  readonly others: number[];
}

const minuteMs = 60_000;
/** The longest span of a group: far less than the shortest time of a limit. */
const longestGroupMs = 1_000;

const nameColumns = { relay_id: 'text', subject: 'text', key: 'text' } as const;
const inRange = `admissions.relay_id = input.relay_id and admissions.subject = input.subject
  and admissions.key = input.key and admissions.at > input.after and admissions.at < input.before`;

const countAdmissions = bulkStatement(
  { ...nameColumns, after: 'bigint', before: 'bigint' },
  ({ input }) => `
    select input.n, count(*) as admitted from ${input} cross join admissions where ${inRange} group by input.n`,
);

const selectAdmissions = bulkStatement(
  { ...nameColumns, after: 'bigint', before: 'bigint' },
  ({ input }) => `select input.n, admissions.at from ${input} cross join admissions where ${inRange}`,
);

const selectStored = bulkStatement(
  { ...nameColumns, at: 'bigint', scan_id: 'text' },
  ({ input }) => `
    select input.n from ${input} cross join admissions
    where admissions.relay_id = input.relay_id and admissions.subject = input.subject
      and admissions.key = input.key and admissions.at = input.at and admissions.scan_id = input.scan_id`,
);

export async function readAdmissions(
  trx: Trx,
  queries: readonly AdmissionQuery[],
  counters: ReadonlyMap<string, StoredCount>,
): Promise<StoredCounts['admitted']> {
  const groups = new Map<string, Group[]>();
  for (const query of queries) {
    const lastAt = counters.get(idOf(query))?.lastAcceptedAt ?? Number.NEGATIVE_INFINITY;
    for (const minutes of query.within) {
      const groupsInReach = groupsOf(query, minutes).filter(({ first }) => lastAt > first - minutes * minuteMs);
      groups.set(`${idOf(query)}:${minutes}`, groupsInReach);
    }
  }
  await fillGroups(trx, [...groups.values()].flat());
  return (counted, at, minutes) => {
    const group = groups.get(`${idOf(counted)}:${minutes}`)?.find(({ first, last }) => first <= at && at <= last);
    return group ? group.shared + group.others.filter((other) => isWithin(other, at, minutes)).length : 0;
  };
}

function groupsOf(query: AdmissionQuery, minutes: number): Group[] {
  const groups: Group[] = [];
  for (const at of [...query.moments].sort((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group && at - group.first <= longestGroupMs) {
      group.last = at;
    } else {
      groups.push({ query, minutes, first: at, last: at, shared: 0, others: [] });
    }
  }
  return groups;
}

async function fillGroups(trx: Trx, groups: readonly Group[]): Promise<void> {
  const wholeRanges = groups.map((group) => rangeOf(group, group.last - msOf(group), group.first + msOf(group)));
  for (const { n, admitted } of await countAdmissions<{ n: number; admitted: number }>(trx, wholeRanges)) {
    groups[n]!.shared = admitted;
  }
  const edges = groups
    .filter(({ first, last }) => first < last)
    .flatMap((group) => [
      rangeOf(group, group.first - msOf(group), group.last - msOf(group) + 1),
      rangeOf(group, group.first + msOf(group) - 1, group.last + msOf(group)),
    ]);
  for (const { n, at } of await selectAdmissions<{ n: number; at: number }>(trx, edges)) {
    edges[n]!.group.others.push(at);
  }
  // Values were also admitted by scans that came before moments were stored.
  const unstored = groups.flatMap((group) => {
    const { query, first, last } = group;
    const upto = (query.since ?? Number.NEGATIVE_INFINITY) + clocksDifferMs;
    const range = rangeOf(group, first - msOf(group), last + msOf(group));
    return query.subject === 'value' && range.after < upto
      ? query.spellings.map((tid) => ({
          ...range,
          key: scanKey(tid),
          tid,
          upto,
          least: leastId(Math.max(0, range.after - clocksDifferMs)),
        }))
      : [];
  });
  const unstoredRows = await acceptedBetween<{ n: number; id: string; at: number }>(trx, unstored);
  const newAdmissions = unstoredRows.map(({ n, id, at }) => ({ group: unstored[n]!.group, scan_id: id, at }));
  const storedRows = await selectStored<{ n: number }>(
    trx,
    newAdmissions.map(({ group: { query }, ...scan }) => ({
      ...scan,
      relay_id: query.relayId,
      subject: query.subject,
      key: query.key,
    })),
  );
  const storedNumbers = new Set(storedRows.map(({ n }) => n));
  for (const [n, { group, at }] of newAdmissions.entries()) {
    if (!storedNumbers.has(n)) {
      group.others.push(at);
    }
  }
}

function msOf({ minutes }: Group): number {
  return minutes * minuteMs;
}

/** The condition on admissions between the two moments, without these. */
function rangeOf(group: Group, after: number, before: number) {
  const { relayId, subject, key } = group.query;
  return { group, relay_id: relayId, subject, key, after, before };
}
