import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectTable } from './helpers/written-docs.js';

const src = resolve(import.meta.dirname, '../src');

/** Files that every capability may import. */
const foundation = [
  'did-you-mean',
  'clock',
  'config',
  'english',
  'errors',
  'in-turns',
  'log',
  'metrics',
  'ownership',
  'poller',
  'process',
  'read-cache',
  'refusal-log',
  'timeout',
];
interface Capability {
  /** What the folder is, for docs/architecture.md. */
  readonly what: string;
  /** The folders that it imports besides itself, packages and the foundation, from the top down. */
  readonly imports: readonly string[];
}

/** The folders of `src`, and the files that lie beside them, from the bottom up. */
const capabilities: Readonly<Record<string, Capability>> = {
  foundation: { what: 'the files of `src` itself: settings, clock, log, metrics, errors, timeouts', imports: [] },
  gs1: { what: 'the parts of a GS1 barcode, their formats, dates and check digits', imports: [] },
  images: { what: 'barcodes read from pictures, in a worker thread', imports: [] },
  schedules: { what: 'time zones, and hours of a week on their wall clock', imports: [] },
  database: {
    what: 'opening SQLite or PostgreSQL, migrations, schema, Keyv’s storage; `jobs/`: what happens later, and its runner',
    imports: [],
  },
  codereadr: {
    what: 'the account’s API: `operations/` declares each operation as data; the client checks, counts, sends, reads',
    imports: [],
  },
  workspaces: { what: 'installations, API key, settings, sealing, audit, erasing', imports: ['database'] },
  scans: {
    what: 'a scan: what relays `received/`, what the `account/` recorded, and which of both are the same scan',
    imports: ['workspaces', 'codereadr', 'database'],
  },
  posts: {
    what: 'messages that Scandesk sends by itself: the outbox, its states, leases, workers, updates, and which old ones go',
    imports: ['workspaces', 'database'],
  },
  workflows: {
    what: 'webhook triggers of Slack’s workflows: their URLs, sealed, and the request that starts one',
    imports: ['posts', 'workspaces', 'database'],
  },
  mirror: {
    what: 'the account’s values and scans kept here: passes over both, a share of the calls, one process for each account',
    imports: ['scans', 'workspaces', 'codereadr', 'database'],
  },
  counters: {
    what: 'how often relays saw and admitted a barcode, device, user or service',
    imports: ['scans', 'workspaces', 'codereadr', 'database'],
  },
  watches: {
    what: 'watches and mutes: who is called, and which posts are left out',
    imports: ['counters', 'posts', 'workspaces', 'database'],
  },
  incidents: {
    what: 'an alert’s life: open, acknowledged, escalated, over; what it needs of a relay is handed in (`alerting.ts`)',
    imports: ['watches', 'posts', 'workspaces', 'database'],
  },
  relay: {
    what: 'from below: `conditions/` (what a rule asks of a scan, in one file each, and its words), `record/` (a relay, its settings and locks), `postback/` (what a device sends and gets), `commit/`, `validation/`, `rules/`, `posts/`, `retention/`, `relays/` (what people change), `intake/`',
    imports: [
      ...['incidents', 'watches', 'counters', 'mirror', 'posts', 'scans', 'workspaces'],
      ...['codereadr', 'database', 'schedules', 'gs1'],
    ],
  },
  pages: {
    what: 'pages that a device opens: look-up and history',
    imports: ['relay', 'scans', 'workspaces', 'codereadr', 'database', 'schedules'],
  },
  places: {
    what: 'where barcodes are by their scans in the order of their moments: lists, their fold, figures, boards, alerts, what is lent',
    imports: [
      ...['relay', 'incidents', 'watches', 'mirror', 'posts', 'scans', 'workspaces'],
      ...['codereadr', 'database', 'schedules'],
    ],
  },
  lookup: {
    what: 'what is known of a barcode: sources, headline, suggestions; no word of Slack',
    imports: ['relay', 'mirror', 'scans', 'codereadr', 'gs1'],
  },
  search: {
    what: 'searches for scans, and saved ones',
    imports: ['mirror', 'scans', 'workspaces', 'codereadr', 'gs1'],
  },
  exports: {
    what: 'files of scans, values and who was inside',
    imports: ['search', 'places', 'mirror', 'posts', 'scans', 'workspaces', 'codereadr', 'database'],
  },
  reports: {
    what: 'daily figures',
    imports: ['search', 'places', 'relay', 'posts', 'scans', 'workspaces', 'codereadr', 'database'],
  },
  slack: {
    what: '`bolt/`, `block-kit/`, `forms/`: the framework; `inputs/`: inputs that several features share; `conditions/`: the menu and fields of a rule’s conditions, made of their declarations; every other folder is a feature',
    imports: [
      ...[
        'reports',
        'exports',
        'search',
        'lookup',
        'places',
        'pages',
        'relay',
        'mirror',
        'posts',
        'scans',
        'workspaces',
      ],
      ...['workflows', 'codereadr', 'database', 'images'],
    ],
  },
  server: { what: 'the HTTP server', imports: [] },
  mcp: {
    what: 'tools that Slackbot calls for a person, answered as the commands are; they only read',
    imports: ['server', 'slack', 'search', 'lookup', 'places', 'relay', 'incidents', 'scans', 'codereadr'],
  },
  health: { what: 'whether the process is ready', imports: ['slack', 'server', 'workspaces'] },
  maintenance: { what: 'what is deleted once its time is over', imports: ['relay', 'workspaces', 'database'] },
  app: {
    what: 'joins the parts; nothing else knows them all',
    imports: [
      ...[
        'maintenance',
        'health',
        'mcp',
        'server',
        'slack',
        'reports',
        'exports',
        'lookup',
        'places',
        'pages',
        'relay',
        'watches',
      ],
      ...['counters', 'mirror', 'workflows', 'posts', 'scans', 'workspaces', 'codereadr', 'database', 'images'],
    ],
  },
  'start-screen': { what: 'what an operator reads of a start that has a problem', imports: ['slack'] },
  main: { what: 'the process', imports: ['app', 'start-screen'] },
  sandbox: {
    what: 'an account service and a Slack workspace to run without accounts; both are reached by HTTP. Of the code, `codereadr/operations/` and, in `main.ts` alone, `app.ts`',
    imports: ['app', 'codereadr'],
  },
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
  'inputs',
  'lent',
  'lookup',
  'barcode-image',
  'conditions',
  'channel-posts',
  'browse',
  'relays',
  'places',
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

/** Imports between two folders of one parent, as from `relay/rules` to `relay/commit`. */
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
  it('the test of imports finds over 1,000 imports in src, and each import leads to a file', () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.filter(({ target }) => !texts.has(target) && !target.includes('/page/'))).toEqual([]);
  });

  it('every folder and file of src has a row in the table of allowed imports', () => {
    expect([...new Set(files.map(capabilityOf))].filter((name) => !(name in capabilities))).toEqual([]);
  });

  it('a folder of src imports exactly the folders that its row of the table names', () => {
    for (const [name, { imports: declared }] of Object.entries(capabilities)) {
      const from = imports.filter(({ file }) => capabilityOf(file) === name);
      const found = new Set(from.map(({ target }) => capabilityOf(target)));
      expect([...found].filter((each) => each !== name && each !== 'foundation').sort(), name).toEqual(
        declared.toSorted(),
      );
    }
  });

  it('a folder of src is listed in the table before every folder that it imports', () => {
    const order = Object.keys(capabilities);
    for (const [name, { imports: declared }] of Object.entries(capabilities)) {
      expect(
        declared.filter((each) => order.indexOf(each) >= order.indexOf(name)),
        name,
      ).toEqual([]);
    }
  });

  it('docs/architecture.md has the table of the folders of src', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(capabilityOf));
    const rows = Object.entries(capabilities).map(([name, { what, imports: declared }]) => [
      name === 'foundation' ? '`*.ts`' : folders.has(name) ? `\`${name}/\`` : `\`${name}.ts\``,
      what,
      declared.join(', '),
    ]);
    expectTable('docs/architecture.md', 'folders', ['folder', 'what it is', 'imports'], rows);
  });

  it('the sandbox imports of the app only the foundation, the operations and, in its main, app.ts', () => {
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

  it('no files of src import each other in a circle', () => {
    expect(onCircles(imports.map(({ file, target }) => [file, target]))).toEqual([]);
  });

  it('no folders import each other in a circle, except for the listed folders of slack', () => {
    expect(onCircles(betweenFolders(imports))).toEqual(knotted);
  });
});

