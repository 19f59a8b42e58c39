import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { Owner } from '../../src/ownership.js';
import { createRecordErasure } from '../../src/workspaces/forget-records.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const never = new AbortController().signal;
const inT1: Owner = { installation: 'E1', team: 'T1' };
const inT12: Owner = { installation: 'E1', team: 'T12' };

onEachDatabase('records that contain a forgotten barcode', ({ fresh }) => {
  let store: Store;
  beforeEach(async () => {
    store = await openTestStore(await fresh());
  });
  afterEach(() => store.close());

  const keys = async () =>
    (
      await store.db
        .selectFrom('keyv')
        .select(['namespace', 'key'])
        .where('key', 'like', 'E1:%')
        .orderBy('key')
        .execute()
    ).map(({ namespace, key }) => `${namespace} ${key}`);

  it('forgetting a barcode deletes records that contain it as a value, at any depth, and no other records', async () => {
    const value = '0"1\\\u001d<é>';
    const cards = store.keyv<unknown>('card');
    await cards.set('E1:T1:a', { lookup: { values: [{ spelt: value }] } });
    await cards.set('E1:T1:b', { value: `${value}2`, name: `about ${value}` });
    await cards.set('E1:T12:c', { value });
    await store.keyv<unknown>('other').set('E1:T1:d', { value });
    for (let n = 0; n < 50; n++) {
      await cards.set(`E1:T1:m${n}`, { value: n % 2 ? value : 'another' });
    }
    const records = createRecordErasure(store, systemClock);
    expect(await records.count(inT1, ['card'], value)).toBe(26);
    expect(await records.erase(inT1, ['card'], value, never)).toBe(26);
    expect(await records.count(inT1, ['card'], value)).toBe(0);
    expect(await keys()).toEqual(expect.arrayContaining(['card E1:T1:b', 'card E1:T12:c', 'other E1:T1:d']));
    expect(await records.count(inT1, ['card', 'other'], undefined)).toBe(27);
    expect(await records.erase(inT1, ['card', 'other'], undefined, never)).toBe(27);
    expect(await keys()).toEqual(['card E1:T12:c']);
    expect(await records.count(inT12, ['card'], undefined)).toBe(1);
  });

  it('forgetting a barcode removes it from audit entries, but not the same text where it is an ID', async () => {
    const entry = { at: 1, who: 'U1', where: 'C1', outcome: 'ok' };
    const details = [
      { database_id: '17', value: '17', response: '17 is not it' },
      { values: [{ value: '17' }, { value: '18' }] },
      { value: '170' },
    ];
    for (const detail of details) {
      await store.audit.add(inT1, { ...entry, what: 'x', detail });
      await store.audit.add(inT12, { ...entry, what: 'x', detail });
    }
    expect(await store.audit.forget(inT1, '17', never)).toBe(2);
    expect(await store.audit.forget(inT1, '17', never)).toBe(0);
    const left = async (owner: Owner) =>
      (await store.audit.list(owner, { limit: 9 })).map(({ detail }) => detail).toReversed();
    expect(await left(inT1)).toEqual([
      { database_id: '17', value: '(forgotten)', response: '17 is not it' },
      { values: [{ value: '(forgotten)' }, { value: '18' }] },
      { value: '170' },
    ]);
    expect(await left(inT12)).toEqual(details);
  });
});
