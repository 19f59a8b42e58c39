import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../src/config.js';
import { createMetrics } from '../src/metrics.js';
import { sampleDatabases } from '../src/sandbox/codereadr/sample/values.js';
import { expectTable, writtenIn } from './helpers/written-docs.js';

const root = resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(resolve(root, name), 'utf8');
const readme = read('README.md');
const documents = [
  'README.md',
  'docs/account-api.md',
  'docs/architecture.md',
  'docs/commands.md',
  'docs/delivery.md',
  'docs/exports.md',
  'docs/inside.md',
  'docs/lookups.md',
  'docs/operating.md',
  'docs/performance.md',
  'docs/relays.md',
  'docs/slackbot.md',
  'docs/testing.md',
] as const;
const scripts = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).scripts as Record<string, string>;

function settingRow(name: string, setting: { description: string; example?: string; default?: string }): string[] {
  const code = (text = '') => (text === '' || text.includes(' ') ? text : `\`${text}\``);
  const value = setting.default === undefined ? '(required)' : code(setting.default);
  return [`\`${name}\``, setting.description, value, code(setting.example)];
}

describe('the README', () => {
  it('the README has at most 90 lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(91);
  });

  it('links in the README and the docs lead to existing files and headings', () => {
    const anchor = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
    for (const name of documents) {
      for (const [, path, fragment] of read(name).matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g)) {
        const target = readFileSync(resolve(root, dirname(name), path!), 'utf8');
        const headings = [...target.matchAll(/^#+ (.+)$/gm)].map((match) => anchor(match[1]!));
        expect(fragment === undefined || headings.includes(fragment), `${name}: ${path}#${fragment}`).toBe(true);
      }
    }
  });

  it('files and folders that the README and the docs name exist', () => {
    const paths = ['src', 'test'].flatMap((top) =>
      readdirSync(resolve(root, top), { recursive: true, encoding: 'utf8' }).map((name) => `/${top}/${name}`),
    );
    const named = documents.flatMap((name) => [
      ...[...read(name).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.ts)`/g)].map((match) => match[1]!),
      ...[...read(name).matchAll(/`((?:[\w.-]+\/)*[\w.-]+)\/`/g)].map((match) => match[1]!),
    ]);
    expect(named.length).toBeGreaterThan(100);
    const isThere = (name: string) => name === 'x-command.ts' || paths.some((path) => path.endsWith(`/${name}`));
    expect([...new Set(named)].filter((name) => !isThere(name))).toEqual([]);
  });

  it('functions and types that docs/architecture.md names are in the source or its tests', () => {
    const files = ['src', 'test'].flatMap((top) =>
      readdirSync(resolve(root, top), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && name !== 'readme.test.ts')
        .map((name) => read(join(top, name))),
    );
    const named = [...read('docs/architecture.md').matchAll(/`([a-z]+[A-Z]\w*)[`(]/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(5);
    const known = new Set(files.join('\n').match(/\w+/g));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('npm scripts that the README and the docs name exist', () => {
    const named = [
      ...documents
        .map(read)
        .join('\n')
        .matchAll(/npm run ([a-z:]+)/g),
    ].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('the script of npm run demo prints “Building Scandesk.” before it builds', () => {
    expect(scripts.demo).toMatch(/^echo Building Scandesk\. && npm run --silent build && node /);
  });

  it('barcodes that the README looks up are in the demo’s databases', () => {
    const examples = [...readme.matchAll(/`\/barcode (\d+)`/g)].map((match) => match[1]!);
    expect(examples).toHaveLength(2);
    const known = sampleDatabases().flatMap(({ values }) => values.map(({ value }) => value));
    expect(examples.filter((value) => !known.includes(value))).toEqual([]);
  });

  it('pictures that the README shows are PNG files', () => {
    for (const [, path] of readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      expect(readFileSync(resolve(root, path!)).subarray(1, 4).toString()).toBe('PNG');
    }
  });
});

describe('docs/operating.md', () => {
  it('docs/operating.md is a runbook of at most 4,500 words, whose contents name each of its sections', () => {
    const text = read('docs/operating.md');
    const sections = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1]!);
    const contents = text.split('\n')[2] ?? '';
    expect([...contents.matchAll(/\[([^\]]+)\]\(#[a-z-]+\)/g)].map((match) => match[1])).toEqual(sections);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(4_500);
  });

  it('docs/operating.md lists the declared settings', () => {
    const rows = Object.entries(settings).map(([name, setting]) => settingRow(name, setting));
    expectTable('docs/operating.md', 'settings', ['setting', 'what it is', 'default', 'example'], rows);
  });

  it('docs/operating.md says for every metric when to look at it and what it means', async () => {
    const table = writtenIn('docs/operating.md', 'metrics') ?? '';
    const named = [...table.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map((match) => match[1]!);
    const { registry } = createMetrics({ processFigures: true });
    const known = (await registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => name.startsWith('scandesk_') && !named.includes(name))).toEqual([]);
  });
});

describe('the table of what is kept', () => {
  it('the table of what is kept, in docs/operating.md, has a row for every table of the schema', () => {
    const schema = read('src/database/schema.ts').split('export interface Schema {')[1] ?? '';
    const tables = [...schema.matchAll(/^ {2}(\w+): \w+Table;$/gm)].map(([, table]) => `\`${table}\``);
    const kept = (read('docs/operating.md').split('## Keep and forget')[1] ?? '').split('\n## ')[0] ?? '';
    const where = kept.split('\n').map((line) => (line.startsWith('| ') ? line.split(' | ')[1] : '') ?? '');
    expect(tables.length).toBeGreaterThan(20);
    expect(tables.filter((table) => !where.some((cell) => cell.split(', ').includes(table)))).toEqual([]);
  });
});
