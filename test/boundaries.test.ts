import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** What each capability may import besides itself, packages and the foundation: the files directly in `src`. */
const foundation = [
  'clock',
  'config',
  'english',
  'errors',
  'in-turns',
  'log',
  'metrics',
  'ownership',
  'poller',
  'refusal-log',
  'timeout',
];
const stores = ['workspaces', 'database', 'codereadr'];
const allowed: Readonly<Record<string, readonly string[]>> = {
  foundation: [],
  gs1: [],
  images: [],
  schedules: [],
  database: [],
  codereadr: [],
  workspaces: ['database'],
  scans: stores,
  posts: ['scans', 'workspaces', 'database'],
  mirror: ['scans', ...stores],
  counters: ['scans', ...stores],
  watches: ['counters', 'workspaces', 'database'],
  incidents: ['watches', 'posts', 'workspaces', 'database'],
  relay: ['incidents', 'watches', 'counters', 'mirror', 'posts', 'scans', 'schedules', 'gs1', ...stores],
  pages: ['relay', 'scans', 'schedules', ...stores],
  search: ['lookup', 'relay', 'mirror', 'scans', ...stores],
  lookup: ['relay', 'mirror', 'scans', 'gs1', ...stores],
  exports: ['search', 'lookup', 'relay', 'posts', 'mirror', 'scans', ...stores],
  reports: ['search', 'lookup', 'relay', 'mirror', 'posts', 'scans', ...stores],
  slack: ['images', 'reports', 'exports', 'lookup', 'search', 'pages', 'relay', 'mirror', 'posts', 'scans', ...stores],
  server: [],
  health: ['server', 'workspaces'],
  maintenance: ['relay', 'watches', 'counters', 'scans', 'workspaces', 'database'],
  app: [
    ...['slack', 'images', 'reports', 'exports', 'lookup', 'search', 'pages', 'relay', 'watches', 'counters'],
    ...['posts', 'scans', 'mirror', ...stores, 'server', 'health', 'maintenance'],
  ],
  main: ['app'],
  sandbox: [],
};

/** The framework of `src/slack`, from the bottom up; it names no feature. */
const framework = ['block-kit', 'bolt', 'forms'];
/** A feature imports those further to the left. `home` may import all, and nobody imports it. */
const features = [
  'install',
  'help',
  'connection',
  'members',
  'operations',
  'lookup',
  'barcode-image',
  'channel-posts',
  'browse',
  'relays',
  'scans',
  'export',
  'reports',
  'forget',
  'posts',
  'audit-log',
  'messages',
  'home',
];

interface Import {
  readonly file: string;
  readonly target: string;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : path.endsWith('.ts') ? [path] : [];
  });
}

const files = filesIn(src).map((path) => relative(src, path));
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));

function importsOf(file: string): Import[] {
  const found = texts.get(file)!.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map((match) => ({
    file,
    target: relative(src, resolve(src, dirname(file), match[1]!)).replace(/\.js$/, '.ts'),
  }));
}

const imports = files.flatMap(importsOf);

function capabilityOf(file: string): string {
  const [first = ''] = file.replace(/\.ts$/, '').split('/');
  return foundation.includes(first) ? 'foundation' : first;
}

/** The folder of `src/slack`, or undefined for the files directly in it. */
function partOf(file: string): string | undefined {
  const [first, part, rest] = file.split('/');
  return first === 'slack' && rest !== undefined ? part : undefined;
}

/** Imports between folders that lie in the same one, as `relay: rules -> commit`. */
function betweenFolders(all: readonly Import[]): (readonly [from: string, to: string])[] {
  return all.flatMap(({ file, target }) => {
    const [from, to] = [file.split('/'), target.split('/')];
    const at = from.findIndex((part, index) => part !== to[index]);
    const areFolders = at < from.length - 1 && at < to.length - 1;
    return areFolders ? [[from.slice(0, at + 1).join('/'), to.slice(0, at + 1).join('/')] as const] : [];
  });
}

