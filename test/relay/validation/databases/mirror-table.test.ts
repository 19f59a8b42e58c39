import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  createMirrorStore,
  type MirrorRecord,
  type MirrorStore,
} from '../../../../src/relay/validation/databases/mirror-table.js';
import type { Store } from '../../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../../helpers/databases.js';
import { owner, stranger } from '../../../helpers/relay.js';

onEachDatabase('kept copies', (databases) => {
  let store: Store;
  let copies: MirrorStore;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    copies = createMirrorStore(store);
  });
  afterEach(async () => {
    await store.db.deleteFrom('copied_values').execute();
    await store.db.deleteFrom('copies').execute();
  });
  afterAll(() => store.close());

  const claim = (worker: string, now: number, but: readonly number[] = []) => copies.claim(worker, now, now + 100, but);
  const begun = async (databaseId = '7', fresh: Partial<MirrorRecord> = {}) => {
    await copies.require(owner, databaseId, 1);
    const copy = (await copies.of(owner)).find((each) => each.databaseId === databaseId) as MirrorRecord;
    return await copies.begin(copy, { name: 'Tickets', caseSensitive: false, connectedAt: 5, ...fresh });
  };
  const value = (key: string, more: object = {}) => ({ key, valid: true, response: '', ...more });
  const keysOf = async (copy: MirrorRecord, keys: readonly string[]) =>
    (await copies.load(keys.map((key) => ({ mirrorId: copy.id, key })))).flatMap((found) => found?.key ?? []);

  it('are one for each database of an owner, however many want it', async () => {
    await copies.require(owner, '7', 1);
    await copies.require(owner, '7', 9);
    await copies.require(stranger, '7', 1);
    expect(await copies.of(owner)).toMatchObject([{ databaseId: '7', owner, requiredAt: 9, generation: 0, size: 0 }]);
    expect(await copies.of(stranger)).toHaveLength(1);
  });

  it('are fetched by one worker at a time, the longest due first, and by another when that one is silent', async () => {
    await copies.require(owner, '7', 5);
    await copies.require(owner, '8', 3);
    const first = await claim('a', 10);
    expect(first?.databaseId).toBe('8');
    const second = await claim('b', 10);
    expect(second?.databaseId).toBe('7');
    expect(await claim('b', 10, [second?.id ?? 0])).toBeUndefined();
    expect(await copies.extendClaim('a', first?.id ?? 0, 500)).toBe(true);
    expect(await copies.extendClaim('b', first?.id ?? 0, 500)).toBe(false);
    expect((await claim('c', 111))?.id).toBe(second?.id);
    await copies.release('a', first?.id ?? 0);
    expect((await claim('c', 111, [second?.id ?? 0]))?.id).toBe(first?.id);
  });

  it('tell values exactly, in the order of the question, and none of another copy', async () => {
    const copy = await begun();
    const other = await begun('8');
    const long = 'x'.repeat(3_000);
    const keys = ['00123', '123', ' 123', 'a"b\\c', '🎟️', "'; drop", `${long}a`, `${long}b`, 'null', '%_'];
    await copies.put(
      copy.id,
      copy.generation,
      keys.map((key, n) => value(key, { valid: n % 2 === 0, response: `<${key.slice(0, 9)}>` })),
    );
    const asked = [...keys, 'none', `${long}c`].reverse();
    const found = await copies.load(asked.map((key) => ({ mirrorId: copy.id, key })));
    expect(found).toEqual(
      asked.map((key) => {
        const n = keys.indexOf(key);
        return n === -1 ? undefined : { key, valid: n % 2 === 0, response: `<${key.slice(0, 9)}>` };
      }),
    );
    expect(await keysOf(other, keys)).toEqual([]);
    expect(await copies.load([])).toEqual([]);
  });

  it('lose what a round did not meet when it is done, and nothing before', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => value(`v${n}`));
    const copy = await begun();
    await copies.put(copy.id, copy.generation, many);
    await copies.finish(copy, { size: 3_000, fetchedAt: 50, dueAt: 60 });
    const [fetched] = await copies.of(owner);
    expect(fetched).toMatchObject({ fetchedAt: 50, dueAt: 60, size: 3_000, generation: 1 });

    const again = await copies.begin((await claim('w', 70)) as MirrorRecord, fetched as MirrorRecord);
    const stay = many.filter((_, n) => n % 3 === 0).map(({ key }) => value(key, { response: 'new' }));
    await copies.put(again.id, again.generation, stay);
    expect(await keysOf(again, ['v1', 'v3'])).toEqual(['v1', 'v3']);
    await copies.finish(again, { size: stay.length, fetchedAt: 71, dueAt: 99 });
    expect(await keysOf(again, ['v0', 'v1', 'v2', 'v3', 'v2999', 'v2997'])).toEqual(['v0', 'v3', 'v2997']);
    const { kept } = (await store.db
      .selectFrom('copied_values')
      .select((eb) => eb.fn.countAll().as('kept'))
      .executeTakeFirst()) as { kept: number };
    expect(Number(kept)).toBe(1_000);
  });

  it('go to the last value, the empty one too, with the installation, and no neighbour’s', async () => {
    const many = ['', ...Array.from({ length: 2_500 }, (_, n) => `v${n}`)].map((key) => value(key));
    const [copy, second] = [await begun('7'), await begun('8')];
    await copies.require(stranger, '9', 1);
    const [neighbour] = await copies.of(stranger);
    for (const { id } of [copy, second, neighbour!]) {
      await copies.put(id, 1, many);
    }
    const left = async () => {
      const rows = await store.db.selectFrom('copied_values').select('copy_id').distinct().execute();
      return rows.map(({ copy_id }) => copy_id).sort((a, b) => a - b);
    };
    await copies.clear(second.id);
    expect(await left()).toEqual([copy.id, neighbour!.id]);
    await copies.put(second.id, 1, many);
    await store.eraseInstallation(owner.installation);
    expect(await left()).toEqual([neighbour!.id]);
    await copies.drop(neighbour!.id);
    expect(await left()).toEqual([]);
  });

  it('take the last of two rows that the account has for one key', async () => {
    const copy = await begun();
    await copies.put(copy.id, copy.generation, [value('a', { response: 'old' }), value('a', { response: 'new' })]);
    expect(await copies.load([{ mirrorId: copy.id, key: 'a' }])).toEqual([value('a', { response: 'new' })]);
  });

  it('begin anew where the connection is another, or case counts otherwise', async () => {
    for (const fresh of [{ connectedAt: 6 }, { caseSensitive: true }, { caseSensitive: undefined }]) {
      const copy = await begun('7');
      await copies.put(copy.id, copy.generation, [value('a')]);
      await copies.finish(copy, { size: 1, fetchedAt: 50, dueAt: 1 });
      const again = await copies.begin((await copies.of(owner))[0] as MirrorRecord, {
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

  it('learn single values, and that one is gone', async () => {
    const copy = await begun();
    await copies.learn(copy, 'a', value('a', { valid: false }));
    expect(await copies.load([{ mirrorId: copy.id, key: 'a' }])).toEqual([value('a', { valid: false })]);
    await copies.learn(copy, 'a', undefined);
    expect(await keysOf(copy, ['a'])).toEqual([]);
  });

  it('say why a round failed, and are due again when that says', async () => {
    const copy = await begun();
    await copies.fail(copy, { code: 'account.slow', dueAt: 400 });
    expect((await copies.of(owner))[0]).toMatchObject({ failures: 1, lastCode: 'account.slow', dueAt: 400 });
    expect(await claim('w', 399)).toBeUndefined();
    await copies.makeDue(owner, '7', 20);
    expect((await claim('w', 20))?.id).toBe(copy.id);
  });

  it('go with the team they are for, and no other team’s', async () => {
    const gone = { installation: 'E0ORG', team: 'T0GONE' };
    const stays = { installation: 'E0ORG', team: 'T0STAYS' };
    await copies.require(gone, '9', 1);
    await copies.require(stays, '9', 1);
    await store.eraseTeam(gone);
    expect(await copies.of(gone)).toEqual([]);
    expect(await copies.of(stays)).toHaveLength(1);
  });

  it('go when nobody has wanted them for long, and with the installation', async () => {
    const copy = await begun();
    await copies.put(copy.id, copy.generation, [value('a')]);
    expect(await copies.unused(1)).toEqual([]);
    expect((await copies.unused(2)).map(({ id }) => id)).toEqual([copy.id]);
    await copies.require(stranger, '9', 1);
    await store.eraseInstallation(owner.installation);
    expect(await copies.of(owner)).toEqual([]);
    expect(await keysOf(copy, ['a'])).toEqual([]);
    expect(await copies.of(stranger)).toHaveLength(1);
  });
});
