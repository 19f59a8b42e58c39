/**
 * Preview of rules on a relay's latest scans, by the same evaluation as in the commit. Silence alarms are left out. A
 * subject without stored counts is counted from the first of these scans. Pure.
 */
import type { MuteFact, WatchFact } from '../intake/commit/index.js';
import type { ReceivedScan } from '../relays/relay.js';
import { acceptsService } from '../relays/relay.js';
import type { RelaySettings } from '../relays/settings.js';
import { type Subject, subjects } from '../scans/counters.js';
import { createEvaluate, type DefaultRule, type NotablePost } from './evaluate.js';

export interface PreviewInput {
  readonly settings: RelaySettings;
  readonly relay: DefaultRule & { readonly serviceIds: readonly string[] };
  /** In the order in which they came. */
  readonly scans: readonly ReceivedScan[];
  /** The subject's current count, including the given scans; undefined if it is not counted. */
  total(subject: Subject, scan: ReceivedScan): number | undefined;
  /** The value's counting key, if it is not its own spelling. */
  sameAs?(scan: ReceivedScan): string | undefined;
  watches(scan: ReceivedScan): readonly WatchFact[];
  mutes(scan: ReceivedScan): readonly MuteFact[];
}

export interface PreviewedScan {
  readonly scan: ReceivedScan;
  readonly posts: readonly NotablePost[];
  /** The posts without mutes; left out if nothing is muted. */
  readonly unmuted?: readonly NotablePost[];
}

/** In the order of the scans; a scan that would not be posted has no posts. */
export function preview(input: PreviewInput): readonly PreviewedScan[] {
  const posted = evaluated(input);
  if (!input.scans.some((scan) => input.mutes(scan).length > 0)) {
    return posted;
  }
  const unmuted = evaluated({ ...input, mutes: () => [] });
  return posted.map((each, at) => ({ ...each, unmuted: unmuted[at]?.posts ?? [] }));
}

function evaluated({ settings, relay, scans, ...known }: PreviewInput): readonly PreviewedScan[] {
  const evaluate = createEvaluate(settings);
  const memories = new Map<string, string>();
  const before = countedBefore(scans, known);
  return scans.map((scan, at) => {
    const validated = {
      ...scan,
      finding: scan.finding ?? (scan.valid ? ('valid' as const) : ('invalid' as const)),
      late: scan.late ?? false,
    };
    const facts = {
      seen: (subject: Subject) => before(at, subject),
      watches: known.watches(scan),
      mutes: known.mutes(scan),
      memory: (ruleId: string) => memories.get(ruleId),
    };
    const found = evaluate(validated, facts, relay, acceptsService(relay, scan.sid));
    for (const [ruleId, memory] of Object.entries(found.memories)) {
      memories.set(ruleId, memory);
    }
    return { scan, posts: found.posts };
  });
}

/** Neither the first nor any other: the relay began to count after it. */
const uncounted = Number.NaN;

/** The count before each scan: the current count less that scan and those after it. */
function countedBefore(
  scans: readonly ReceivedScan[],
  { total, sameAs = () => undefined }: Pick<PreviewInput, 'total' | 'sameAs'>,
): (at: number, subject: Subject) => number {
  const nameOf = (subject: Subject, scan: ReceivedScan): string | undefined => {
    const id = subject === 'relay' ? '' : (subject === 'value' && sameAs(scan)) || scan[fields[subject]];
    return id === undefined ? undefined : `${subject}:${id}`;
  };
  const given = new Map<string, number>();
  const earlier = scans.map((scan) => {
    const counts = new Map<Subject, number>();
    for (const subject of subjects) {
      const name = nameOf(subject, scan);
      if (name !== undefined) {
        const count = given.get(name) ?? 0;
        counts.set(subject, count);
        given.set(name, count + 1);
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
    const first = counted === undefined ? 0 : counted - (given.get(name) ?? 0);
    const before = first + (earlier[at]!.get(subject) ?? 0);
    return before < 0 ? uncounted : before;
  };
}

const fields = { value: 'tid', device: 'udid', user: 'userid', service: 'sid' } as const;
