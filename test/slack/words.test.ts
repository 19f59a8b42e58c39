/** One thing has one word in all that people read: forms, posts, pages, exports, the fields of operations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../../src');
/** The folders that hold text for people. */
const folders = [
  'slack',
  'scans',
  'search',
  'reports',
  'exports',
  'lookup',
  'pages',
  'relay/validation',
  'codereadr/operations',
];

const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`)*\})*)`/g;
/** What stands before text that nobody but an operator or a contributor reads. */
const unread = /(?:Error\([^;]*|\blog\.[^;]*|\bsql(?:<[^`]*>)?|\bfrom |\bnotes:\s*)$/;

/** Text of one line with a space or a capital: no codes and keys, no errors and log lines. */
function proseIn(file: string): string[] {
  const code = readFileSync(join(src, file), 'utf8');
  return [...code.matchAll(token)].flatMap((found) => {
    const text = found[1] ?? found[2]?.replaceAll(/\$\{[^}]*\}/g, '…') ?? '';
    const before = code.slice(Math.max(0, found.index - 200), found.index);
    const isKey = code[found.index + found[0].length] === ':';
    return / |^[A-Z]/.test(text) && !text.includes('\n') && !isKey && !unread.test(before) ? [`${file}: ${text}`] : [];
  });
}

const prose = folders.flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => proseIn(join(folder, file))),
);

describe('what people read', () => {
  it.each([
    ['a result is not valid, never invalid', /\binvalid\b/i],
    ['a request is refused, never rejected', /\breject(s|ed)?\b/i],
    ['a scan is admitted, never accepted', /(?<!The account |both are )\baccepted\b/i],
    ['an alert is an alert, never a burst or a silence', /\b(bursts?|silences?)\b/i],
    [
      'a relay has a webhook URL, and no address or endpoint',
      /\bendpoint\b|\brelay’s address\b|\baddress of (a|the) relay\b/i,
    ],
  ])('texts for people use one word for one thing: %s', (_title, word) => {
    expect(prose.length).toBeGreaterThan(2_000);
    // A file's name is left out: it may be a stored kind of condition, such as burst.
    expect(prose.filter((text) => word.test(text.slice(text.indexOf(': '))))).toEqual([]);
  });
});
