/** Current counts for a relay's scans, as the relay's next commit would read them, for rule previews. */
import type { Kysely } from 'kysely';
import { fold } from '../../codereadr/barcode-equality.js';
import {
  type CountedScan,
  type RuleCount,
  ruleCounter,
  type Subject,
  subjects,
  withSameAs,
} from '../../counters/counters.js';
import { countedBy, countedByRules } from '../../counters/read-counters.js';
import type { Schema } from '../../database/schema.js';
import type { MirrorState } from '../../mirror/index.js';
import type { ReceivedScan, Relay } from '../record/relay.js';
import type { RelaySettings } from '../record/settings.js';

/** The counting keys of values, as far as the databases are known. */
export function sameAsBy(
  judging: RelaySettings['judging'],
  mirrors: readonly MirrorState[],
): (scan: Pick<ReceivedScan, 'tid'>) => string | undefined {
  if (judging.kind === 'list') {
    return ({ tid }) => (judging.exact ? undefined : fold(tid));
  }
  const ignoresCase = judging.kind === 'database' && !mirrors.some(({ caseSensitive }) => caseSensitive);
  return ({ tid }) => (ignoresCase ? tid.toLowerCase() : undefined);
}

/** The counts of rules for these scans, by the counter's name (`ruleCounterName`). */
export async function readRuleCounts(
  db: Kysely<Schema>,
  { owner, id: relayId }: Pick<Relay, 'owner' | 'id'>,
  rules: readonly RuleCount[],
  scans: readonly CountedScan[],
): Promise<ReadonlyMap<string, number>> {
  const counters = scans.flatMap((scan) => rules.flatMap((rule) => ruleCounter(rule, scan) ?? []));
  return countedByRules(db, { owner, relayId }, counters);
}

type ScanTotals = readonly [scan: ReceivedScan, totals: Readonly<Record<Subject, number | undefined>>];

export async function readCurrentCounts(
  db: Kysely<Schema>,
  { owner, id: relayId }: Pick<Relay, 'owner' | 'id'>,
  scans: readonly ReceivedScan[],
  sameAs: (scan: ReceivedScan) => string | undefined,
): Promise<readonly ScanTotals[]> {
  const keys = scans.map((scan) => withSameAs(scan, sameAs(scan)));
  const bySubject = await Promise.all(
    subjects.map(async (subject) => [subject, await countedBy(db, { owner, relayId, subject }, keys)] as const),
  );
  return scans.map((scan, at) => [
    scan,
    Object.fromEntries(bySubject.map(([subject, counts]) => [subject, counts[at]])) as ScanTotals[1],
  ]);
}
