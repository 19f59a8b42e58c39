/** mrkdwn and Slack's two text objects as DOM nodes. Every character reaches the page as text. */
import type { Directory } from './context.js';
import { el, link } from './dom.js';
import { emojiFor } from './emoji.js';
import { broadcast, channelMention, dateText, emoji, groupMention, userMention } from './inline.js';
import { flag, type Json, str } from './json.js';
import { type Inline, parseInline, parseMrkdwn } from './mrkdwn-parse.js';

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const;

function drawInline(item: Inline, directory: Directory): Node {
  switch (item.kind) {
    case 'text':
      return document.createTextNode(item.text);
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return el(tags[item.kind], {}, ...item.children.map((child) => drawInline(child, directory)));
    case 'link':
      return link(item.url, {}, item.label ?? item.url.replace(/^(mailto|tel):/i, ''));
    case 'user':
      return userMention(directory, item.id, item.label);
    case 'channel':
      return channelMention(directory, item.id, item.label);
    case 'usergroup':
      return groupMention(item.id, item.label);
    case 'broadcast':
      return broadcast(item.range);
    case 'emoji':
      return emoji(item.name, item.character);
    case 'date':
      return dateText(directory, item.seconds, item.template, item.fallback, item.url);
  }
}

export function drawMrkdwn(text: string, directory: Directory, verbatim = false): HTMLElement {
  const box = el('div', { class: 'text' });
  for (const piece of parseMrkdwn(text, verbatim)) {
    const children = piece.children.map((item) => drawInline(item, directory));
    if (piece.kind === 'quote') box.append(el('blockquote', {}, ...children));
    else if (piece.kind === 'preformatted') box.append(el('pre', {}, ...children));
    else box.append(el('p', {}, ...children));
  }
  return box;
}

/** Plain text: `:names:` become emoji unless the text object has `emoji: false`; nothing else is markup. */
export function drawPlain(text: string, withEmoji: boolean): Node[] {
  if (!withEmoji) return [document.createTextNode(text)];
  const nodes: Node[] = [];
  let at = 0;
  for (const found of text.matchAll(/:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/g)) {
    const character = emojiFor(found[1] ?? '');
    if (character === undefined || found.index < at) continue;
    nodes.push(document.createTextNode(text.slice(at, found.index)), emoji(found[1] ?? '', character));
    at = found.index + found[0].length;
  }
  nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

/** The text of a text object, for places that take no elements (a placeholder, an accessible name). */
export function plainOf(object: Json | undefined): string {
  const text = str(object, 'text') ?? '';
  if (object?.type === 'mrkdwn') {
    return parseInline(text, { verbatim: true, code: false }).map(wordsOf).join('');
  }
  return object?.emoji === false
    ? text
    : text.replace(/:([a-z0-9_+'-]+):/g, (raw, name: string) => emojiFor(name) ?? raw);
}

function wordsOf(item: Inline): string {
  switch (item.kind) {
    case 'text':
      return item.text;
    case 'link':
      return item.label ?? item.url;
    case 'emoji':
      return item.character;
    case 'date':
      return item.fallback;
    case 'broadcast':
      return `@${item.range}`;
    case 'user':
    case 'channel':
    case 'usergroup':
      return item.label ?? item.id;
    default:
      return item.children.map(wordsOf).join('');
  }
}

/** A text object, plain or mrkdwn. */
export function drawText(object: Json | undefined, directory: Directory): HTMLElement {
  const text = str(object, 'text') ?? '';
  if (object?.type === 'mrkdwn') return drawMrkdwn(text, directory, flag(object, 'verbatim'));
  return el('div', { class: 'text' }, el('p', {}, ...drawPlain(text, object?.emoji !== false)));
}
