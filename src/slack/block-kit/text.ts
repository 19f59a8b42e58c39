/**
 * Escaping of outside text for Slack: no mention, link, emoji or formatting can come of it.
 * Nothing is trimmed; a barcode's invisible characters are made visible.
 */
import { settled, visible } from '../../codereadr/xml/hidden-characters.js';
import { cut } from '../../english.js';
import {
  type Message,
  message,
  type PlainText,
  plain,
  type RichText,
  type RichTextElement,
  type RichTextSection,
} from './elements.js';

export { settled, visible } from '../../codereadr/xml/hidden-characters.js';

/** The most characters shown of a text: more than any barcode has (a QR code holds 4,296), fewer than Slack's limit. */
const longestShown = 5000;

function visibleText(value: string): string {
  const text = visible(value);
  return text.length <= longestShown ? text : `${cut(text, longestShown)} (${value.length} characters)`;
}

/** A barcode in rich text, as code: the grey background shows spaces at its ends. */
export function barcodeElement(value: string): RichTextElement {
  return value === ''
    ? { type: 'text', text: '(empty)', style: { italic: true } }
    : { type: 'text', text: visibleText(value), style: { code: true } };
}

/** A barcode where only plain text fits: an option, a header, a field. */
export function barcodePlain(value: string, max = 3000): PlainText {
  return plain(value === '' ? '(empty)' : cut(visible(value), max));
}

/** Outside text in rich text, never read as markup. Line breaks stay. */
export function textElement(
  text: string,
  style?: { bold?: boolean; italic?: boolean; strike?: boolean },
): RichTextElement {
  const lines = text
    .split(/\r\n|\n/)
    .map(settled)
    .join('\n');
  return { type: 'text', text: lines === '' ? ' ' : cut(lines, longestShown), ...(style ? { style } : {}) };
}

export function bold(text: string): RichTextElement {
  return textElement(text, { bold: true });
}

/** Scandesk's own text, as code: a command to type. */
export function code(text: string): RichTextElement {
  return { type: 'text', text, style: { code: true } };
}

export function person(userId: string): RichTextElement {
  return { type: 'user', user_id: userId };
}

export function userGroup(id: string): RichTextElement {
  return { type: 'usergroup', usergroup_id: id };
}

export function channelElement(channel: string): RichTextElement {
  return { type: 'channel', channel_id: channel };
}

/** The parts of a line with a separator between them; an array counts as one part. */
export function joined(parts: readonly (LinePart | readonly LinePart[])[], separator: string): LinePart[] {
  return parts.flatMap((part, at) => [...(at === 0 ? [] : [separator]), ...[part].flat()]);
}

/** A link if the URL is http(s), else `text` without a link. */
export function linkElement(url: string, text: string): RichTextElement {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? { type: 'link', url, text: settled(text) }
    : textElement(text);
}

const dayAndTime = '{date_short_pretty} {time}';

/**
 * A time in the reader's own zone, formatted by Slack; `format` is Slack's template.
 * A template that starts with the day is capitalized ("Tomorrow"); within a sentence use `momentAfter`.
 */
export function momentElement(at: number, format = dayAndTime): RichTextElement {
  return { type: 'date', timestamp: Math.floor(at / 1000), format, fallback: spelledOut(at, format) };
}

/** A time after Scandesk's own words: `momentAfter('until ', at)`. */
export function momentAfter(prefix: string, at: number, format = dayAndTime): RichTextElement {
  return momentElement(at, `${prefix}${format}`);
}

/** A time after Scandesk's own words, without its year within the year of `now`. */
export function momentThisYear(prefix: string, at: number, now: number): RichTextElement {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return momentAfter(prefix, at, isThisYear ? '{date_pretty} {time}' : dayAndTime);
}

/** A time in mrkdwn. */
export function mrkdwnMoment(at: number, format = dayAndTime): string {
  return `<!date^${Math.floor(at / 1000)}^${format}|${spelledOut(at, format)}>`;
}

/** A time after Scandesk's own words in mrkdwn. `prefix` must hold no mrkdwn characters. */
export function mrkdwnMomentAfter(prefix: string, at: number, format = dayAndTime): string {
  return mrkdwnMoment(at, `${prefix}${format}`);
}

