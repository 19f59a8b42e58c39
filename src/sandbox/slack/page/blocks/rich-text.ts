/** The rich_text block, whose text is shown exactly as given: no character in it is markup. */
import type { Directory } from '../context.js';
import { el, link } from '../dom.js';
import { emojiFor } from '../emoji.js';
import { broadcast, channelMention, dateText, emoji, groupMention, userMention } from '../inline.js';
import { flag, type Json, num, record, records, str } from '../json.js';

function styled(element: Json, node: Node): Node {
  const style = record(element, 'style');
  let drawn = node;
  if (flag(style, 'code')) drawn = el('code', {}, drawn);
  if (flag(style, 'strike')) drawn = el('s', {}, drawn);
  if (flag(style, 'underline')) drawn = el('u', {}, drawn);
  if (flag(style, 'italic')) drawn = el('em', {}, drawn);
  if (flag(style, 'bold')) drawn = el('strong', {}, drawn);
  return drawn;
}

function character(element: Json): string | undefined {
  const points = str(element, 'unicode');
  if (points === undefined) return emojiFor(str(element, 'name') ?? '');
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(points)) return undefined;
  const codes = points.split('-').map((hex) => Number.parseInt(hex, 16));
  return codes.every((code) => code <= 0x10ffff) ? String.fromCodePoint(...codes) : undefined;
}

function swatch(value: string): HTMLElement {
  const box = el('span', { class: 'swatch' });
  box.style.backgroundColor = value;
  return el('span', { class: 'colour' }, box, value);
}

function drawElement(element: Json, directory: Directory): Node {
  switch (element.type) {
    case 'text':
      return styled(element, document.createTextNode(str(element, 'text') ?? ''));
    case 'link': {
      const url = str(element, 'url') ?? '';
      return styled(element, link(url, {}, str(element, 'text') ?? url));
    }
    case 'user':
      return styled(element, userMention(directory, str(element, 'user_id') ?? ''));
    case 'channel':
      return styled(element, channelMention(directory, str(element, 'channel_id') ?? ''));
    case 'usergroup':
      return styled(element, groupMention(str(element, 'usergroup_id') ?? ''));
    case 'broadcast':
      return styled(element, broadcast(str(element, 'range') ?? ''));
    case 'emoji': {
      const name = str(element, 'name') ?? '';
      const shownCharacter = character(element);
      return shownCharacter === undefined ? document.createTextNode(`:${name}:`) : emoji(name, shownCharacter);
    }
    case 'color':
      return swatch(str(element, 'value') ?? '');
    case 'date':
      return styled(
        element,
        dateText(
          directory,
          num(element, 'timestamp') ?? Number.NaN,
          str(element, 'format') ?? '',
          str(element, 'fallback'),
          str(element, 'url'),
        ),
      );
    default:
      return el('span', { class: 'cannot' }, `can’t show ${String(element.type)}`);
  }
}

function inside(part: Json, directory: Directory): Node[] {
  return records(part, 'elements').map((element) => drawElement(element, directory));
}

function drawList(part: Json, directory: Directory): HTMLElement {
  const indent = Math.min(8, Math.max(0, num(part, 'indent') ?? 0));
  const list = el(part.style === 'ordered' ? 'ol' : 'ul', { class: `indent-${indent}` });
  const offset = num(part, 'offset');
  if (offset !== undefined && part.style === 'ordered') list.setAttribute('start', String(offset + 1));
  for (const item of records(part, 'elements')) list.append(el('li', {}, ...inside(item, directory)));
  return list;
}

export function drawRichText(block: Json, directory: Directory): HTMLElement {
  const box = el('div', { class: 'text rich-text' });
  for (const part of records(block, 'elements')) {
    if (part.type === 'rich_text_list') box.append(drawList(part, directory));
    else if (part.type === 'rich_text_preformatted') box.append(el('pre', {}, ...inside(part, directory)));
    else if (part.type === 'rich_text_quote') box.append(el('blockquote', {}, ...inside(part, directory)));
    else if (part.type === 'rich_text_section') box.append(el('p', {}, ...inside(part, directory)));
    else box.append(el('p', { class: 'cannot' }, `can’t show ${String(part.type)}`));
  }
  return box;
}