/** The folders that alone name a table in SQL, besides its declaration in `database`. */
const namedIn: Readonly<Record<string, string>> = {
  received_scans: 'scans',
  account_scans: 'scans',
  held_sources: 'posts',
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
  relay_refusals: 'relay',
  silences: 'relay',
  rule_memories: 'relay',
  removed_rules: 'relay',
  place_marks: 'scans',
  place_lists: 'places',
  place_moves: 'places',
  places: 'places',
  place_minutes: 'places',
  place_spans: 'places',
  place_gates: 'places',
  place_runs_ended: 'places',
};

describe('statements that a single file may send', () => {
  const filesWith = (pattern: RegExp): string[] =>
    files.filter((file) => !/^database\/(migrations|schema)/.test(file) && pattern.test(texts.get(file)!));

  it('only database/claims/claim.ts selects rows with “skip locked”', () => {
    expect(filesWith(/skip ?locked/i)).toEqual(['database/claims/claim.ts']);
  });

  it('only claimRows assigns rows to a worker, and only the listed files call claimRows', () => {
    expect(filesWith(/\bset\(\{[^}]*claimed_by: (?!null)|\bset [^`]*claimed_by =/)).toEqual([]);
    expect(filesWith(/\bclaimRows\(/)).toEqual([
      'database/jobs/job-rows.ts',
      'mirror/tables/accounts.ts',
      'places/folder.ts',
      'posts/outbox/leases.ts',
      'posts/outbox/message-updates.ts',
    ]);
  });

  it('only one file inserts into channel_queues to make a channel’s queue due', () => {
    expect(filesWith(/insert into channel_queues|insertInto\(\s*'channel_queues'/)).toEqual([
      'posts/outbox/channel-queues.ts',
    ]);
  });
});

describe('methods for which Slack allows few calls', () => {
  /** The folders that may read a channel's history: posts, the erasing of a barcode's posts, and direct messages. */
  const mayAsk = ['slack/posts', 'slack/forget', 'slack/messages'];

  it('only the search for a post reads a channel’s history, for which Slack allows few calls', () => {
    const asking = files.filter(
      (file) =>
        !file.startsWith('sandbox/') &&
        /conversations\.(history|replies)\(|apiCall\(\s*'conversations/.test(texts.get(file)!),
    );
    expect(asking).toEqual(['slack/posts/post-search.ts']);
    const searching = imports.filter(({ target }) => asking.includes(target)).map(({ file }) => dirname(file));
    expect(searching).not.toEqual([]);
    expect(searching.filter((folder) => !mayAsk.includes(folder))).toEqual([]);
  });
});

describe('a table has one owner', () => {
  const foldersWith = (pattern: RegExp): string[] => {
    const found = files.filter((file) => !file.startsWith('database/') && pattern.test(texts.get(file)!));
    return [...new Set(found.map(capabilityOf))];
  };

  it.each(Object.entries(namedIn))('the table %s is named only in the folder %s', (table, owner) => {
    expect(foldersWith(new RegExp(`\\b${table}\\b`))).toEqual([owner]);
  });

  it.each(Object.entries(writtenIn))('the table %s is written only by the folder %s', (table, owner) => {
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

  it('a folder of slack is part of the framework or a feature', () => {
    const parts = [...new Set(files.flatMap((file) => partOf(file) ?? []))];
    expect(parts.filter((part) => !framework.includes(part) && !features.includes(part))).toEqual([]);
  });

  it('the framework of slack imports no feature', () => {
    expect(across.filter(({ from, to }) => framework.includes(from) && !framework.includes(to))).toEqual([]);
  });

  it('a feature of slack imports only features that are listed before it', () => {
    const wrong = across.filter(
      ({ from, to }) =>
        features.includes(from) && features.includes(to) && features.indexOf(to) >= features.indexOf(from),
    );
    expect(wrong).toEqual([]);
  });

  it('no folders of slack import each other in a circle', () => {
    expect(onCircles(across.map(({ from, to }) => [from, to]))).toEqual([]);
  });

  it('of the files directly in slack only app.ts, features.ts and index.ts import features', () => {
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
  it('no exported type, class or factory is declared twice', () => {
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
  it('comments name only files that exist', () => {
    const named = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/^\s*(?:\/?\*|\/\/).*?`((?:[\w-]+\/)*[\w-]+\.ts)`/gm)].map(([, path = '']) => ({ file, path })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ path }) => !files.some((each) => `/${each}`.endsWith(`/${path}`)))).toEqual([]);
  });

  it('doc comments of functions explain only names that the function has', () => {
    const isFunction = /^ *(?:export )?(?:const \w+ = )?(?:async )?(?:function|\*?\w*(?:<.*>)?\()|^.*=>/;
    const documented = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/^( *)\/\*\*([\s\S]*?)\*\/\n((?:\1\S.*\n)(?:\n|\1[ )}\]].*\n)*)/gm)].flatMap(
        ([, , comment = '', declaration = '']) =>
          isFunction.test(declaration) ? [{ file, comment, declaration }] : [],
      ),
    );
    const explained = documented.flatMap(({ file, comment, declaration }) => {
      const code = declaration.replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');
      return [...comment.matchAll(/`([a-z]\w*)`:|@param (?:\w+\.)*(\w+)/g)].map(([, label, param = label!]) => ({
        ...{ file, name: param, isKnown: new RegExp(`\\b${param}\\b`).test(code) },
      }));
    });
    expect(explained.length).toBeGreaterThan(100);
    expect(explained.filter(({ isKnown }) => !isKnown)).toEqual([]);
  });

  it('the words for a result are spelled in one file', () => {
    const spelled = /['"`>](?:[^\w\s]{1,2} )?(?:not valid|already used|not checked|other result)['"`<]/i;
    const spelling = [...texts].filter(([file, text]) => !/^(sandbox|codereadr)\//.test(file) && spelled.test(text));
    expect(spelling.map(([file]) => file)).toEqual(['scans/result-words.ts']);
  });
});

describe('folders', () => {
  it('a folder of src but sandbox, operations and migrations has at most 20 files, and slack itself at most 3', () => {
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

  it('the rules by which the judge decides import nothing of the product', () => {
    expect(laws).toContain('card-law.ts');
    const imported = laws.flatMap((name) =>
      [...readFileSync(join(judge, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, target = '']) => target),
    );
    const own = new Set(laws.map((name) => `./${name.replace(/\.ts$/, '.js')}`));
    expect(imported.filter((target) => target !== 'fast-check' && !own.has(target))).toEqual([]);
  });
});
