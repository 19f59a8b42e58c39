/** The story of an alert: what happened, in order, for its message, and as text to copy once it is over. Pure. */
import { DateTime } from 'luxon';
import { countOf } from '../../../english.js';
import type { IncidentFacts, Rule } from '../../../relay/index.js';
import { settled } from '../../block-kit/text.js';
import { overText } from './describe-incident.js';

export type Happening = { readonly at: number } & (
  | { readonly what: 'opened' | 'posted_again' | 'escalated' | 'over' }
  | { readonly what: 'acknowledged'; readonly by: string; readonly note?: string }
  | { readonly what: 'handed_over'; readonly by: string; readonly to: string }
  | { readonly what: 'resolved'; readonly by: string; readonly reason?: string }
);

export function storyOf(incident: IncidentFacts): readonly Happening[] {
  const { openedAt, repostedAt, escalatedAt, acknowledged, assigned, resolved, ended } = incident;
  const story: Happening[] = [
    { what: 'opened', at: openedAt },
    ...(repostedAt === undefined ? [] : [{ what: 'posted_again' as const, at: repostedAt }]),
    ...(escalatedAt === undefined ? [] : [{ what: 'escalated' as const, at: escalatedAt }]),
    ...(acknowledged ? [{ what: 'acknowledged' as const, ...acknowledged }] : []),
    ...(assigned ? [{ what: 'handed_over' as const, ...assigned }] : []),
    ...(resolved ? [{ what: 'resolved' as const, ...resolved }] : []),
    ...(ended ? [{ what: 'over' as const, at: ended.at }] : []),
  ];
  return story.sort((a, b) => a.at - b.at);
}

export interface StoryNames {
  /** The name of a person of the workspace, as text: a name calls nobody. */
  person(id: string): string;
  readonly zone: string;
}

/** The story, a line for each event of the alert, aligned as in a table: `18:12 Acknowledged by Mia: on my way`. */
export function storyText(
  incident: IncidentFacts,
  { title, escalate }: { readonly title: string; readonly escalate: Rule['escalate'] },
  names: StoryNames,
): string {
  const story = storyOf(incident);
  const time = (at: number) => DateTime.fromMillis(at, { zone: names.zone, locale: 'en-US' });
  const dayOf = (at: number) => time(at).toFormat('d LLL yyyy');
  const lines = story.flatMap((one, index) => {
    const before = story[index - 1];
    const day = before && dayOf(before.at) === dayOf(one.at) ? [] : [dayOf(one.at)];
    return [...day, `  ${time(one.at).toFormat('HH:mm')}  ${happeningText(one, incident, escalate, names)}`];
  });
  return [title, ...lines, `Times: ${names.zone}`].join('\n');
}

function happeningText(
  happening: Happening,
  incident: IncidentFacts,
  escalate: Rule['escalate'],
  names: StoryNames,
): string {
  const quotedText = (text: string | undefined) => (text ? `: ${settled(text)}` : '');
  switch (happening.what) {
    case 'opened':
      return 'Opened';
    case 'posted_again':
      return 'Posted again';
    case 'escalated': {
      const { users = [], groups = [] } = escalate ?? {};
      const called = [...users.map(names.person), ...(groups.length > 0 ? [countOf(groups.length, 'user group')] : [])];
      return called.length === 0 ? 'Escalated' : `Escalated to ${called.join(', ')}`;
    }
    case 'acknowledged':
      return `Acknowledged by ${names.person(happening.by)}${quotedText(happening.note)}`;
    case 'handed_over':
      return `Handed over to ${names.person(happening.to)} by ${names.person(happening.by)}`;
    case 'resolved':
      return `Resolved by ${names.person(happening.by)}${quotedText(happening.reason)}`;
    case 'over':
      return overText(incident);
  }
}

/** The people whose names the story needs. */
export function peopleIn(incident: IncidentFacts, escalate: Rule['escalate']): readonly string[] {
  const { acknowledged, assigned, resolved } = incident;
  const named = [acknowledged?.by, assigned?.by, assigned?.to, resolved?.by];
  return [...new Set([...named.flatMap((id) => id ?? []), ...(escalate?.users ?? [])])];
}
