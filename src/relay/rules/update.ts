/**
 * Rule evaluation after a second submit: the rules that match only now. The message in a channel is edited; a new post
 * comes only for a mention or a new channel. No rule posts a scan twice. Pure.
 */
import type { RevisionFacts } from '../intake/commit/index.js';
import type { RelaySettings } from '../relays/settings.js';
import type { ScanFacts, ValidatedScan } from './conditions/condition.js';
import { needsSecondSubmit } from './counts-at-scan.js';
import { readDetail } from './detail.js';
import {
  isOfOneScan,
  mutedIn,
  type NotablePost,
  onePerChannel,
  postOf,
  type ReadyRule,
  readyRules,
} from './evaluate.js';

/** `seen`: the counts at the time of the scan. */
export type RuleUpdate = (
  before: ValidatedScan,
  after: ValidatedScan,
  facts: Omit<RevisionFacts, 'memory'> & Pick<ScanFacts, 'seen'>,
) => readonly NotablePost[];

export function createRuleUpdate(settings: RelaySettings): RuleUpdate {
  const ready = readyRules(settings).filter(isOfOneScan);
  if (!ready.some(({ rule }) => needsSecondSubmit(rule))) {
    return () => [];
  }

  const fitting = (facts: ScanFacts): readonly ReadyRule[] => {
    if (settings.match === 'all') {
      return ready.filter(({ matches }) => matches(facts));
    }
    const first = ready.find(({ matches }) => matches(facts));
    return first ? [first] : [];
  };

  return (before, after, { at, posted, mutes, watches, seen }) => {
    const rest = { seen, watched: watches.length > 0 };
    const was = fitting({ scan: before, ...rest });
    const muted = mutedIn(mutes);
    // A watch posts by no rule, and a post that two rules made in one channel counts for both.
    const by = new Set(posted.flatMap(({ rule, detail }) => [rule, ...readDetail(detail).rules.map(({ id }) => id)]));
    const due = fitting({ scan: after, ...rest }).filter(
      (one) => !was.includes(one) && !by.has(one.rule.id) && !muted(one.rule.channel, one.rule.id),
    );
    return onePerChannel(due.map((one) => postOf('scan', one, at))).filter((post) => !isCovered(post, posted));
  };
}

/** It would go into a digest, mentions nobody, and the channel already has a message about the scan. */
function isCovered({ channel, how, quiet, mention }: NotablePost, posted: RevisionFacts['posted']): boolean {
  return (
    (how === 'digest' || quiet) &&
    mention.users.length === 0 &&
    mention.groups.length === 0 &&
    posted.some((post) => post.channel === channel && post.kind === 'scan' && !post.digested)
  );
}
