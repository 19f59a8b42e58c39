/**
 * Owns outside text on its way into Slack: barcodes, names, answers of the account. What is shown is the text and nothing
 * more: no mention, link, emoji or formatting can come of it. Nothing is trimmed; what cannot be seen is made visible.
 */
import { cut, type PlainText, plain, type RichText, type RichTextElement, type RichTextSection } from './elements.js';

/** Longer than any barcode can be (a QR code holds 4,296 characters at most), shorter than what Slack refuses. */
const longestShown = 5000;

/** Invisible or direction-changing characters: two barcodes that differ only in them would look the same. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** In names and sentences, joiners and soft hyphens are good manners; only what could change the text around is shown. */
const disturbing = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A joiner between two parts of one emoji is seen: it makes them one picture. */
const joinedEmoji = /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;

/**
 * A barcode as it is shown: controls as the pictures Unicode has for them (␝), other characters that cannot be seen by
 * their number (⟨U+200B⟩), everything else as it is.
 */
export function visible(value: string): string {
  return value
    .split(joinedEmoji)
    .map((part) => part.replace(unseen, picture))
    .join('\u200d');
}

function picture(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) {
    return String.fromCodePoint(0x2400 + code);
  }
  if (code === 0x7f) {
    return '␡';
  }
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function shown(value: string): string {
  const text = visible(value);
  return text.length <= longestShown ? text : `${cut(text, longestShown)} (${value.length} characters)`;
}

/** A barcode inside rich text: exactly as it is, on the grey of code, so that spaces at its ends show too. */
export function barcodeElement(value: string): RichTextElement {
  return value === ''
    ? { type: 'text', text: '(empty)', style: { italic: true } }
    : { type: 'text', text: shown(value), style: { code: true } };
}

/** A barcode where only plain text fits (an option, a header, a field). */
export function barcodePlain(value: string, max = 3000): PlainText {
  return plain(value === '' ? '(empty)' : cut(visible(value), max));
}

/** Outside text inside rich text, letter by letter. Line breaks stay. */
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

/** Outside text on one line for plain text, unable to change what stands around it. */
export function settled(text: string): string {
  return text.replace(disturbing, picture);
}

export function bold(text: string): RichTextElement {
  return textElement(text, { bold: true });
}

/** Our own words to type: a command. */
export function code(text: string): RichTextElement {
  return { type: 'text', text, style: { code: true } };
}

export function person(userId: string): RichTextElement {
  return { type: 'user', user_id: userId };
}

/** A link only when it is http(s) and Slack will take it; its text otherwise. */
export function linkElement(url: string, text: string): RichTextElement {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? { type: 'link', url, text: settled(text) }
    : textElement(text);
}

const dayAndTime = '{date_short_pretty} {time}';

/**
 * A moment in the reader's own zone. Slack writes it; `format` is Slack's template. One that begins with the day is written
 * with a capital (“Tomorrow”): within a sentence it begins with the word before, as `momentAfter` makes it.
 */
export function momentElement(at: number, format = dayAndTime): RichTextElement {
  return { type: 'date', timestamp: Math.floor(at / 1000), format, fallback: spelledOut(at, format) };
}

/** The same after our own words: `momentAfter('until ', at)`. */
export function momentAfter(words: string, at: number, format = dayAndTime): RichTextElement {
  return momentElement(at, `${words}${format}`);
}

/** The same inside mrkdwn. */
export function moment(at: number, format = dayAndTime): string {
  return `<!date^${Math.floor(at / 1000)}^${format}|${spelledOut(at, format)}>`;
}

/** `words`: without what mrkdwn takes for anything else. */
export function momentSaidAfter(words: string, at: number, format = dayAndTime): string {
  return moment(at, `${words}${format}`);
}

/** For who has no date from Slack: the words before it are in the template, and would be missing. */
function spelledOut(at: number, format: string): string {
  return `${/^[^{]*/.exec(format)?.[0] ?? ''}${utc(at)}`;
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Lines of rich text, in one section with breaks between them, as Slack's own composer makes them. */
export function richText(...lines: readonly (readonly RichTextElement[])[]): RichText {
  const elements = lines.flatMap((line, at): RichTextElement[] =>
    at === 0 ? [...line] : [{ type: 'text', text: '\n' }, ...line],
  );
  return { type: 'rich_text', elements: [richSection(elements)] };
}

/** The one way to a section of rich text, also for lists. */
export function richSection(elements: readonly RichTextElement[]): RichTextSection {
  return { type: 'rich_text_section', elements: elements.flatMap(withoutEntities) };
}

/**
 * Slack's reference says that `&amp; &lt; &gt;` are decoded for display, and leaves open whether in rich text as well. A
 * barcode may hold those letters: cut after the `&`, they are no entity, and are read as they are either way.
 */
function withoutEntities(element: RichTextElement): RichTextElement[] {
  return element.type === 'text'
    ? element.text.split(/(?<=&)(?=(?:amp|lt|gt);)/).map((text) => ({ ...element, text }))
    : [element];
}

/** What mrkdwn would take for formatting or emoji, and what looks like it. */
const lookAlikes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '*': '∗',
  _: 'ˍ',
  '~': '∼',
  '`': 'ˋ',
};

/** A colon that could begin an emoji (`:100:`) or a link (`https://`). */
const meaningColon = /:(?=[^\s:]+:|\/\/)/g;

/** Nothing to see, and yet no emoji and no link goes on after it. */
const joiner = '\u2060';

/**
 * Outside text inside mrkdwn or fallback text. Formatting characters become look-alikes, since mrkdwn has no escape for
 * them: where every letter counts, use rich text. A colon stays one.
 */
export function escaped(text: string): string {
  return settled(text)
    .replace(/[&<>*_~`]/g, (character) => lookAlikes[character]!)
    .replace(meaningColon, `:${joiner}`);
}

/** A barcode in fallback text: code where it can be, which Slack leaves as it is, else escaped. */
export function fallback(value: string): string {
  if (value === '') {
    return '(empty)';
  }
  const text = shown(value);
  if (text.includes('`') || text.trim() !== text) {
    return escaped(text);
  }
  return `\`${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}\``;
}

/** What Slack escaped in a command's text, decoded once: `&amp;lt;` is the barcode `&lt;`. */
export function decode(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[name]);
}
