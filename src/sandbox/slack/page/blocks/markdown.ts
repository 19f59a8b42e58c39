/**
 * The markdown block: headings, lists, quotes, fences, tables, rules and inline marks. Slack's mrkdwn has no meaning
 * here, and HTML is plain text.
 */
import { el, link } from '../dom.js';
import { type Json, str } from '../json.js';

interface Mark {
  readonly pattern: RegExp;
  readonly draw: (found: RegExpExecArray) => Node;
}

const marks: readonly Mark[] = [
  { pattern: /\\([\\`*_{}[\]()#+\-.!~|<>])/y, draw: (found) => document.createTextNode(found[1] ?? '') },
  { pattern: /(`+)([^`]|[^`].*?[^`])\1(?!`)/y, draw: (found) => el('code', {}, found[2]) },
  { pattern: /!?\[([^\]\n]*)\]\(([^\s)]+)\)/y, draw: (found) => link(found[2] ?? '', {}, ...inline(found[1] ?? '')) },
  { pattern: /<(https?:\/\/[^\s<>]+)>/y, draw: (found) => link(found[1] ?? '', {}, found[1] ?? '') },
  { pattern: /https?:\/\/[^\s<>()]*[^\s<>().,;:!?'"*_~]/y, draw: (found) => link(found[0], {}, found[0]) },
  { pattern: /(\*\*|__)(?=\S)([^\n]*?\S)\1/y, draw: (found) => el('strong', {}, ...inline(found[2] ?? '')) },
  { pattern: /(~~)(?=\S)([^\n]*?\S)\1/y, draw: (found) => el('s', {}, ...inline(found[2] ?? '')) },
  { pattern: /\*(?=[^\s*])([^\n*]*[^\s*])\*(?!\*)/y, draw: (found) => el('em', {}, ...inline(found[1] ?? '')) },
  {
    pattern: /_(?=[^\s_])([^\n_]*[^\s_])_(?![\p{L}\p{N}_])/uy,
    draw: (found) => el('em', {}, ...inline(found[1] ?? '')),
  },
];

function inline(text: string): Node[] {
  const nodes: Node[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const insideWord = text[at] === '_' && /[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
    let drawn: Node | undefined;
    for (const mark of insideWord ? [] : marks) {
      mark.pattern.lastIndex = at;
      const found = mark.pattern.exec(text);
      if (!found) continue;
      // The pattern's state is shared with the recursive call below, so the position is saved first.
      at += found[0].length;
      drawn = mark.draw(found);
      break;
    }
    if (drawn) {
      if (plain !== '') nodes.push(document.createTextNode(plain));
      plain = '';
      nodes.push(drawn);
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain !== '') nodes.push(document.createTextNode(plain));
  return nodes;
}

const fence = /^\s*(`{3,}|~{3,})/;
const heading = /^(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^\s*([-*_])(\s*\1){2,}\s*$/;
const bullet = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const quote = /^\s{0,3}> ?/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function cells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function drawList(lines: readonly string[]): HTMLElement {
  const first = bullet.exec(lines[0] ?? '');
  const base = first?.[1]?.length ?? 0;
  const ordered = /\d/.test(first?.[2] ?? '');
  const list = el(ordered ? 'ol' : 'ul', ordered ? { start: Number.parseInt(first?.[2] ?? '1', 10) } : {});
  let nested: string[] = [];
  const settle = (): void => {
    if (nested.length > 0) list.lastElementChild?.append(drawList(nested));
    nested = [];
  };
  for (const line of lines) {
    const item = bullet.exec(line);
    if (item && (item[1]?.length ?? 0) <= base + 1) {
      settle();
      list.append(el('li', {}, ...inline(item[3] ?? '')));
    } else if (item) nested.push(line);
    else list.lastElementChild?.append(' ', ...inline(line.trim()));
  }
  settle();
  return list;
}

function drawTable(lines: readonly string[]): HTMLElement {
  const row = (line: string, tag: 'th' | 'td'): HTMLElement =>
    el('tr', {}, ...cells(line).map((cell) => el(tag, {}, ...inline(cell))));
  return el(
    'div',
    { class: 'table-box' },
    el(
      'table',
      {},
      el('thead', {}, row(lines[0] ?? '', 'th')),
      el('tbody', {}, ...lines.slice(2).map((line) => row(line, 'td'))),
    ),
  );
}

function drawLines(lines: readonly string[], box: HTMLElement): void {
  let at = 0;
  const takeLines = (test: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && test(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fenced = fence.exec(line)?.[1];
    const head = heading.exec(line);
    if (line.trim() === '') at += 1;
    else if (fenced !== undefined) {
      at += 1;
      const inside = takeLines((next) => !next.trim().startsWith(fenced));
      at += 1;
      box.append(el('pre', {}, inside.join('\n')));
    } else if (head) {
      at += 1;
      const level = Math.min(6, (head[1]?.length ?? 1) + 2);
      box.append(el(`h${level}` as 'h3', {}, ...inline(head[2] ?? '')));
    } else if (rule.test(line)) {
      at += 1;
      box.append(el('hr'));
    } else if (quote.test(line)) {
      const inner = el('blockquote');
      drawLines(
        takeLines((next) => quote.test(next)).map((next) => next.replace(quote, '')),
        inner,
      );
      box.append(inner);
    } else if (bullet.test(line)) {
      box.append(drawList(takeLines((next) => bullet.test(next) || /^\s{2,}\S/.test(next))));
    } else if (line.includes('|') && tableRule.test(lines[at + 1] ?? '')) {
      box.append(drawTable(takeLines((next) => next.includes('|'))));
    } else {
      const from = at;
      const words = takeLines(
        (next) =>
          next.trim() !== '' &&
          (next === lines[from] || !(fence.test(next) || heading.test(next) || quote.test(next) || bullet.test(next))),
      );
      box.append(el('p', {}, ...inline(words.join('\n'))));
    }
  }
}

export function drawMarkdown(block: Json): HTMLElement {
  const box = el('div', { class: 'text markdown' });
  drawLines((str(block, 'text') ?? '').split('\n'), box);
  return box;
}
