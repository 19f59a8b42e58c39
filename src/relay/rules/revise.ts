/**
 * Owns what comes of a second submit: rules about answers and properties that the scan did not fit when it came, and fits now
 * that it is complete. Refuses to post a scan twice in one channel. Pure.
 */
import type { RevisionFacts } from '../../store/index.js';
import type { RelaySettings } from '../settings.js';
import type { JudgedScan } from './condition.js';
import { mutedIn, type NotablePost, onePerChannel, postOf, readyRules } from './evaluate.js';

export type Revise = (before: JudgedScan, after: JudgedScan, facts: RevisionFacts) => readonly NotablePost[];

export function createRevise(settings: RelaySettings): Revise {
  const ready = readyRules(settings).filter(({ rule }) => ['answer', 'property'].includes(rule.when.kind));

  return (before, after, { at, posted, mutes, watches }) => {
    if (ready.length === 0 || (settings.match === 'first' && posted.length > 0)) {
      return [];
    }
    const muted = mutedIn(mutes);
    const rest = { seen: () => 0, watched: watches.length > 0 };
    const fitting = ready.filter(({ fits }) => fits({ scan: after, ...rest }) && !fits({ scan: before, ...rest }));
    const counting = settings.match === 'first' ? fitting.slice(0, 1) : fitting;
    return onePerChannel(
      counting
        .filter(({ rule }) => !posted.includes(rule.channel) && !muted(rule.channel, rule.id))
        .map((one) => postOf('scan', one, at)),
    );
  };
}
