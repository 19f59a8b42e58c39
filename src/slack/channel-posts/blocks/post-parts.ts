/** The blocks all relay posts share: mentions, the rule that matched, the acknowledgement. Pure. */
import { countOf, firstOf } from '../../../english.js';
import type { Acknowledgement, AnyRelayPost, IncidentFacts, Post } from '../../../relay/index.js';
import { type Block, context, cut, mrkdwn, plain, plainContext, section } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { escaped, mrkdwnMomentAfter, settled } from '../../block-kit/text.js';
import { type Happening, storyOf } from '../describe/incident-story.js';
import { type Watcher, watcherText } from './mentioned.js';

/** The mentions of people and groups; ids of any other form are left out. */
export function mentions({ mention: { users, groups } }: Pick<AnyRelayPost, 'mention'>): string {
  return [
    ...users.filter((id) => /^[UW][A-Z0-9]+$/.test(id)).map((id) => `<@${id}>`),
    ...groups.filter((id) => /^S[A-Z0-9]+$/.test(id)).map((id) => `<!subteam^${id}>`),
  ].join(' ');
}

/** The most characters of mentions in a section, which takes 3,000. The notification text has all mentions. */
const longestCall = 2_990;

/** The mentions, which come first in the post, so that a mentioned person sees why they are called. */
export function callBlocks(post: Pick<AnyRelayPost, 'mention'>): Block[] {
  const called = mentions(post);
  return called === ''
    ? []
    : [section(called.length <= longestCall ? called : `${called.slice(0, called.lastIndexOf(' ', longestCall))} …`)];
}

/** Notification text: the mentions, then what the post is about. */
export function withCall(post: Pick<AnyRelayPost, 'mention'>, text: string): string {
  const called = mentions(post);
  return called === '' ? text : `${called} ${text}`;
}

/** The text of a mention that had to wait; the rule is named below it. */
export const mentionText = '🔔 Scans matched a rule in its quiet hours.';

/** The most rules that a post names. */
const mostRules = 4;
const mostWatchers = 20;
/** The most characters of a rule's name: escaping makes up to five of one. */
const longestRule = 60;

/** Why the scan was posted: rules and watchers. `clauses`: rules without a name that combine conditions, in words. */
export function reasonBlocks(
  { rules }: Pick<AnyRelayPost, 'rules'>,
  watchers: readonly Watcher[],
  clauses: readonly string[] = [],
): Block[] {
  const ruleNames = rules.map(({ name }) => name).filter((name) => name !== '');
  const reasons = [
    ...(ruleNames.length > 0
      ? [
          firstOf(
            ruleNames.slice(0, mostRules).map((name) => `“${escaped(shortName(name, longestRule))}”`),
            ruleNames.length - mostRules,
          ),
        ]
      : []),
    ...(watchers.length > 0
      ? [`Watched by ${firstOf(watchers.slice(0, mostWatchers).map(watcherText), watchers.length - mostWatchers)}`]
      : []),
  ];
  return [
    ...clauses.slice(0, mostRules).map((clause) => plainContext(cut(settled(`Rule: ${clause}`), 300))),
    ...(clauses.length > mostRules ? [context(`and ${countOf(clauses.length - mostRules, 'more rule')}`)] : []),
    ...(reasons.length > 0 ? [context(reasons.join(' · '))] : []),
  ];
}

/** The alert that a post shows, or calls for; a mere reply in its thread shows none. */
export function alertOf(post: Post): IncidentFacts | undefined {
  return 'incident' in post && post.kind !== 'reply' ? post.incident : undefined;
}

export function acknowledgementOf(post: Post): Acknowledgement | undefined {
  return alertOf(post)?.acknowledged ?? ('acknowledged' in post ? post.acknowledged : undefined);
}

/** People's actions on a post, and its escalation, for everyone, in order. */
export function happenedBlocks(post: Post): Block[] {
  const incident = alertOf(post);
  const acknowledged = acknowledgementOf(post);
  const story: readonly Happening[] = incident
    ? storyOf({ ...incident, ...(acknowledged ? { acknowledged } : {}) })
    : acknowledged
      ? [{ what: 'acknowledged', ...acknowledged }]
      : [];
  return story.flatMap((one) => happenedBlock(one, post, incident?.resolved !== undefined));
}

/**
 * The block of one event of a post. After *Resolve* nobody is assigned any more. That an alert opened, was posted again
 * or is over has no block: the headline says it.
 */
function happenedBlock(happening: Happening, post: Post, isResolved: boolean): Block[] {
  switch (happening.what) {
    case 'acknowledged':
      return said(`✅ Acknowledged by <@${happening.by}>${mrkdwnMomentAfter(', ', happening.at)}`, happening.note);
    case 'escalated':
      return post.kind === 'escalation' ? [] : said(`⏫ Escalated${mrkdwnMomentAfter(', ', happening.at)}`, undefined);
    case 'handed_over': {
      const whose = `🤝 ${isResolved ? 'Handed over to' : 'With'} <@${happening.to}>`;
      const since = mrkdwnMomentAfter(isResolved ? ', ' : ' since ', happening.at);
      return said(`${whose}${since} (from <@${happening.by}>)`, undefined);
    }
    case 'resolved':
      return said(`☑️ Resolved by <@${happening.by}>${mrkdwnMomentAfter(', ', happening.at)}`, happening.reason);
    case 'opened':
    case 'posted_again':
    case 'over':
      return [];
  }
}

/** A line of Scandesk's own text, followed by a person's. */
function said(line: string, text: string | undefined): Block[] {
  return text === undefined || text === ''
    ? [context(line)]
    : [{ type: 'context', elements: [mrkdwn(`${line}:`), plain(cut(settled(text), longestSaid))] }];
}

const longestSaid = 300;
