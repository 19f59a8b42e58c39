/** Inline elements, shared by mrkdwn and rich text: mentions, emoji, dates, links. */
import { channelName, type Directory, personName } from './context.js';
import { formatDate, fullTime } from './dates.js';
import { el, link } from './dom.js';

export function userMention(directory: Directory, id: string, label?: string): HTMLElement {
  const mine = directory.me.id === id ? ' mention-me' : '';
  return el('span', { class: `mention${mine}`, 'data-user': id }, `@${personName(directory, id) ?? label ?? id}`);
}

export function channelMention(directory: Directory, id: string, label?: string): HTMLElement {
  return el('span', { class: 'mention', 'data-channel': id }, `#${channelName(directory, id) ?? label ?? id}`);
}

export function groupMention(id: string, label?: string): HTMLElement {
  return el('span', { class: 'mention', 'data-usergroup': id }, `@${(label ?? id).replace(/^@/, '')}`);
}

/** A broadcast is conspicuous on purpose: if outside text caused it, that is a fault which a person must see. */
export function broadcast(range: string): HTMLElement {
  return el('span', { class: 'mention mention-all', 'data-broadcast': range }, `@${range}`);
}

export function emoji(name: string, character: string): HTMLElement {
  return el('span', { class: 'emoji', title: `:${name}:`, 'data-emoji': name }, character);
}

export function dateText(
  directory: Directory,
  seconds: number,
  template: string,
  fallback: string | undefined,
  url?: string,
): HTMLElement {
  const dateText = formatDate(seconds, template, directory.me.tz, directory.now());
  if (dateText === undefined) return el('span', { class: 'date' }, fallback ?? '');
  const title = fullTime(directory.me.tz, seconds * 1000);
  return url === undefined
    ? el('span', { class: 'date', title }, dateText)
    : link(url, { class: 'date', title }, dateText);
}
