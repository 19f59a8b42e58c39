import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSetUps, type SetUp, sealedSetUps } from '../../../src/slack/relays/setup/record-store.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';

const owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };

onEachDatabase('the stored set-ups of a relay', (databases) => {
  let stores: [Store, Store];
  beforeAll(async () => {
    const url = await databases.fresh();
    const store = await openTestStore(url);
    // A SQLite file belongs to one process: with SQLite, both instances are one store.
    stores = [store, databases.kind === 'sqlite' ? store : await openTestStore(url)];
  });
  afterAll(() => Promise.all([...new Set(stores)].map((store) => store.close())));

  const setUp = (n: number): SetUp => ({
    ...{ id: `s${n}`, kind: 'changed', serviceId: `${n}`, serviceName: `Service ${n}`, by: 'U0ADA', at: n },
    ...{ before: `https://example.org/canary-${n}`, symbologies: [] },
  });
  const idsOf = (list: readonly SetUp[]) => list.map(({ id }) => id).sort();

  it('all set-ups are stored though two instances set up services of one relay at the same moment', async () => {
    const setUps = stores.map((store) => createSetUps({ store }));
    const all = Array.from({ length: 10 }, (_, n) => setUp(n));
    await Promise.all(all.map((one, n) => setUps[n % 2]!.add(owner, 'relay', one)));
    const kept = await setUps[0]!.list(owner, 'relay');
    expect(idsOf(kept)).toEqual(idsOf(all));
    expect(kept.find(({ id }) => id === 's3')?.before).toBe('https://example.org/canary-3');
  });

  it('a relay’s set-ups are removed without losing set-ups that are stored at the same moment', async () => {
    const setUps = stores.map((store) => createSetUps({ store }));
    for (const n of [0, 1, 2, 3]) {
      await setUps[0]!.add(owner, 'other', setUp(n));
    }
    await Promise.all([
      ...[0, 1, 2, 3].map((n) => setUps[n % 2]!.remove(owner, 'other', `s${n}`)),
      ...[4, 5].map((n) => setUps[n % 2]!.add(owner, 'other', setUp(n))),
    ]);
    expect(idsOf(await setUps[1]!.list(owner, 'other'))).toEqual(['s4', 's5']);
    await Promise.all([4, 5].map((n) => setUps[n % 2]!.remove(owner, 'other', `s${n}`)));
    expect(await setUps[0]!.list(owner, 'other')).toEqual([]);
  });

  it('a set-up whose URL cannot be unsealed is listed without the URL, stays sealed and can be removed', async () => {
    const [store] = stores;
    const setUps = createSetUps({ store });
    const broken = store.sealer.seal('x', { purpose: 'service-url', installation: 'T0OTHER', record: 'other' });
    for (const n of [1, 2]) {
      await setUps.add(owner, 'broken', setUp(n));
    }
    await store.revise('relay-services', `${owner.installation}:${owner.team}:broken`, (records) =>
      (records as SetUp[]).map((record) => (record.id === 's1' ? { ...record, before: broken } : record)),
    );
    const kept = await setUps.list(owner, 'broken');
    expect(kept.map(({ id, before }) => [id, before])).toEqual([
      ['s2', 'https://example.org/canary-2'],
      ['s1', undefined],
    ]);
    // The sealed URL is kept as it is: with its key, the set-up can be undone again.
    expect(kept[1]?.beforeLost).toBe(broken);
    await setUps.add(owner, 'broken', { ...kept[1]!, serviceName: 'Once more' });
    expect((await setUps.list(owner, 'broken'))[0]).toMatchObject({ serviceName: 'Once more', beforeLost: broken });
    await setUps.remove(owner, 'broken', 's1');
    expect(idsOf(await setUps.list(owner, 'broken'))).toEqual(['s2']);
  });

  it('a set-up’s replaced URL can be read after the sealing key was changed and the old key dropped', async () => {
    const url = await databases.fresh();
    const [older, newer] = [Buffer.alloc(32, 'o'), Buffer.alloc(32, 'n')];
    const opened = (secretKeys: Buffer[]) => openTestStore(url, { secretKeys, sealed: [sealedSetUps] });
    const before = await opened([older]);
    await createSetUps({ store: before }).add(owner, 'relay', setUp(1));
    await createSetUps({ store: before }).add(owner, 'relay', { ...setUp(2), before: undefined });
    await before.close();
    await (await opened([newer, older])).close();
    const after = await opened([newer]);
    const kept = await createSetUps({ store: after }).list(owner, 'relay');
    expect(kept.map((each) => each.before)).toEqual([undefined, 'https://example.org/canary-1']);
    await after.close();
  });
});
