import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import {
  createDatabaseMirrors,
  type DatabaseMirror,
  type DatabaseMirrorStore,
} from '../../src/mirror/tables/databases.js';
import { createResponseSlices } from '../../src/mirror/tables/responses.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, stranger } from '../helpers/relay.js';

onEachDatabase('mirrors of databases', (databases) => {
  let store: Store;
  let copies: DatabaseMirrorStore;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    copies = createDatabaseMirrors(store);
  });
  afterEach(async () => {
    await store.db.deleteFrom('mirrored_values').execute();
    await store.db.deleteFrom('mirrored_databases').execute();
  });
  afterAll(() => store.close());

  const begun = async (databaseId = '7', fresh: Partial<DatabaseMirror> = {}) => {
    await copies.require(owner, databaseId, 1);
    const copy = (await copies.of(owner)).find((each) => each.databaseId === databaseId) as DatabaseMirror;
    return await copies.begin(copy, { name: 'Tickets', caseSensitive: false, connectedAt: 5, ...fresh });
  };
  const value = (key: string, more: object = {}) => ({
    ...{ key, value: key, valid: true, response: '' },
    ...more,
  });
  const keysOf = async (copy: DatabaseMirror, keys: readonly string[]) =>
    (await copies.load(keys.map((key) => ({ mirrorId: copy.id, key })))).flatMap(([found]) => found?.key ?? []);

  it('a database that is required several times has one mirror for each owner', async () => {
    await copies.require(owner, '7', 1);
    await copies.require(owner, '7', 9);
    await copies.require(stranger, '7', 1);
    expect(await copies.of(owner)).toMatchObject([{ databaseId: '7', owner, round: 0, size: 0 }]);
    expect(await copies.of(stranger)).toHaveLength(1);
  });

  it('a mirror of a database uses up no new ID when it is required again', async () => {
    for (const databaseId of ['7', '7', '7', '8']) {
      await copies.require(owner, databaseId, 1);
    }
    const [first, second] = await copies.of(owner);
    expect(second!.id - first!.id).toBe(1);
  });

  it('an account’s mirror is claimed by one process, and by another once the claim has expired', async () => {
    const mirrors = createAccountMirrors(store);
    const claim = (worker: string, now: number, but: readonly number[] = []) =>
      mirrors.claim(worker, now, now + 100, but);
    await mirrors.create(owner, 5, 1);
    await mirrors.create(owner, 5, 1);
    await mirrors.create(stranger, 5, 1);
    const first = await claim('a', 10);
    const second = await claim('b', 10);
    expect(new Set([first?.owner, second?.owner])).toEqual(new Set([owner, stranger]));
    expect(await claim('b', 10, [second?.id ?? 0])).toBeUndefined();
    expect((await mirrors.update('a', first?.id ?? 0, { claimed_until: 500 }))?.id).toBe(first?.id);
    expect(await mirrors.update('b', first?.id ?? 0, { claimed_until: 500 })).toBeUndefined();
    expect((await claim('c', 111))?.id).toBe(second?.id);
    for (const { id } of await mirrors.all()) {
      await mirrors.drop(id);
    }
  });

  it('mirrors return values exactly, in the order of the keys, and no values of other mirrors', async () => {
    const copy = await begun();
    const other = await begun('8');
    const long = 'x'.repeat(3_000);
    const keys = ['00123', '123', ' 123', 'a"b\\c', '🎟️', "'; drop", `${long}a`, `${long}b`, 'null', '%_'];
    await copies.put(
      copy.id,
      copy.round + 1,
      keys.map((key, n) => value(key, { valid: n % 2 === 0, response: `<${key.slice(0, 9)}>` })),
    );
    const asked = [...keys, 'none', `${long}c`].reverse();
    const found = await copies.load(asked.map((key) => ({ mirrorId: copy.id, key })));
    expect(found).toEqual(
      asked.map((key) => {
        const n = keys.indexOf(key);
        return n === -1
          ? []
          : [
              {
                ...{ key, value: key, valid: n % 2 === 0, response: `<${key.slice(0, 9)}>` },
                ...{ round: 1, sureFrom: 1, lostRound: null },
              },
            ];
      }),
    );
    expect(await keysOf(other, keys)).toEqual([]);
    expect(await copies.load([])).toEqual([]);
  });

  it('a mirror deletes values once two complete passes did not find them, and not before', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => value(`v${n}`));
    const stay = many.filter((_, n) => n % 3 === 0).map(({ key }) => value(key, { response: 'new' }));
    const pass = async (values: typeof many, at: number) => {
      const [mirror] = (await copies.of(owner)) as [DatabaseMirror];
      const copy = await copies.begin(mirror, mirror);
      await copies.put(copy.id, copy.round + 1, values);
      await copies.finish(copy, { size: values.length, fetchedAt: at, dueAt: at + 10 });
      return copy;
    };
    await begun();
    await pass(many, 50);
    expect((await copies.of(owner))[0]).toMatchObject({ fetchedAt: 50, dueAt: 60, size: 3_000, round: 1 });
    // A pass that is not completed takes nothing away, however often.
    for (const _ of [1, 2, 3]) {
      const [mirror] = (await copies.of(owner)) as [DatabaseMirror];
      await copies.put((await copies.begin(mirror, mirror)).id, mirror.round + 1, stay);
      await copies.fail(mirror, { code: 'account.broken', dueAt: 61 });
    }
    const copy = await pass(stay, 71);
    expect(await keysOf(copy, ['v0', 'v1', 'v2', 'v3'])).toEqual(['v0', 'v1', 'v2', 'v3']);
    await pass(stay, 81);
    expect(await keysOf(copy, ['v0', 'v1', 'v2', 'v3', 'v2999', 'v2997'])).toEqual(['v0', 'v3', 'v2997']);
    const { kept } = (await store.db
      .selectFrom('mirrored_values')
      .select((eb) => eb.fn.countAll().as('kept'))
      .executeTakeFirst()) as { kept: number };
    expect(Number(kept)).toBe(1_000);
  });

  it('a mirror’s values are all deleted with its installation, and another owner’s values are not', async () => {
    const many = ['', ...Array.from({ length: 2_500 }, (_, n) => `v${n}`)].map((key) => value(key));
    const [copy, second] = [await begun('7'), await begun('8')];
    await copies.require(stranger, '9', 1);
    const [neighbour] = await copies.of(stranger);
    for (const { id } of [copy, second, neighbour!]) {
      await copies.put(id, 1, many);
    }
    const left = async () => {
      const rows = await store.db.selectFrom('mirrored_values').select('mirror_id').distinct().execute();
      return rows.map(({ mirror_id }) => mirror_id).sort((a, b) => a - b);
    };
    await copies.begin(second, { caseSensitive: false, connectedAt: 6 });
    expect(await left()).toEqual([copy.id, neighbour!.id]);
    await copies.put(second.id, 1, many);
    await store.eraseInstallation(owner.installation);
    expect(await left()).toEqual([neighbour!.id]);
    await copies.drop(neighbour!.id);
    expect(await left()).toEqual([]);
  });

  it('a mirror keeps each of several values with the same key once, also if their texts are the same', async () => {
    await begun();
    const page = [
      value('strasse', { value: 'STRASSE' }),
      value('strasse', { value: 'STRAßE', valid: false }),
      value('a', { response: 'of one' }),
      value('a', { response: 'of another' }),
    ];
    for (const round of [1, 2]) {
      const [mirror] = (await copies.of(owner)) as [DatabaseMirror];
      const copy = await copies.begin(mirror, mirror);
      const from = { since: copy.changes, attempt: copy.attempt };
      await copies.put(copy.id, copy.round + 1, page.slice(0, 3), from);
      await copies.put(copy.id, copy.round + 1, page.slice(3), from);
      await copies.finish(copy, { size: 4, fetchedAt: 50, dueAt: 1 });
      const found = await copies.load(['strasse', 'a'].map((key) => ({ mirrorId: copy.id, key })));
      const stored = page.map((one) => ({ ...one, round, sureFrom: 1, lostRound: null }));
      expect(found).toEqual([stored.slice(0, 2), stored.slice(2)]);
    }
  });

  it('a mirror keeps a value that has the same key as a deleted value', async () => {
    const copy = await begun();
    const both = [value('strasse', { value: 'STRASSE' }), value('strasse', { value: 'STRAßE' })];
    await copies.put(copy.id, copy.round + 1, both);
    await copies.finish(copy, { size: 2, fetchedAt: 50, dueAt: 60 });
    const [mirror] = (await copies.of(owner)) as [DatabaseMirror];
    await copies.learn(mirror, both[1]!, undefined);
    expect(await copies.load([{ mirrorId: copy.id, key: 'strasse' }])).toMatchObject([[{ value: 'STRASSE' }]]);
  });

  it('a mirror is read completely even where thousands of values have the same key', async () => {
    const copy = await begun();
    const many = Array.from({ length: 1_200 }, (_, n) => value('k', { value: `k${n}` }));
    await copies.put(copy.id, copy.round + 1, [...many, value('l')]);
    const slices = createResponseSlices(store);
    let read = 0;
    for (let from: string | undefined = ''; from !== undefined; ) {
      const slice = await slices.slice(copy.id, from, 500, []);
      read += slice.rows.length;
      from = slice.next;
    }
    expect(read).toBe(1_201);
  });

  it('a mirror is emptied if another account is connected, or if the database’s case setting changes', async () => {
    for (const fresh of [{ connectedAt: 6 }, { caseSensitive: true }, { caseSensitive: undefined }]) {
      const copy = await begun('7');
      await copies.put(copy.id, copy.round + 1, [value('a')]);
      await copies.finish(copy, { size: 1, fetchedAt: 50, dueAt: 1 });
      const again = await copies.begin((await copies.of(owner))[0] as DatabaseMirror, {
        caseSensitive: false,
        connectedAt: 5,
        ...fresh,
      });
      expect(again).toMatchObject(fresh);
      expect(again.fetchedAt).toBeUndefined();
      expect(await keysOf(again, ['a'])).toEqual([]);
      await copies.drop(copy.id);
    }
  });

  it('a mirror is updated with a single value that was read, or that was found to be missing', async () => {
    const copy = await begun();
    await copies.learn(copy, value('a'), value('a', { valid: false }));
    expect(await copies.load([{ mirrorId: copy.id, key: 'a' }])).toEqual([
      [value('a', { valid: false, round: 1, sureFrom: 0, lostRound: null })],
    ]);
    await copies.learn(copy, value('a'), undefined);
    expect(await keysOf(copy, ['a'])).toEqual([]);
  });

  it('a mirror records why its pass failed, and is due again at the recorded time', async () => {
    const copy = await begun();
    await copies.fail(copy, { code: 'account.slow', dueAt: 400 });
    expect((await copies.of(owner))[0]).toMatchObject({ failures: 1, lastCode: 'account.slow', dueAt: 400 });
    await copies.makeDue(owner, '7', 20);
    expect((await copies.of(owner))[0]?.dueAt).toBe(20);
  });

  it('mirrors are deleted with their team, and mirrors of another team are not', async () => {
    const gone = { installation: 'E0ORG', team: 'T0GONE' };
    const stays = { installation: 'E0ORG', team: 'T0STAYS' };
    await copies.require(gone, '9', 1);
    await copies.require(stays, '9', 1);
    await store.eraseTeam(gone);
    expect(await copies.of(gone)).toEqual([]);
    expect(await copies.of(stays)).toHaveLength(1);
  });

  it('mirrors are deleted with their installation, and mirrors of another installation are not', async () => {
    const copy = await begun();
    await copies.put(copy.id, copy.round + 1, [value('a')]);
    await copies.require(stranger, '9', 1);
    await store.eraseInstallation(owner.installation);
    expect(await copies.of(owner)).toEqual([]);
    expect(await keysOf(copy, ['a'])).toEqual([]);
    expect(await copies.of(stranger)).toHaveLength(1);
  });
});
