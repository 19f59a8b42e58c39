/** Current counts for a relay's scans, as the relay's next commit would read them, for rule previews. */
import { fold } from '../../codereadr/barcode-equality.js';
import {
  type CountedScan,
  type RuleCount,
  ruleCounter,
  type Subject,
  subjects,
  withSameAs,
} from '../../counters/counters.js';
import type { MirrorState } from '../../mirror/index.js';
import type { ReceivedScan, Relay } from '../record/relay.js';
import type { RelaySettings } from '../record/settings.js';
import type { RelayStatusStore } from './status-table.js';

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

/** The counts of rules for these scans: by rule and scan, as a preview asks. */
export async function readRuleCounts(
  store: Pick<RelayStatusStore, 'ruleCounts'>,
  { owner, id }: Pick<Relay, 'owner' | 'id'>,
  rules: readonly RuleCount[],
  scans: readonly CountedScan[],
): Promise<ReadonlyMap<string, number>> {
  const counters = scans.flatMap((scan) => rules.flatMap((rule) => ruleCounter(rule, scan) ?? []));
  return counters.length === 0 ? new Map() : store.ruleCounts(owner, id, counters);
}

type ScanTotals = readonly [scan: ReceivedScan, totals: Readonly<Record<Subject, number | undefined>>];

export async function readCurrentCounts(
  store: Pick<RelayStatusStore, 'currentCounts'>,
  { owner, id }: Pick<Relay, 'owner' | 'id'>,
  scans: readonly ReceivedScan[],
  sameAs: (scan: ReceivedScan) => string | undefined,
): Promise<readonly ScanTotals[]> {
  const keys = scans.map((scan) => withSameAs(scan, sameAs(scan)));
  const bySubject = await Promise.all(
    subjects.map(async (subject) => [subject, await store.currentCounts(owner, id, subject, keys)] as const),
  );
  return scans.map((scan, at) => [
    scan,
    Object.fromEntries(bySubject.map(([subject, counts]) => [subject, counts[at]])) as ScanTotals[1],
  ]);
}
