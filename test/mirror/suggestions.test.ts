import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { Reads } from '../../src/database/types.js';
import { createExistingValues } from '../../src/mirror/existing.js';
import { mirrorKey } from '../../src/mirror/key.js';
import { createMirrorReader } from '../../src/mirror/reader.js';
import { createResponseSearch } from '../../src/mirror/response-search.js';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import { createResponseSlices } from '../../src/mirror/tables/responses.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import type { Owner } from '../../src/ownership.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';

const other: Owner = { installation: 'T2', team: 'T2' };
const many = 5_000;
const nobody = { id: '1', name: 'n' };

onEachDatabase('suggestions from the mirror', (databases) => {
  let store: Store;
  const plans: string[] = [];
  const asked: CompiledQuery[] = [];

  /** The store, which notes the plan of each query before it runs. */
  const explained = (): Store => {
    const executor = store.db.getExecutor();
    const db = store.db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        asked.push(executor.compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const reads: Reads | undefined = store.reads && {
      all: async (statement, values) => {
        const plan = { name: `plan of ${statement.name}`, text: `explain ${statement.text}` };
        plans.push(JSON.stringify(await store.reads!.all(plan, values)));
        return await store.reads!.all(statement, values);
      },
    };
    return { ...store, db, ...(reads ? { reads } : {}) };
  };
  const planOf = async ({ sql: text, parameters }: CompiledQuery): Promise<string> => {
    const explain = databases.kind === 'sqlite' ? 'explain query plan' : 'explain';
    return JSON.stringify((await store.db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))).rows);
  };

  const parts = (from: Store) => {
    const mirrors = createAccountMirrors(store);
    const values = createDatabaseMirrors(from);
    const scans = createMirroredScans(from);
    const reader = createMirrorReader({
      ...{ store, mirrors, scans, clock: systemClock },
      databases: createDatabaseMirrors(store),
    });
    return {
      ...createExistingValues({ reader, databases: values, scans }),
      ...createResponseSearch({ reader, responses: createResponseSlices(from), clock: systemClock }),
    };
  };
  const existing = (candidates: readonly string[], most = 5, of = owner, ids = ['1', '2']) =>
    parts(store)
      .existing(of, ids, candidates, most)
      .then((found) => found.map(({ value, lost }) => (lost ? `${value} (lost)` : value)));
  const search = (text: string, limits = { most: 5, timeoutMs: 60_000 }, of = owner, ids = ['1', '2']) =>
    parts(store).searchResponses(of, ids, text.split(' '), limits);

  const fill = async (of: Owner, id: string, caseSensitive: boolean, rows: readonly (readonly [string, string])[]) => {
    const tables = createDatabaseMirrors(store);
    await tables.require(of, id, 1);
    const made = (await tables.of(of)).find((mirror) => mirror.databaseId === id)!;
    const begun = await tables.begin(made, { name: id, caseSensitive, connectedAt: 5 });
    const keyed = rows.map(([value, response]) => ({ key: mirrorKey(value, begun), value, valid: true, response }));
    await tables.put(begun.id, begun.round + 1, keyed);
    await tables.finish(begun, { size: rows.length, fetchedAt: 6, dueAt: 7 });
    return begun;
  };

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    for (const [n, each] of [owner, other].entries()) {
      await store.workspaces.connect(each, `key-of-an-account-${n}`, { connectedBy: 'U1', connectedAt: 5 });
    }
    const numbered = Array.from({ length: many }, (_, n) => [`N-${String(n).padStart(6, '0')}`, `Adult ${n}`] as const);
    await fill(owner, '1', false, [
      ...numbered,
      ['Abc-1', 'John SMITH, row 4'],
      ['Abc-2', 'Smith, John: 100 % paid_up'],
      ['Abc-3', 'Jürgen Müller'],
      ['Abc-4', 'ЖУКОВ, Ivan'],
      ['Abc-5', '部品 A'],
    ]);
    const second = await fill(owner, '2', true, [
      ['Xyz', 'x'],
      ['Gone', 'smith, gone'],
    ]);
    // The last pass met one of them only.
    const tables = createDatabaseMirrors(store);
    const [again] = (await tables.of(owner)).filter(({ id }) => id === second.id);
    await tables.put(again!.id, again!.round + 1, [{ key: 'Xyz', value: 'Xyz', valid: true, response: 'x' }]);
    await tables.finish(again!, { size: 1, fetchedAt: 8, dueAt: 9 });
    await fill(other, '1', false, [...numbered, ['CANARY', 'smith canary']]);
    if (store.reads) {
      await sql`analyze`.execute(store.db);
    }
  });
  afterAll(() => store.close());

  it('the mirror finds which of many candidates exist, in their order and in the database’s spelling', async () => {
    const candidates = Array.from({ length: 3_000 }, (_, n) => `NO-${n}`);
    candidates.splice(1_500, 0, 'ABC-2');
    candidates.splice(2_900, 0, 'abc-1');
    expect(await existing(candidates)).toEqual(['Abc-2', 'Abc-1']);
    expect(await existing(candidates, 1)).toEqual(['Abc-2']);
    expect(await existing([])).toEqual([]);
  });

  it('suggestions from the mirror distinguish case where the database does', async () => {
    expect(await existing(['XYZ', 'xyz'])).toEqual([]);
    expect(await existing(['XYZ', 'Xyz'])).toEqual(['Xyz']);
  });

  it('suggestions leave out values that the last pass did not find, or that no answer can carry', async () => {
    expect(await existing(['Gone', 'Xyz\u001d', 'Xyz\u0000', '\ud800'])).toEqual([]);
    expect((await search('gone')).values).toEqual([]);
  });

  it('suggestions include a scanned barcode that no database has', async () => {
    const accounts = createAccountMirrors(store);
    await accounts.create(owner, 5, 1);
    const mine = (await accounts.of(owner))!;
    await accounts.claim('w', 1, 2, []);
    await accounts.update('w', mine.id, { filled: 1, round: 2, scans_since: 1, scans_at: 3 });
    const scan = (id: string, value: string) => ({
      scan: {
        ...{ id, value, status: 'valid' as const, result: '', timestamp: '2026-03-01 12:00:00' },
        ...{ device: nobody, service: nobody, user: nobody, answers: [], properties: [] },
      },
      ...{ at: 2, modifiedAt: 2 },
    });
    const scans = createMirroredScans(store);
    await scans.put(mine.id, 2, [scan('1', 'SCANNED'), scan('2', 'SCANNED'), scan('3', 'x'.repeat(300))]);
    await scans.put(mine.id, 1, [scan('4', 'MISSED')]);
    expect(await existing(['scanned', 'SCANNED', 'MISSED', 'x'.repeat(300), 'x'.repeat(299)])).toEqual([
      'SCANNED',
      'x'.repeat(300),
    ]);
    expect(await existing(['SCANNED'], 5, other)).toEqual([]);
  });

  it('suggestions include neither another workspace’s values nor those of databases that were not searched', async () => {
    expect(await existing(['CANARY'])).toEqual([]);
    expect(await existing(['CANARY'], 5, other)).toEqual(['CANARY']);
    expect(await existing(['Abc-1'], 5, owner, ['2'])).toEqual([]);
    expect((await search('canary')).values).toEqual([]);
    expect((await search('john', undefined, owner, ['2'])).values).toEqual([]);
  });

  it.each([
    ['smith', ['Abc-1', 'Abc-2']],
    ['SMITH row', ['Abc-1']],
    ['JÜRGEN müller', ['Abc-3']],
    ['жуков', ['Abc-4']],
    ['部品', ['Abc-5']],
    ['100 %', ['Abc-2']],
    ['d_u', ['Abc-2']],
    ['l_e', []],
    ['!', []],
    ["' or 1=1", []],
  ])(
    'a search of responses for “%s” ignores case, takes each character literally, and suggests the values %j',
    async (text, values) => {
      expect((await search(text)).values.map(({ value }) => value)).toEqual(values);
    },
  );

  it('suggestions are limited to five values, and say when there are more', async () => {
    const found = await search('adult');
    expect(found.values.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4].map((n) => `N-00000${n}`));
    expect(found.more).toBe(true);
  });

  it('the search for suggestions stops when its time is over, and says how many values it searched', async () => {
    expect(await search('smith', { most: 5, timeoutMs: -1 })).toEqual({ values: [], more: false, searched: 0 });
    expect((await search('smith')).searched).toBeUndefined();
  });

  it('the search for suggestions reads by indexes alone', async () => {
    const watched = parts(explained());
    await watched.existing(owner, ['1', '2'], ['Abc-1', 'NO-1'], 5);
    await watched.searchResponses(owner, ['1', '2'], ['smith'], { most: 5, timeoutMs: 60_000 });
    for (const query of asked) {
      plans.push(await planOf(query));
    }
    expect(plans.length).toBeGreaterThan(4);
    for (const plan of plans) {
      expect(plan).toMatch(/USING (PRIMARY KEY|(COVERING )?INDEX)|Index (Only )?Scan/);
      expect(plan).not.toMatch(/SCAN (held|mirrored)|Seq Scan|TEMP B-TREE/);
    }
  });
});
