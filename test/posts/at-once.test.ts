import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, relayRecord } from '../helpers/relay.js';
import { codeRejected } from '../helpers/thrown.js';

onEachDatabase('two writers of one record at the same moment', (databases) => {
  let stores: [Store, Store];
  let clock = 1_000;
  beforeAll(async () => {
    const url = await databases.fresh();
    const at = { now: () => clock, sleep: () => Promise.reject(new Error('nobody waits here')) };
    const store = await openTestStore(url, { clock: at });
    // A SQLite file is one process's: there, two people change it through one store.
    stores = [store, databases.kind === 'sqlite' ? store : await openTestStore(url, { clock: at })];
  });
  afterAll(() => Promise.all([...new Set(stores)].map((store) => store.close())));

  const append = (store: Store, key: string, item: string) =>
    store.revise<string[]>('lists', key, (before) => [...((before as string[] | undefined) ?? []), item]);

  it('concurrent additions of two writers to one record are all stored', async () => {
    const items = Array.from({ length: 40 }, (_, n) => `item ${n}`);
    await Promise.all(items.map((item, n) => append(stores[n % 2]!, 'T1:list', item)));
    const kept = await stores[0].keyv<string[]>('lists').get('T1:list');
    expect([...(kept ?? [])].sort()).toEqual([...items].sort());
  });

  it('an item added while its record is being removed is either seen by the removal or still stored', async () => {
    await append(stores[0], 'T1:gone', 'first');
    const seen: unknown[] = [];
    const removing = stores[0].revise('lists', 'T1:gone', (before) => {
      seen.push(before);
      return undefined;
    });
    const adding = append(stores[1], 'T1:gone', 'second');
    await Promise.all([removing, adding]);
    const left = (await stores[0].keyv<string[]>('lists').get('T1:gone')) ?? [];
    expect([...(seen.at(-1) as string[]), ...left]).toEqual(['first', 'second']);
    await stores[1].revise('lists', 'T1:gone', () => undefined);
    expect(await stores[0].keyv('lists').get('T1:gone')).toBeUndefined();
    expect(await stores[0].revise('lists', 'T1:gone', () => undefined)).toBeUndefined();
  });

  it('an addition to an expired record starts the record anew, without the old expiry', async () => {
    await stores[0].keyv<string[]>('lists', { ttlMs: 10 }).set('T1:old', ['old']);
    clock += 11;
    expect(await append(stores[1], 'T1:old', 'new')).toEqual(['new']);
    clock += 1_000_000;
    expect(await stores[0].keyv('lists').get('T1:old')).toEqual(['new']);
  });

  it('a change of a record that throws an error leaves the record unchanged', async () => {
    await append(stores[0], 'T1:kept', 'first');
    const refused = stores[0].revise('lists', 'T1:kept', () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await stores[1].keyv('lists').get('T1:kept')).toEqual(['first']);
  });

  it('one of ten changes of a relay that were made from the same state is saved, and nine are refused', async () => {
    const relays = stores.map((store) => createRelayStore(store.db));
    await relays[0]!.add(relayRecord({ id: 'seen' }), { id: 'seen-s1', hash: 'a'.repeat(64) });
    const seen = (await relays[0]!.get(owner, 'seen'))!.relay;
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        codeRejected(relays[n % 2]!.change(owner, 'seen', { settings: `{"lateMinutes":${n + 1}}` }, n, seen)),
      ),
    );
    expect(outcomes.filter((code) => code === undefined).length, 'one of ten is through').toBe(1);
    expect(outcomes.filter((code) => code === 'store.changed').length).toBe(9);
    const winner = outcomes.indexOf(undefined);
    expect((await relays[1]!.get(owner, 'seen'))!.relay.settings).toBe(`{"lateMinutes":${winner + 1}}`);
  });

  it('a change of a relay is refused from an outdated state, and saved from the current state', async () => {
    const [one, other] = stores.map((store) => createRelayStore(store.db));
    await one!.add(relayRecord({ id: 'old' }), { id: 'old-s1', hash: 'a'.repeat(64) });
    const seen = (await one!.get(owner, 'old'))!.relay;
    await other!.change(owner, 'old', { channel: 'C0OTHER' }, 1);
    const fields = { channel: 'C0MINE', counting: { device: {} } };
    expect(await codeRejected(one!.change(owner, 'old', fields, 2, seen))).toBe('store.changed');
    const now = (await one!.get(owner, 'old'))!.relay;
    expect(now).toMatchObject({ channel: 'C0OTHER', counting: {} });
    expect(await one!.change(owner, 'old', fields, 3, now)).toBe(true);
    expect((await other!.get(owner, 'old'))!.relay).toMatchObject(fields);
  });

  it('a change of a relay’s channel is saved even if another person pauses the relay meanwhile', async () => {
    const [one, other] = stores.map((store) => createRelayStore(store.db));
    await one!.add(relayRecord({ id: 'paused' }), { id: 'paused-s1', hash: 'a'.repeat(64) });
    const seen = (await one!.get(owner, 'paused'))!.relay;
    await other!.pause(owner, 'paused', 5);
    expect(await one!.change(owner, 'paused', { channel: 'C0NEW' }, 6, seen)).toBe(true);
    expect((await one!.get(owner, 'paused'))!.relay).toMatchObject({ channel: 'C0NEW', paused: { at: 5 } });
  });
});
