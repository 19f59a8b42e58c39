/**
 * A rule as one sentence: what it does, when, and unless what. `Posts to #gate when a scan is not valid and comes from
 * Gate A, unless it is scanned by ann`. Outside text in it appears verbatim. Pure.
 */
import { noNames } from '../../../codereadr/names.js';
import type { NameOf } from '../../../codereadr/types.js';
import { describeMinutes } from '../../../english.js';
import { type Condition, hasIncidents, isCombinable, isCounting, kindOf, type Rule } from '../../../relay/index.js';
import { cut } from '../../block-kit/elements.js';
import { channelElement, joined, type LinePart, person, userGroup } from '../../block-kit/text.js';

const longestPhrase = 200;

/** The sentence, with its channel as Slack shows one. */
export function ruleSentence(rule: Rule, nameOf: NameOf = noNames): LinePart[] {
  const clause = ruleClause(rule, nameOf);
  return rule.action !== 'post'
    ? [`${rule.action === 'stop' ? 'Stops here' : 'Starts a workflow'} ${clause}`]
    : [
        'Posts',
        ...(rule.channel === '' ? [] : [' to ', channelElement(rule.channel)]),
        ` ${clause}${hasIncidents(rule) ? `, and says ${rule.broadcast ? 'in the channel too when it gets worse or is' : 'when it’s'} over` : ''}`,
        ...escalationElements(rule),
      ];
}

/** The escalation as a sentence: `. Mentions @ann and 2 more if nobody acknowledges it within 15 minutes` */
function escalationElements({ escalate }: Rule): LinePart[] {
  if (!escalate) {
    return [];
  }
  const people = [...escalate.users.map(person), ...escalate.groups.map(userGroup)];
  const moreText = people.length > 3 ? ` and ${people.length - 3} more` : '';
  const inTime = describeMinutes(escalate.minutes);
  return ['. Mentions ', ...joined(people.slice(0, 3), ' '), `${moreText} if nobody acknowledges it within ${inTime}`];
}

/** The rule's conditions: `when a scan is not valid and comes from Gate A, unless it is scanned by ann`. */
export function ruleClause({ when, unless }: Pick<Rule, 'when' | 'unless'>, nameOf: NameOf = noNames): string {
  const phraseOf = (condition: Condition) => kindOf(condition).phrase(condition, nameOf);
  const phrase = (condition: Condition) => cut(phraseOf(condition), longestPhrase);
  const counting = when.find(({ kind }) => isCounting(kind));
  const otherPhrases = when.filter(({ kind }) => isCombinable(kind)).map(phrase);
  const exceptions = unless.length === 0 ? '' : `, unless it ${unless.map(phrase).join(' or it ')}`;
  if (counting) {
    const countedScans = otherPhrases.length === 0 ? '' : `, counting each scan that ${otherPhrases.join(' and ')}`;
    return `${phraseOf(counting)}${countedScans}${exceptions}`;
  }
  const everyScan = phraseOf({ kind: 'every' });
  return `${otherPhrases.length === 0 ? everyScan : `when a scan ${otherPhrases.join(' and ')}`}${exceptions}`;
}
