/**
 * Rule evaluation: the rules that match a scan, and the posts they make. A channel gets at most one post per scan, with
 * the mentions of all rules that match. Pure; settings are compiled once.
 */
import type { RuleFacts as CommitFacts, MuteFact } from '../intake/commit/index.js';
import type { RelaySettings, Rule } from '../relays/settings.js';
import type { Subject } from '../scans/counters.js';
import { countBurst } from './conditions/burst.js';
import { createCondition, type Predicate, type ScanFacts, type ValidatedScan } from './conditions/condition.js';
import { createSchedule, type Schedule } from './schedule.js';

export interface Mention {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

export interface ScanRuleFacts extends CommitFacts {
  /** How many scans of the same subject came before; 0 if the scan does not have the subject. */
  seen(subject: Subject): number;
}

/** How a relay without rules posts. */
export interface DefaultRule {
  readonly channel: string;
  readonly notable: 'all' | 'invalid';
}

export interface NotablePost {
  /** `burst`: this scan and those before it; `silence`: no scan. */
  readonly kind: 'scan' | 'burst' | 'silence';
  readonly channel: string;
  /** The rules that matched, the one that decides how it is posted first; empty without rules, or for a watch alone. */
  readonly rules: readonly Rule[];
  /** The people who watch the value in that channel. */
  readonly watchers: readonly string[];
  readonly mention: Mention;
  readonly how: Rule['how'];
  /** It falls within the rule's quiet hours. */
  readonly quiet: boolean;
}

export interface Evaluation {
  readonly posts: readonly NotablePost[];
  /** New memories of rules, by rule id; unchanged ones are left out. */
  readonly memories: Readonly<Record<string, string>>;
}

/** `accepted`: false for a scan of a service that the relay is not for; only watches post then. Never throws. */
export type Evaluate = (
  scan: ValidatedScan,
  facts: ScanRuleFacts,
  defaultRule: DefaultRule,
  accepted: boolean,
) => Evaluation;

export interface ReadyRule {
  readonly rule: Rule;
  readonly matches: Predicate;
  readonly quiet: Schedule | undefined;
}

/** Only rules that are on. */
export function readyRules(settings: RelaySettings): readonly ReadyRule[] {
  const context = {
    validates: settings.judging.kind !== 'accept',
    findsDuplicates: settings.duplicates !== undefined,
  };
  return settings.rules
    .filter(({ on }) => on)
    .map((rule) => {
      return { rule, matches: createCondition(rule.when, context), quiet: rule.quiet && createSchedule(rule.quiet) };
    });
}

export function isOfOneScan({ rule }: ReadyRule): boolean {
  return rule.when.kind !== 'burst' && rule.when.kind !== 'silence';
}

export function createEvaluate(settings: RelaySettings): Evaluate {
  const ready = readyRules(settings);
  const bursts = ready.filter(({ rule }) => rule.when.kind === 'burst');
  const single = ready.filter(isOfOneScan);

  return (scan, facts, defaultRule, accepted) => {
    if (settings.rules.length === 0 && facts.watches.length === 0 && facts.mutes.length === 0) {
      return accepted && isNotable(defaultRule, scan)
        ? { posts: [plainPost(defaultRule.channel)], memories: {} }
        : nothing;
    }
    const muted = mutedIn(facts.mutes);
    const scanFacts: ScanFacts = { scan, seen: facts.seen, watched: facts.watches.length > 0 };
    const found: NotablePost[] = [];
    if (accepted && settings.rules.length === 0 && isNotable(defaultRule, scan) && !muted(defaultRule.channel)) {
      found.push(plainPost(defaultRule.channel));
    }
    if (accepted) {
      for (const one of single) {
        if (one.matches(scanFacts)) {
          if (!muted(one.rule.channel, one.rule.id)) {
            found.push(postOf('scan', one, scan.receivedAt));
          }
          // A muted rule counts as a match: otherwise muting one would let the next one post.
          if (settings.match === 'first') {
            break;
          }
        }
      }
    }
    for (const { channel, who } of facts.watches) {
      if (!facts.mutes.some((mute) => mute.channel === channel && mute.what === 'value')) {
        found.push({ ...plainPost(channel), watchers: [who], mention: { users: [who], groups: [] } });
      }
    }
    const memories: Record<string, string> = {};
    // A late scan is about another time; an alarm is about now.
    if (accepted && !scan.valid && !scan.late) {
      for (const one of bursts) {
        const { id, channel, when } = one.rule;
        if (when.kind !== 'burst') {
          continue;
        }
        const counted = countBurst(when, facts.memory(id), scan.receivedAt);
        memories[id] = counted.memory;
        if (counted.alarm && !burstMutedIn(facts.mutes, channel, id)) {
          found.push(postOf('burst', one, scan.receivedAt));
        }
      }
    }
    return { posts: onePerChannel(found), memories };
  };
}

const nothing: Evaluation = { posts: [], memories: {} };
const nobody: Mention = { users: [], groups: [] };

function isNotable({ notable }: DefaultRule, scan: ValidatedScan): boolean {
  return notable === 'all' || !scan.valid;
}

function plainPost(channel: string): NotablePost {
  return { kind: 'scan', channel, rules: [], watchers: [], mention: nobody, how: 'each', quiet: false };
}

export function postOf(kind: NotablePost['kind'], { rule, quiet }: ReadyRule, at: number): NotablePost {
  const { channel, mention, how } = rule;
  return { kind, channel, rules: [rule], watchers: [], mention, how, quiet: quiet?.windowAt(at) !== undefined };
}

export function mutedIn(mutes: readonly MuteFact[]): (channel: string, ruleId?: string) => boolean {
  return (channel, ruleId) =>
    mutes.some(
      (mute) =>
        mute.channel === channel &&
        (typeof mute.what === 'string' || (ruleId !== undefined && mute.what.rule === ruleId)),
    );
}

/** A burst is about many values: a mute of one of them does not apply to it. */
function burstMutedIn(mutes: readonly MuteFact[], channel: string, ruleId: string): boolean {
  return mutes.some(
    ({ channel: muted, what }) =>
      muted === channel && (what === 'relay' || (typeof what === 'object' && what.rule === ruleId)),
  );
}

/** The most urgent of several posts for one channel decides. */
const urgency: Readonly<Record<Rule['how'], number>> = { each: 0, thread: 1, digest: 2 };

function rank({ how, quiet }: NotablePost): number {
  return urgency[how] + (quiet ? 3 : 0);
}

export function onePerChannel(found: readonly NotablePost[]): NotablePost[] {
  if (found.length < 2) {
    return [...found];
  }
  const byChannel = new Map<string, NotablePost>();
  for (const post of found) {
    // A burst is about many scans: each of its posts is separate.
    const name = post.kind === 'burst' ? `burst ${post.rules[0]?.id}` : `scan ${post.channel}`;
    const before = byChannel.get(name);
    byChannel.set(name, before ? merged(before, post) : post);
  }
  return [...byChannel.values()];
}

function merged(a: NotablePost, b: NotablePost): NotablePost {
  const [first, second] = rank(b) < rank(a) ? [b, a] : [a, b];
  return {
    ...first,
    rules: [...first.rules, ...second.rules],
    watchers: distinct(first.watchers, second.watchers),
    mention: {
      users: distinct(first.mention.users, second.mention.users),
      groups: distinct(first.mention.groups, second.mention.groups),
    },
  };
}

function distinct(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])];
}