/** Folders within parts of `src/slack` that still know each other. The list may only get shorter. */
const knotted = [
  ...['bolt/people', 'bolt/problem', 'bolt/routing', 'channel-posts/appearance', 'channel-posts/blocks'],
  ...['operations/delete', 'operations/form', 'operations/result'],
  ...['relays/form', 'relays/setup'],
].map((folder) => `slack/${folder}`);

/** Nodes that lie on a circle. */
function onCircles(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reaches = (from: string): boolean => {
    const seen = new Set<string>();
    const open = [...(next.get(from) ?? [])];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node === from) {
        return true;
      }
      if (!seen.has(node)) {
        seen.add(node);
        open.push(...(next.get(node) ?? []));
      }
    }
    return false;
  };
  return [...next.keys()].filter(reaches).sort();
}

describe('imports run one way', () => {
  it('finds imports at all', () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.filter(({ target }) => !texts.has(target) && !target.includes('/page/'))).toEqual([]);
  });

  it('knows every folder and file of src', () => {
    expect([...new Set(files.map(capabilityOf))].filter((name) => !(name in allowed))).toEqual([]);
  });

  it('keeps each capability to those below it', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [capabilityOf(file), capabilityOf(target)];
      return from !== 'sandbox' && from !== to && to !== 'foundation' && !allowed[from]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  it('lets the sandbox know of the app only the foundation, the operations and, in its main, the app', () => {
    const wrong = imports.filter(({ file, target }) => {
      const to = capabilityOf(target);
      return (
        capabilityOf(file) === 'sandbox' &&
        !['sandbox', 'foundation'].includes(to) &&
        !target.startsWith('codereadr/operations/') &&
        !(file === 'sandbox/main.ts' && target === 'app.ts')
      );
    });
    expect(wrong).toEqual([]);
  });

  it('has no circle between files', () => {
    expect(onCircles(imports.map(({ file, target }) => [file, target]))).toEqual([]);
  });

  it('has no circle between folders, whichever folder they are in, besides those of slack that are known', () => {
    expect(onCircles(betweenFolders(imports))).toEqual(knotted);
  });
});

/** The folders that alone name a table in SQL, besides its declaration in `database`. */
const namedIn: Readonly<Record<string, string>> = {
  received_scans: 'scans',
  account_scans: 'scans',
  queue_heads: 'posts',
  call_budgets: 'posts',
  channel_queues: 'posts',
  message_updates: 'posts',
};

/** The folders that alone write a table. */
const writtenIn: Readonly<Record<string, string>> = {
  ...namedIn,
  outbox: 'posts',
  incidents: 'incidents',
  counters: 'counters',
  admissions: 'counters',
  watches: 'watches',
  mutes: 'watches',
  relays: 'relay',
  relay_secrets: 'relay',
  silences: 'relay',
  rule_memories: 'relay',
  removed_rules: 'relay',
};

