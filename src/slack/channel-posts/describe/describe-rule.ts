/** A rule as text: its title, and where and how it posts. Outside text in it appears verbatim. Pure. */
import { noNames } from '../../../codereadr/names.js';
import type { NameOf } from '../../../codereadr/types.js';
import { describeMinutes, upperFirst } from '../../../english.js';
import { areWholeWeek, describeHours, hasIncidents, type Rule } from '../../../relay/index.js';
import { settled } from '../../block-kit/text.js';
import { labelOf } from '../../conditions/index.js';
import { ruleClause } from './rule-sentence.js';

/** The rule’s name, else the label of its only trigger, else when it matches: `When a scan comes from Gate A`. */
export function ruleTitle(rule: Pick<Rule, 'name' | 'when' | 'unless'>, nameOf: NameOf = noNames): string {
  const { name, when, unless } = rule;
  if (name.trim() !== '') {
    return settled(name);
  }
  const [only] = when;
  const label = only && when.length + unless.length === 1 ? labelOf(only) : undefined;
  return label ?? upperFirst(ruleClause(rule, nameOf));
}

/** How a rule posts, without its channel. Mentions are written as mrkdwn: the ids are Slack's own. */
export function describeDelivery(rule: Rule): string {
  const { how, digestMinutes, mention, quiet, escalate, broadcast, on } = rule;
  const collects = !hasIncidents(rule);
  const mentions = mentioned(mention);
  return [
    ...(on ? [] : ['*off*']),
    ...(how === 'thread' && collects ? ['in a thread'] : []),
    ...(how === 'digest' && collects ? [`digest every ${describeMinutes(digestMinutes)}`] : []),
    ...(mentions.length > 0 ? [describeMentions(mentions)] : []),
    ...(escalate
      ? [`escalates after ${describeMinutes(escalate.minutes)}: ${describeMentions(mentioned(escalate))}`]
      : []),
    ...(broadcast ? ['updates in the channel too'] : []),
    ...(quiet
      ? [`quiet hours ${describeHours(quiet)}${areWholeWeek(quiet) ? ', which hold nothing: they never end' : ''}`]
      : []),
  ].join(' · ');
}

function mentioned({ users, groups }: Rule['mention']): string[] {
  return [...users.map((id) => `<@${id}>`), ...groups.map((id) => `<!subteam^${id}>`)];
}

function describeMentions(mentions: readonly string[]): string {
  const shownMentions = mentions.slice(0, 5);
  return `mentions ${shownMentions.join(' ')}${mentions.length > 5 ? ` and ${mentions.length - 5} more` : ''}`;
}
