/**
 * Rule evaluation after a second submit: the posts of rules that match only now, but for a post without a mention that
 * would wait for a digest in a channel that shows the scan already. No rule posts a scan twice. Pure.
 */
import type { MutedPosts } from '../../watches/facts.js';
import { createMuting, type Muting } from '../../watches/muting.js';
import type { RevisionFacts } from '../commit/index.js';
import type { ScanFacts, ValidatedScan } from '../conditions/condition.js';
import { queueOf, type RelaySettings } from '../record/settings.js';
import { needsSecondSubmit } from './counts-at-scan.js';
import { readDetail } from './detail.js';
import { type NotablePost, onePerChannel, postOf } from './evaluate.js';
import { type ReadyRule, readyRules } from './ready.js';

/** Evaluates the rules after a second submit. `countBefore`: the count at the time of the scan. */
export type RuleUpdate = (
  before: ValidatedScan,
  after: ValidatedScan,
  facts: Omit<RevisionFacts, 'memory' | 'burst' | 'names'> & Pick<ScanFacts, 'countBefore' | 'names'>,
) => { readonly posts: readonly NotablePost[]; readonly muted: readonly MutedPosts[] };

export function createRuleUpdate(settings: RelaySettings): RuleUpdate {
  const ready = readyRules(settings);
  if (!ready.some(({ rule }) => needsSecondSubmit(rule))) {
    return () => ({ posts: [], muted: [] });
  }

  /** The rules that match. `rules`: the rules that posted. A rule that counts scans did so when the scan came. */
  const fitting = (facts: ScanFacts, rules: ReadonlySet<string | undefined>): readonly ReadyRule[] => {
    const readyRules: ReadyRule[] = [];
    let isDecided = false;
    for (const readyRule of ready) {
      const { rule, counts } = readyRule;
      if (isDecided && rule.action === 'post') {
        continue;
      }
      if (counts?.kind === 'burst' || !(counts ? rules.has(rule.id) : readyRule.matches(facts))) {
        continue;
      }
      if (rule.action === 'stop') {
        break;
      }
      readyRules.push(readyRule);
      isDecided ||= settings.match === 'first' && rule.action === 'post';
    }
    return readyRules;
  };

  return (scanBefore, scanAfter, { at, posted, mutes, watches, countBefore, names }) => {
    const facts = { countBefore, names, watched: watches.length > 0 };
    // The rules that posted: a watch's post has no rule, and one that two rules share counts for both.
    const postedRules = new Set(
      posted.flatMap(({ rule, detail }) => [rule, ...readDetail(detail).rules.map(({ id }) => id)]),
    );
    const matchedBefore = fitting({ scan: scanBefore, ...facts }, postedRules);
    const muting = createMuting(mutes);
    const newRules = fitting({ scan: scanAfter, ...facts }, postedRules).filter(
      (one) => !matchedBefore.includes(one) && !postedRules.has(one.rule.id) && !isLeftOut(one, posted, muting),
    );
    const kindOf = ({ rule }: ReadyRule) => (rule.action === 'workflow' ? 'workflow' : 'scan');
    const posts = onePerChannel(newRules.map((one) => postOf(kindOf(one), one, at))).filter(
      (post) => !isCovered(post, posted),
    );
    return { posts, muted: muting.counted };
  };
}

/** Whether the rule is muted, or the scan has started its workflow already. */
function isLeftOut({ rule }: ReadyRule, posted: RevisionFacts['posted'], muting: Muting): boolean {
  return rule.action === 'workflow'
    ? posted.some(({ channel }) => channel === queueOf(rule))
    : muting.stops('scan', rule.channel, rule.id);
}

/** Whether the post would go into a digest, mentions nobody, and the channel has a message about the scan already. */
function isCovered({ channel, how, quiet, mention }: NotablePost, posted: RevisionFacts['posted']): boolean {
  return (
    (how === 'digest' || quiet) &&
    mention.users.length === 0 &&
    mention.groups.length === 0 &&
    posted.some((post) => post.channel === channel && post.kind === 'scan' && !post.digested)
  );
}