/** The time as text for clients that do not format dates: with the template's leading words, which they leave out. */
function spelledOut(at: number, format: string): string {
  return `${/^[^{]*/.exec(format)?.[0] ?? ''}${utc(at)}`;
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A line of rich text: a text, which may be from outside, or the line's parts. */
export type Line = string | readonly LinePart[];
export type LinePart = string | RichTextElement;

export function elementsOf(line: Line): RichTextElement[] {
  return [line].flat().map((part) => (typeof part === 'string' ? textElement(part) : part));
}

/** Rich text lines in one section, with breaks between them as Slack's composer makes them. */
export function richText(...lines: readonly Line[]): RichText {
  return { type: 'rich_text', elements: [richSection(joined(lines, '\n'))] };
}

export function bulletList(items: readonly Line[]): RichText {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_list', style: 'bullet', elements: items.map(richSection) }],
  };
}

/** Every section of rich text is built here, so that `withoutEntities` applies to all. */
export function richSection(line: Line): RichTextSection {
  return { type: 'rich_text_section', elements: elementsOf(line).flatMap(withoutEntities) };
}

/** Preformatted text, beside which Slack shows a button to copy it. */
export function preformatted(text: string): RichText {
  const elements = withoutEntities({ type: 'text', text });
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] };
}

/**
 * Slack documents that `&amp; &lt; &gt;` are decoded for display, but not whether rich text does so. A barcode may hold
 * `&amp;` itself: text split after the `&` holds no entity and reads the same either way.
 */
function withoutEntities<Element extends RichTextElement>(element: Element): Element[] {
  return element.type === 'text'
    ? element.text.split(/(?<=&)(?=(?:amp|lt|gt);)/).map((text) => ({ ...element, text }))
    : [element];
}

/** What stands for the characters that mrkdwn reads as markup: entities, and look-alikes where there is no entity. */
const substitutes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '*': '∗',
  _: 'ˍ',
  '~': '∼',
  '`': 'ˋ',
};

/** A colon that could start an emoji (`:100:`) or a link (`https://`). */
const markupColon = /:(?=[^\s:]+:|\/\/)/g;

/** An invisible character that breaks an emoji or a link. */
const joiner = '\u2060';

/**
 * Outside text in mrkdwn or fallback text. mrkdwn has no escape for formatting characters, so look-alikes replace these
 * characters: where every letter counts, use rich text.
 */
export function escaped(text: string): string {
  return settled(text)
    .replace(/[&<>*_~`]/g, (character) => substitutes[character]!)
    .replace(markupColon, `:${joiner}`);
}

/** A barcode in fallback text: as code where possible, since Slack reads no formatting in code; else escaped. */
export function fallback(value: string): string {
  if (value === '') {
    return '(empty)';
  }
  const text = visibleText(value);
  if (text.includes('`') || text.trim() !== text) {
    return escaped(text);
  }
  return `\`${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}\``;
}

/** Undoes Slack's escaping of a command's text, once: `&amp;lt;` is the barcode `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[name]);
}

/** The text of rich text; mentions are left out. */
export function plainText(elements: readonly RichTextElement[]): string {
  return elements
    .map((element) => {
      if (element.type === 'text') return element.text;
      if (element.type === 'link') return element.text ?? element.url;
      return element.type === 'date' ? (element.fallback ?? '') : '';
    })
    .join('');
}

/** Rich text in mrkdwn or fallback text: its text without formatting, and its mentions, but not those of channels. */
export function inMrkdwn(elements: readonly RichTextElement[]): string {
  return elements
    .map((element) => {
      if (element.type === 'user') return `<@${element.user_id}>`;
      return element.type === 'usergroup' ? `<!subteam^${element.usergroup_id}>` : escaped(plainText([element]));
    })
    .join('');
}

/** A message of nothing but lines of text, which its fallback repeats. */
export function textMessage(...lines: readonly Line[]): Message {
  return message(lines.map((line) => inMrkdwn(elementsOf(line))).join(' '), [richText(...lines)]);
}
