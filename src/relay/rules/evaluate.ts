/**
 * Rule evaluation: the rules that match a scan, and the posts they make. A channel gets at most one post per scan, with
 * the mentions of all its rules that match, besides alerts of bursts. Pure; settings are compiled once.
 */
import type { RuleCount } from '../../counters/counters.js';
import type { BurstChange } from '../../incidents/batch-changes.js';
import type { Mention } from '../../posts/publisher.js';
import type { MutedPosts } from '../../watches/facts.js';
import { createMuting } from '../../watches/muting.js';
import type { RuleFacts as CommitFacts } from '../commit/index.js';
import type { ScanFacts, ValidatedScan } from '../conditions/condition.js';
import { hasSubject, isNth } from '../conditions/nth.js';
import { queueOf, type RelaySettings, type Rule } from '../record/settings.js';
import { type BurstStep, countBurst } from './burst.js';
import { allMentioned } from './detail.js';
import { collectedUntil, type ReadyRule, readyRules } from './ready.js';

export interface ScanRuleFacts extends CommitFacts, Pick<ScanFacts, 'countBefore' | 'names'> {
  /** How many scans the rule counted before. */
  ruleCountBefore(rule: RuleCount): number;
}

/** How a relay without rules posts. */
export interface DefaultRule {
  readonly channel: string;
  readonly notable: 'all' | 'invalid';
}

export interface NotablePost {
  /**
   * The subject of the post. `burst`: this scan and the burst's earlier ones; `workflow`: a workflow that is started
   * with this scan.
   */
  readonly kind: 'scan' | 'burst' | 'workflow';
  /** The channel of the post; for a workflow, the id of its trigger. */
  readonly channel: string;
  /** The rules that matched, first the one that decides how to post; empty without rules, or for a watch alone. */
  readonly rules: readonly Rule[];
  /** The people who watch the value in the channel. */
  readonly watchers: readonly string[];
  readonly mention: Mention;
  readonly how: Rule['how'];
  /** The burst that the post opens. */
  readonly opened?: BurstStep['opened'];
  /** Set for an alert that is not posted now: its rule is muted or in its quiet hours. */
  readonly held?: boolean;
  /** Whether the post falls within the rule's quiet hours. */
  readonly quiet: boolean;
  /** Set for a post that a digest collects: when one that begins with it is due. */
  readonly until?: number;
}

export interface Evaluation {
  readonly posts: readonly NotablePost[];
  /** New memories of rules, by rule id; unchanged ones are left out. */
  readonly memories: Readonly<Record<string, string>>;
  /** The rules that count this scan. */
  readonly counted: readonly RuleCount[];
  /** Mutes for a number of posts that left out posts, each with the number left out. */
  readonly muted: readonly MutedPosts[];
  readonly bursts: readonly BurstChange[];
}

/** `accepted`: false for a scan of a service that the relay is not for; only watches post then. Never throws. */
export type Evaluate = (
  scan: ValidatedScan,
  facts: ScanRuleFacts,
  defaultRule: DefaultRule,
  accepted: boolean,
) => Evaluation;