describe('what Slack allows few calls of', () => {
  it('is asked in one place: a channel’s history in the search for a post', () => {
    const asking = files.filter(
      (file) => !file.startsWith('sandbox/') && /conversations\.(history|replies)\(/.test(texts.get(file)!),
    );
    expect(asking).toEqual(['slack/channel-posts/post-search.ts']);
  });
});

describe('a table has one owner', () => {
  const foldersWith = (pattern: RegExp): string[] => {
    const found = files.filter((file) => !file.startsWith('database/') && pattern.test(texts.get(file)!));
    return [...new Set(found.map(capabilityOf))];
  };

  it.each(Object.entries(namedIn))('%s is named in %s alone', (table, owner) => {
    expect(foldersWith(new RegExp(`\\b${table}\\b`))).toEqual([owner]);
  });

  it.each(Object.entries(writtenIn))('%s is written in %s alone', (table, owner) => {
    const built = `(?:insertInto|updateTable|deleteFrom)\\(\\s*'${table}'`;
    const spelled = `(?:insert into|update|delete from) ${table}\\b`;
    const looped = `for \\(const table of \\[[^\\]]*'${table}'[^\\]]*\\][^}]*(?:updateTable|deleteFrom)\\(table\\)`;
    expect(foldersWith(new RegExp(`${built}|${spelled}|${looped}`))).toEqual([owner]);
  });
});

describe('the parts of slack', () => {
  const across = imports.flatMap(({ file, target }) => {
    const [from, to] = [partOf(file), partOf(target)];
    return from !== undefined && to !== undefined && from !== to ? [{ file, target, from, to }] : [];
  });

  it('are the framework and the features', () => {
    const parts = [...new Set(files.flatMap((file) => partOf(file) ?? []))];
    expect(parts.filter((part) => !framework.includes(part) && !features.includes(part))).toEqual([]);
  });

  it('have a framework that names no feature', () => {
    expect(across.filter(({ from, to }) => framework.includes(from) && !framework.includes(to))).toEqual([]);
  });

  it('let a feature import only those below it', () => {
    const wrong = across.filter(
      ({ from, to }) =>
        features.includes(from) && features.includes(to) && features.indexOf(to) >= features.indexOf(from),
    );
    expect(wrong).toEqual([]);
  });

  it('have no circle between folders', () => {
    expect(onCircles(across.map(({ from, to }) => [from, to]))).toEqual([]);
  });

  it('are listed in one place', () => {
    const lists = imports.filter(
      ({ file, target }) => partOf(file) === undefined && features.includes(partOf(target) ?? ''),
    );
    const files = new Set(lists.map(({ file }) => file));
    expect([...files].filter((file) => file.startsWith('slack/')).sort()).toEqual([
      'slack/app.ts',
      'slack/features.ts',
      'slack/index.ts',
    ]);
  });
});

describe('names', () => {
  it('are given once: no exported type, class or factory is declared twice', () => {
    const declared = new Map<string, string[]>();
    for (const [file, text] of texts) {
      if (file.startsWith('sandbox/')) {
        continue;
      }
      for (const match of text.matchAll(
        /^export (?:abstract )?(?:interface|type|class|(?:async )?function (?=create)) ?(\w+)/gm,
      )) {
        declared.set(match[1]!, [...(declared.get(match[1]!) ?? []), file]);
      }
    }
    expect([...declared].filter(([, where]) => where.length > 1)).toEqual([]);
  });
});

describe('words', () => {
  it('for a result are spelled in one table', () => {
    const spelled = /['"`>](?:[^\w\s]{1,2} )?(?:not valid|already used|not checked|other result)['"`<]/i;
    const spelling = [...texts].filter(([file, text]) => !/^(sandbox|codereadr)\//.test(file) && spelled.test(text));
    expect(spelling.map(([file]) => file)).toEqual(['scans/result-words.ts']);
  });
});

describe('folders', () => {
  it('hold at most 20 files directly', () => {
    const counts = new Map<string, number>();
    for (const file of files.filter((each) => !each.startsWith('sandbox/'))) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    const oneEach = ['codereadr/operations', 'database/migrations'];
    expect([...counts].filter(([folder, count]) => count > 20 && !oneEach.includes(folder))).toEqual([]);
    expect(files.filter((file) => dirname(file) === 'slack').length).toBeLessThanOrEqual(3);
  });
});

describe('the judge', () => {
  const judge = resolve(import.meta.dirname, 'judge');
  const laws = readdirSync(judge).filter((name) => /(^truth|^history|-law)\.ts$/.test(name));

  it('judges by laws and a truth that import nothing of the product', () => {
    expect(laws).toContain('card-law.ts');
    const imported = laws.flatMap((name) =>
      [...readFileSync(join(judge, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, target = '']) => target),
    );
    const own = new Set(laws.map((name) => `./${name.replace(/\.ts$/, '.js')}`));
    expect(imported.filter((target) => target !== 'fast-check' && !own.has(target))).toEqual([]);
  });
});
