/**
 * The mrkdwn parser, with the rules of Slack's own clients: tokens in angle brackets, entities decoded once, formatting
 * only at word boundaries and within one line. It creates no elements and never throws: what is not markup is text.
 */
import { emojiFor } from './emoji.js';

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike' | 'code'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly label?: string }
  | { readonly kind: 'user' | 'channel' | 'usergroup'; readonly id: string; readonly label?: string }
  | { readonly kind: 'broadcast'; readonly range: string }
  | {
      readonly kind: 'date';
      readonly seconds: number;
      readonly template: string;
      readonly url?: string;
      readonly fallback: string;
    }
  | { readonly kind: 'emoji'; readonly name: string; readonly character: string };

export interface Piece {
  readonly kind: 'paragraph' | 'quote' | 'preformatted';
  readonly children: readonly Inline[];
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

const styles = { '*': 'bold', _: 'italic', '~': 'strike' } as const;
const wordCharacter = /[\p{L}\p{N}]/u;

function isWord(character: string | undefined): boolean {
  return character !== undefined && character !== '' && wordCharacter.test(character);
}

/** The index of the `>` of a token that begins at `from`, or -1. */
function tokenEnd(text: string, from: number): number {
  const end = text.indexOf('>', from + 1);
  if (end <= from + 1) return -1;
  return /[<\n]/.test(text.slice(from + 1, end)) ? -1 : end;
}

/** The index of the closing mark of a span that opens at `from`, on the same line and outside tokens, or -1. */
function closing(text: string, from: number, mark: string): number {
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\n') return -1;
    if (character === '<') {
      const end = tokenEnd(text, at);
      if (end > 0) at = end;
    } else if (character === mark && at > from + 1) {
      const inside = text[at - 1];
      const spaced = mark !== '`' && (inside === ' ' || inside === mark);
      if (!spaced && !isWord(text[at + 1]) && text[at + 1] !== mark) return at;
    }
  }
  return -1;
}

function readDate(token: string): Inline | undefined {
  const bar = token.indexOf('|');
  const fallback = decodeEntities(bar < 0 ? '' : token.slice(bar + 1));
  const [, seconds, template, url] = (bar < 0 ? token : token.slice(0, bar)).split('^');
  if (seconds === undefined || template === undefined || !/^-?\d+$/.test(seconds))
    return { kind: 'text', text: fallback };
  return {
    kind: 'date',
    seconds: Number(seconds),
    template: decodeEntities(template),
    ...(url ? { url: decodeEntities(url) } : {}),
    fallback,
  };
}

