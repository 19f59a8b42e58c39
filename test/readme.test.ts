import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../src/config.js';
import { sampleDatabases } from '../src/sandbox/codereadr/sample/values.js';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
const scripts = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).scripts as Record<string, string>;

function row(name: string, setting: { means: string; example: string; fallback?: string }): string {
  const fallback =
    setting.fallback === undefined ? '(required)' : setting.fallback === '' ? '' : `\`${setting.fallback}\``;
  return `| \`${name}\` | ${setting.means} | ${fallback} | ${setting.example.includes(' ') ? setting.example : `\`${setting.example}\``} |`;
}

describe('the README', () => {
  it('lists every setting as the code knows it', () => {
    const listed = readme.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line));
    expect(listed).toEqual(Object.entries(settings).map(([name, setting]) => row(name, setting)));
  });

  it('names only scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('looks up a barcode that the demo knows, in its list of features and in its steps', () => {
    const examples = [...readme.matchAll(/`\/barcode (\d+)`/g)].map((match) => match[1]!);
    expect(examples).toHaveLength(2);
    const known = sampleDatabases().flatMap(({ values }) => values.map(({ value }) => value));
    expect(examples.filter((value) => !known.includes(value))).toEqual([]);
  });

  it('shows a picture that is there', () => {
    for (const [, path] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      expect(readFileSync(resolve(root, path!)).subarray(1, 4).toString()).toBe('PNG');
    }
  });
});