export function createEvaluate(settings: RelaySettings): Evaluate {
  const ready = readyRules(settings);

  return (scan, facts, defaultRule, isAccepted) => {
    if (settings.rules.length === 0 && facts.watches.length === 0 && facts.mutes.length === 0) {
      return isAccepted && isNotable(defaultRule, scan)
        ? { ...emptyEvaluation, posts: [plainPost(defaultRule.channel)] }
        : emptyEvaluation;
    }
    const muting = createMuting(facts.mutes);
    const { countBefore, names, watches } = facts;
    const scanFacts: ScanFacts = { scan, countBefore, names, watched: watches.length > 0 };
    const notablePosts: NotablePost[] = [];
    const alarms: NotablePost[] = [];
    const memories: Record<string, string> = {};
    const counted: RuleCount[] = [];
    const bursts: BurstChange[] = [];
    if (
      isAccepted &&
      settings.rules.length === 0 &&
      isNotable(defaultRule, scan) &&
      !muting.stops('scan', defaultRule.channel)
    ) {
      notablePosts.push(plainPost(defaultRule.channel));
    }
    let isDecided = false;
    for (const readyRule of isAccepted ? ready : []) {
      const { rule, counts } = readyRule;
      // A rule that counts does so even below the rule that posts the scan, unless one that stops is between them.
      if ((isDecided && !counts && rule.action === 'post') || !readyRule.matches(scanFacts)) {
        continue;
      }
      if (counts?.kind === 'burst') {
        // An alert concerns the present: a late scan is not counted.
        const { memory, opened, ...change }: BurstStep =
          scan.valid || scan.late ? {} : countBurst(counts, facts.memory(rule.id), facts.burst(rule.id), scan);
        if (memory !== undefined) {
          memories[rule.id] = memory;
        }
        if (opened) {
          const held = muting.stops('burst', rule.channel, rule.id) || isQuiet(readyRule, scan.receivedAt);
          alarms.push({
            ...plainPost(rule.channel),
            kind: 'burst',
            rules: [rule],
            mention: rule.mention,
            opened,
            held,
          });
        }
        if (change.endedAt !== undefined || change.counted) {
          bursts.push({ ruleId: rule.id, ...change });
        }
        continue;
      }
      if (counts) {
        if (!hasSubject(scan, counts.of)) {
          continue;
        }
        const name = { ruleId: rule.id, generation: rule.generation, of: counts.of };
        counted.push(name);
        if ((isDecided && rule.action === 'post') || !isNth(counts, facts.ruleCountBefore(name) + 1)) {
          continue;
        }
      }
      if (rule.action === 'stop') {
        break;
      }
      if (rule.action === 'workflow') {
        // A mute concerns a channel's posts: it does not keep the workflow from starting.
        notablePosts.push(postOf('workflow', readyRule, scan.receivedAt));
        continue;
      }
      if (!muting.stops('scan', rule.channel, rule.id)) {
        notablePosts.push(postOf('scan', readyRule, scan.receivedAt));
      }
      // A muted rule counts as a match: otherwise muting it would let the next rule post.
      isDecided = settings.match === 'first';
    }
    for (const { channel, who } of watches) {
      if (!muting.stopsWatch(channel)) {
        notablePosts.push({ ...plainPost(channel), watchers: [who], mention: { users: [who], groups: [] } });
      }
    }
    return { posts: onePerChannel([...notablePosts, ...alarms]), memories, counted, bursts, muted: muting.counted };
  };
}

const emptyEvaluation: Evaluation = { posts: [], memories: {}, counted: [], bursts: [], muted: [] };
const noMention: Mention = { users: [], groups: [] };

function isNotable({ notable }: DefaultRule, scan: ValidatedScan): boolean {
  return notable === 'all' || !scan.valid;
}

function plainPost(channel: string): NotablePost {
  return { kind: 'scan', channel, rules: [], watchers: [], mention: noMention, how: 'each', quiet: false };
}

export function postOf(
  kind: 'scan' | 'workflow',
  readyRule: Pick<ReadyRule, 'rule' | 'quiet'>,
  at: number,
): NotablePost {
  const { rule } = readyRule;
  if (kind === 'workflow') {
    return { ...plainPost(queueOf(rule)), kind, rules: [rule] };
  }
  const { channel, mention, how } = rule;
  const quiet = isQuiet(readyRule, at);
  const until = how === 'digest' || quiet ? { until: collectedUntil(rule, at) } : {};
  return { kind, channel, rules: [rule], watchers: [], mention, how, quiet, ...until };
}

function isQuiet({ quiet }: Pick<ReadyRule, 'quiet'>, at: number): boolean {
  return quiet?.windowAt(at) !== undefined;
}

/** Of several posts for one channel, the one that comes first decides how to post. */
function comesBefore(a: NotablePost, b: NotablePost): boolean {
  const [first = 0, second = 0] = [a.until, b.until];
  return first < second || (first === second && a.how === 'each' && b.how !== 'each');
}

export function onePerChannel(notablePosts: readonly NotablePost[]): NotablePost[] {
  if (notablePosts.length < 2) {
    return [...notablePosts];
  }
  const byChannel = new Map<string, NotablePost>();
  for (const post of notablePosts) {
    // The posts of a burst stay separate, as a burst is about many scans.
    const name = post.kind === 'burst' ? `burst ${post.rules[0]?.id}` : `scan ${post.channel}`;
    const before = byChannel.get(name);
    byChannel.set(name, before ? mergedPost(before, post) : post);
  }
  return [...byChannel.values()];
}

function mergedPost(a: NotablePost, b: NotablePost): NotablePost {
  const [first, second] = comesBefore(b, a) ? [b, a] : [a, b];
  return {
    ...first,
    rules: [...first.rules, ...second.rules],
    watchers: [...new Set([...first.watchers, ...second.watchers])],
    mention: allMentioned([first.mention, second.mention]),
  };
}
