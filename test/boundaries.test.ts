import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** What each room may import, besides itself and packages. `foundation`: the files directly in src/ that hold no wiring. */
const foundation = ['config', 'errors', 'log', 'metrics', 'clock', 'ownership', 'refusal-log'];
const allowed: Record<string, readonly string[]> = {
  foundation: ['foundation'],
  database: ['foundation', 'workspaces'],
  codereadr: ['foundation'],
  workspaces: ['foundation', 'database', 'relay'],
  relay: ['foundation', 'codereadr', 'database', 'workspaces'],
  lookup: ['foundation', 'codereadr', 'relay', 'workspaces', 'database'],
  slack: ['foundation', 'codereadr', 'database', 'workspaces', 'lookup', 'relay'],
  app: [
    'foundation',
    'codereadr',
    'database',
    'workspaces',
    'lookup',
    'relay',
    'slack',
    'server',
    'health',
    'maintenance',
  ],
  health: ['foundation', 'server', 'workspaces'],
  maintenance: ['foundation', 'database', 'relay', 'workspaces'],
  server: ['foundation'],
  main: ['foundation', 'app'],
};

/** Folders that have been declared a room; a new one must be put here with a thought about its direction. */
const rooms = ['codereadr', 'database', 'lookup', 'relay', 'sandbox', 'slack', 'workspaces'];

interface Import {
  readonly file: string;
  readonly target: string;
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map((match) => ({
    file: relative(src, path),
    target: relative(src, resolve(dirname(path), match[1]!)).replace(/\.js$/, ''),
  }));
}

function roomOf(path: string): string {
  const [first = ''] = path.replace(/\.ts$/, '').split('/');
  return foundation.includes(first) ? 'foundation' : first;
}

const all = files(src).flatMap(importsOf);

describe('imports run one way', () => {
  it('finds imports at all', () => {
    expect(all.length).toBeGreaterThan(20);
  });

  it('knows every folder of src', () => {
    const folders = readdirSync(src).filter((name) => statSync(join(src, name)).isDirectory());
    expect(folders.filter((name) => !rooms.includes(name))).toEqual([]);
  });

  it('keeps each room to the rooms below it', () => {
    const wrong = all.filter(({ file, target }) => {
      const from = roomOf(file);
      const to = roomOf(target);
      return from !== 'sandbox' && from !== to && !allowed[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  it('lets the sandbox know of the app only the foundation, the catalogue and, in its main, the app', () => {
    const wrong = all.filter(({ file, target }) => {
      if (roomOf(file) !== 'sandbox' || roomOf(target) === 'sandbox' || roomOf(target) === 'foundation') {
        return false;
      }
      return !(target.startsWith('codereadr/operations') || (file === 'sandbox/main.ts' && target === 'app'));
    });
    expect(wrong).toEqual([]);
  });

  it('reads the environment in entry points only', () => {
    const readers = files(src)
      .filter((path) => /process\.env/.test(readFileSync(path, 'utf8')))
      .map((path) => relative(src, path));
    expect(readers.filter((path) => !/(^|\/)main\.ts$/.test(path))).toEqual([]);
  });

  it('branches nowhere on the kind of environment', () => {
    const named = ['NODE', 'ENV'].join('_');
    expect(files(src).filter((path) => readFileSync(path, 'utf8').includes(named))).toEqual([]);
  });
});