/** Parses the text between `<` and `>`; undefined if it is not a token of Slack's. */
function readToken(token: string): Inline | undefined {
  if (token.startsWith('!date^')) return readDate(token);
  const bar = token.indexOf('|');
  const head = bar < 0 ? token : token.slice(0, bar);
  const label = bar < 0 ? undefined : decodeEntities(token.slice(bar + 1));
  const named = label ? { label } : {};
  if (/^@[A-Z0-9]+$/.test(head)) return { kind: 'user', id: head.slice(1), ...named };
  if (/^#[A-Z0-9]+$/.test(head)) return { kind: 'channel', id: head.slice(1), ...named };
  const group = /^!subteam\^([A-Z0-9]+)$/.exec(head);
  if (group?.[1]) return { kind: 'usergroup', id: group[1], ...named };
  if (/^!(here|channel|everyone)$/.test(head)) return { kind: 'broadcast', range: head.slice(1) };
  if (head.startsWith('!')) return { kind: 'text', text: label ?? `<${decodeEntities(token)}>` };
  if (/^(https?:\/\/|mailto:|tel:)\S/i.test(head)) return { kind: 'link', url: decodeEntities(head), ...named };
  return undefined;
}

interface ParseOptions {
  readonly verbatim: boolean;
  /** Whether the text is code: in it, only tokens and entities have a meaning. */
  readonly code: boolean;
}

export function parseInline(text: string, options: ParseOptions): readonly Inline[] {
  const found: Inline[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') found.push({ kind: 'text', text: plain });
    plain = '';
  };
  const push = (item: Inline): void => {
    flush();
    found.push(item);
  };
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const before = at === 0 ? undefined : text[at - 1];
    if (character === '<') {
      const end = tokenEnd(text, at);
      const token = end < 0 ? undefined : readToken(text.slice(at + 1, end));
      if (token) {
        push(token);
        at = end + 1;
        continue;
      }
    } else if (character === '&') {
      const entity = /^&(?:amp|lt|gt);/.exec(text.slice(at, at + 5))?.[0];
      if (entity) {
        plain += entities[entity];
        at += entity.length;
        continue;
      }
    } else if (!options.code && !isWord(before) && before !== character) {
      const style = character === '`' ? 'code' : styles[character as keyof typeof styles];
      const next = text[at + 1];
      if (style && next !== character && (style === 'code' || next !== ' ')) {
        const end = closing(text, at, character);
        if (end > 0) {
          const inside = text.slice(at + 1, end);
          push({ kind: style, children: parseInline(inside, { ...options, code: style === 'code' }) });
          at = end + 1;
          continue;
        }
      }
      if (character === 'h' && !options.verbatim) {
        const url = /^https?:\/\/[^\s<>|`]+/i.exec(text.slice(at))?.[0]?.replace(/(?:[.,;:!?'")\]*_~]|&gt;)+$/, '');
        if (url && url.length > 8) {
          push({ kind: 'link', url: decodeEntities(url) });
          at += url.length;
          continue;
        }
      }
    }
    if (character === ':' && !options.code) {
      const name = /^:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/.exec(text.slice(at, at + 100))?.[1];
      const emoji = name === undefined ? undefined : emojiFor(name);
      if (name !== undefined && emoji !== undefined) {
        push({ kind: 'emoji', name, character: emoji });
        at += name.length + 2;
        continue;
      }
    }
    plain += character;
    at += 1;
  }
  flush();
  return found;
}

function parseLines(text: string, options: ParseOptions, pieces: Piece[]): void {
  const run: { quote: boolean; lines: string[] }[] = [];
  let isQuotedToEnd = false;
  for (const line of text.split('\n')) {
    const restMark = /^(?:&gt;|>){3} ?/.exec(line)?.[0];
    const mark = isQuotedToEnd ? '' : (restMark ?? /^(?:&gt;|>) ?/.exec(line)?.[0]);
    const quote = mark !== undefined;
    const last = run.at(-1);
    const content = line.slice(mark?.length ?? 0);
    if (last?.quote === quote) last.lines.push(content);
    else run.push({ quote, lines: [content] });
    if (restMark !== undefined) isQuotedToEnd = true;
  }
  for (const { quote, lines } of run) {
    const joined = lines.join('\n');
    if (joined === '' && !quote && run.length > 1) continue;
    if (joined !== '' || quote)
      pieces.push({ kind: quote ? 'quote' : 'paragraph', children: parseInline(joined, options) });
  }
}

/** The next fenced text, both fences included. A fence around white space only is text. */
function nextFence(text: string, from: number): { start: number; end: number; inside: string } | undefined {
  let start = text.indexOf('```', from);
  while (start >= 0) {
    const close = text.indexOf('```', start + 3);
    if (close < 0) return undefined;
    const inside = text.slice(start + 3, close);
    if (inside.trim() !== '') return { start, end: close + 3, inside };
    start = close;
  }
  return undefined;
}

/** Parses mrkdwn. `verbatim`: URLs outside angle brackets stay text. */
export function parseMrkdwn(text: string, verbatim = false): readonly Piece[] {
  const options: ParseOptions = { verbatim, code: false };
  const pieces: Piece[] = [];
  let at = 0;
  for (let fence = nextFence(text, 0); fence; fence = nextFence(text, at)) {
    // The line breaks around a fence belong to the fence.
    parseLines(text.slice(at, fence.start).replace(/\n$/, ''), options, pieces);
    const inside = fence.inside.replace(/^\n/, '').replace(/\n$/, '');
    pieces.push({ kind: 'preformatted', children: parseInline(inside, { verbatim, code: true }) });
    at = text[fence.end] === '\n' ? fence.end + 1 : fence.end;
  }
  parseLines(text.slice(at), options, pieces);
  return pieces;
}
