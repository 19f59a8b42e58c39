import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import type { ScanQuery } from '../../src/search/index.js';
import { mostSavedSearches, savedSearches, savedSearchRecords } from '../../src/search/index.js';
import { createRecordErasure } from '../../src/workspaces/forget-records.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, stranger } from '../helpers/relay.js';

const query: ScanQuery = { when: 'today', results: ['invalid'], barcode: { match: 'starts', text: ' 0123' } };

onEachDatabase('saved searches', (databases) => {
  let store: Store;
  const deps = () => ({ store, random: systemRandom, clock: systemClock });
  const save = async (name: string, more: { savedBy?: string; channel?: string; query?: ScanQuery } = {}) => {
    const done = await savedSearches.save(deps(), owner, { name, query, savedBy: 'U1', ...more });
    if ('problem' in done) {
      throw new Error(done.problem);
    }
    return done.saved;
  };
  const namesFor = async (userId: string, channelId?: string) =>
    (await savedSearches.list(deps(), owner, { userId, channelId })).map(({ name }) => name);

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store?.close());
  beforeEach(() => savedSearchRecords.erase(deps(), owner));

  it('saved searches are found unchanged by ID, in their own workspace alone', async () => {
    const saved = await save('Gate refusals');
    expect(await savedSearches.find(deps(), owner, saved.id)).toEqual({
      ...{ id: saved.id, name: 'Gate refusals', query, savedBy: 'U1', savedAt: saved.savedAt },
    });
    expect(await savedSearches.find(deps(), stranger, saved.id)).toBeUndefined();
    expect(await savedSearches.list(deps(), stranger, { userId: 'U1' })).toEqual([]);
  });

  it('saved searches are listed for the person and for the channel, by name', async () => {
    await save('b 10');
    await save('B 9');
    await save('a', { channel: 'C1' });
    await save('of U11', { savedBy: 'U11' });
    await save('of C11', { channel: 'C11' });
    expect(await namesFor('U1', 'C1')).toEqual(['B 9', 'b 10', 'a']);
    expect(await namesFor('U1')).toEqual(['B 9', 'b 10']);
    expect(await namesFor('U2', 'C1')).toEqual(['a']);
  });

  it('saved searches of one list have different names, ignoring case, also after renaming', async () => {
    const first = await save('Gate refusals');
    expect(await savedSearches.save(deps(), owner, { name: 'gate REFUSALS ', query, savedBy: 'U1' })).toEqual({
      problem: 'taken',
    });
    const channels = await save('Gate refusals', { channel: 'C1' });
    const reader = { userId: 'U1', channelId: 'C1' };
    expect(await savedSearches.named(deps(), owner, reader, 'gate refusals')).toMatchObject({ id: first.id });
    const other = await save('Other');
    expect(await savedSearches.rename(deps(), owner, { id: other.id, name: 'Gate Refusals' })).toBe('taken');
    expect(await savedSearches.rename(deps(), owner, { id: first.id, name: 'Gate Refusals' })).toBeUndefined();
    expect(await savedSearches.rename(deps(), owner, { id: channels.id, name: 'Gates' })).toBeUndefined();
    expect(await namesFor('U1', 'C1')).toEqual(['Gate Refusals', 'Other', 'Gates']);
  });

  it('a deleted saved search is not found, and renaming it reports that it is gone', async () => {
    const { id } = await save('Gate refusals');
    await savedSearches.remove(deps(), owner, id);
    expect(await savedSearches.find(deps(), owner, id)).toBeUndefined();
    expect(await savedSearches.rename(deps(), owner, { id, name: 'x' })).toBe('gone');
    expect(await namesFor('U1')).toEqual([]);
  });

  it('saved searches are limited to as many as fit into a menu', async () => {
    for (let n = 0; n < mostSavedSearches; n += 1) {
      await save(`search ${n}`);
    }
    expect(await savedSearches.save(deps(), owner, { name: 'one more', query, savedBy: 'U1' })).toEqual({
      problem: 'full',
    });
    expect((await namesFor('U1')).slice(0, 3)).toEqual(['search 0', 'search 1', 'search 2']);
  });

  it('saved searches that contain a forgotten barcode are deleted, and no other searches', async () => {
    await save('starts');
    await save('contains', { query: { barcode: { match: 'contains', text: ' 0123' } } });
    await save(' 0123', { query: {} });
    await save('part', { query: { barcode: { match: 'contains', text: '0123' } } });
    const erasure = createRecordErasure(store, systemClock);
    const { signal } = new AbortController();
    expect(await erasure.erase(owner, [savedSearchRecords.namespace], ' 0123', signal)).toBe(3);
    expect(await namesFor('U1')).toEqual(['part']);
  });
});
