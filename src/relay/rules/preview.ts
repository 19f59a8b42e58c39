/**
 * Preview of rules on a relay's latest scans, by the same evaluation as in the commit. Silence alarms are counted in
 * `preview-incidents.ts`. A subject without stored counts is counted from the first of these scans. A long preview
 * frees the event loop now and then.
 */
import type { NamesOfScan } from '../../codereadr/names.js';
import {
  fieldOf,
  type RuleCount,
  ruleCounter,
  ruleCounterName,
  type Subject,
  subjects,
  withSameAs,
} from '../../counters/counters.js';
import { createTurns } from '../../in-turns.js';
import type { BurstChange } from '../../incidents/batch-changes.js';
import { type MuteFact, mutesAfter, type WatchFact } from '../../watches/facts.js';
import { acceptsService, type ReceivedScan } from '../record/relay.js';
import type { RelaySettings } from '../record/settings.js';
import { createEvaluate, type DefaultRule, type NotablePost } from './evaluate.js';
import { ruleCountOf } from './ready.js';

export interface PreviewInput {
  readonly settings: RelaySettings;
  readonly relay: DefaultRule & { readonly serviceIds: readonly string[] };
  /** The scans to preview, in the order of their arrival. */
  readonly scans: readonly ReceivedScan[];
  /** The subject's current count, including the given scans; undefined if the relay does not count it. */
  total(subject: Subject, scan: ReceivedScan): number | undefined;
  /** The rule's current count for the scan, including the given scans; undefined if the rule has none. */
  ruleTotal?(rule: RuleCount, scan: ReceivedScan): number | undefined;
  /** The value's counting key, if that is not the value itself. */
  sameAs?(scan: ReceivedScan): string | undefined;
  watches(scan: ReceivedScan): readonly WatchFact[];
  mutes(scan: ReceivedScan): readonly MuteFact[];
  /** The names behind the scan's ids, as they are now. */
  names?(scan: ReceivedScan): NamesOfScan;
}

export interface PreviewedScan {
  readonly scan: ReceivedScan;
  readonly posts: readonly NotablePost[];
  /** The posts as they would be without mutes; left out if nothing is muted. */
  readonly unmuted?: readonly NotablePost[];
  /** Changes of open bursts by the scan. */
  readonly bursts?: readonly BurstChange[];
}

/** The previewed scans in their order; a scan that would not be posted has no posts. */
export async function preview(input: PreviewInput): Promise<readonly PreviewedScan[]> {
  const posted = await evaluated(input);
  if (!input.scans.some((scan) => input.mutes(scan).length > 0)) {
    return posted;
  }
  const unmuted = await evaluated({ ...input, mutes: () => [] });
  return posted.map((each, at) => ({ ...each, unmuted: unmuted[at]?.posts ?? [] }));
}

async function evaluated(input: PreviewInput): Promise<readonly PreviewedScan[]> {
  if (!input.settings.rules.some((rule) => rule.on && ruleCountOf(rule) !== undefined)) {
    return evaluateAll(input, new Map());
  }
  // A rule's count before these scans is its current count less the number of these scans that it counts.
  const countsBefore = new Map<string, number>();
  await evaluateAll(input, new Map(), (name, rule, scan) => {
    countsBefore.set(name, (countsBefore.get(name) ?? input.ruleTotal?.(rule, scan) ?? 0) - 1);
  });
  return evaluateAll(input, new Map([...countsBefore].map(([name, count]) => [name, Math.max(0, count)])));
}

async function evaluateAll(
  { settings, relay, scans, ...known }: PreviewInput,
  ruleCounts: Map<string, number>,
  onCounted: (name: string, rule: RuleCount, scan: ReceivedScan) => void = () => undefined,
): Promise<readonly PreviewedScan[]> {
  const evaluate = createEvaluate(settings);
  const memories = new Map<string, string>();
  const bursts = new Map<string, BurstChange['counted']>();
  const mutedCounts = new Map<string, number>();
  const countsBefore = countedBefore(scans, known);
  const results: PreviewedScan[] = [];
  const nextTurn = createTurns();
  for (const [index, scan] of scans.entries()) {
    await nextTurn();
    const validated = {
      ...scan,
      finding: scan.finding ?? (scan.valid ? ('valid' as const) : ('invalid' as const)),
      late: scan.late ?? false,
    };
    const nameOf = (rule: RuleCount) => ruleCounterName(ruleCounter(rule, withSameAs(scan, known.sameAs?.(scan))));
    const facts = {
      countBefore: (subject: Subject) => countsBefore(index, subject),
      ruleCountBefore: (rule: RuleCount) => ruleCounts.get(nameOf(rule)) ?? 0,
      watches: known.watches(scan),
      names: known.names?.(scan) ?? {},
      mutes: mutesAfter(known.mutes(scan), mutedCounts),
      memory: (ruleId: string) => memories.get(ruleId),
      burst: (ruleId: string) => bursts.get(ruleId),
    };
    const evaluation = evaluate(validated, facts, relay, acceptsService(relay, scan.sid));
    for (const [ruleId, memory] of Object.entries(evaluation.memories)) {
      memories.set(ruleId, memory);
    }
    for (const { ruleId, counted } of evaluation.bursts) {
      bursts.set(ruleId, counted);
    }
    for (const { rules, opened } of evaluation.posts) {
      if (opened) {
        bursts.set(rules[0]!.id, opened);
      }
    }
    for (const { id, posts } of evaluation.muted) {
      mutedCounts.set(id, (mutedCounts.get(id) ?? 0) + posts);
    }
    for (const rule of evaluation.counted) {
      ruleCounts.set(nameOf(rule), (ruleCounts.get(nameOf(rule)) ?? 0) + 1);
      onCounted(nameOf(rule), rule, scan);
    }
    results.push({
      scan,
      posts: evaluation.posts,
      ...(evaluation.bursts.length > 0 ? { bursts: evaluation.bursts } : {}),
    });
  }
  return results;
}

/** The count of a scan from before the relay began to count: it is neither the first nor the nth. */
const uncounted = Number.NaN;

/** The count before each scan: the current count less this scan and the later ones. */
function countedBefore(
  scans: readonly ReceivedScan[],
  { total, sameAs = () => undefined }: Pick<PreviewInput, 'total' | 'sameAs'>,
): (at: number, subject: Subject) => number {
  const nameOf = (subject: Subject, scan: ReceivedScan): string | undefined => {
    const id = subject === 'relay' ? '' : (subject === 'value' && sameAs(scan)) || scan[fieldOf[subject]];
    return id === undefined ? undefined : `${subject}:${id}`;
  };
  const givenCounts = new Map<string, number>();
  const earlierCounts = scans.map((scan) => {
    const counts = new Map<Subject, number>();
    for (const subject of subjects) {
      const name = nameOf(subject, scan);
      if (name !== undefined) {
        const count = givenCounts.get(name) ?? 0;
        counts.set(subject, count);
        givenCounts.set(name, count + 1);
      }
    }
    return counts;
  });
  return (at, subject) => {
    const scan = scans[at]!;
    const name = nameOf(subject, scan);
    if (name === undefined) {
      return 0;
    }
    const counted = total(subject, scan);
    const first = counted === undefined ? 0 : counted - (givenCounts.get(name) ?? 0);
    const countBefore = first + (earlierCounts[at]!.get(subject) ?? 0);
    return countBefore < 0 ? uncounted : countBefore;
  };
}
