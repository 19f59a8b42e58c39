import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { createValueReader } from '../../src/exports/read-values.js';
import { mirrorKey } from '../../src/mirror/key.js';
import { createMirrorReader } from '../../src/mirror/reader.js';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import { createValuePages, type PagedValue, type ValuePage, type ValuePosition } from '../../src/mirror/value-pages.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';
import { connect } from './world.js';

onEachDatabase('an export of copied values', ({ fresh }) => {
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    await connect(store);
  });
  afterEach(() => store.close());

  it('an export of copied values includes values that lost characters, and says which are exact', async () => {
    const tables = createDatabaseMirrors(store);
    await tables.require(owner, '1', 1);
    const made = (await tables.of(owner)).find(({ databaseId }) => databaseId === '1')!;
    const begun = await tables.begin(made, { name: 'Guests', caseSensitive: true, connectedAt: 5 });
    const held = (value: string) => ({ key: mirrorKey(value, begun), value, valid: true, response: 'Hi' });
    const values = ['gs1', 'plain'].map(held);
    await tables.put(begun.id, begun.round + 1, values);
    await tables.lose(begun, [{ key: mirrorKey('gs1', begun), value: 'gs1' }]);
    await tables.finish(begun, { size: values.length, fetchedAt: 6, dueAt: 7, searched: true });
    // The next pass has met the value, and is not complete.
    await tables.put(begun.id, begun.round + 2, [held('new')]);
    const reader = createMirrorReader({
      ...{ store, clock: systemClock, databases: tables },
      ...{ mirrors: createAccountMirrors(store), scans: createMirroredScans(store) },
    });
    const read = createValueReader({
      mirror: createValuePages({ store, reader, databases: tables }),
      clock: systemClock,
    });
    const record = {
      owner,
      mode: 'exact',
      position: {},
      what: { kind: 'values', database: { id: '1', name: 'Guests' } },
    };
    const { rows } = await read({ record, signal: new AbortController().signal } as never);
    expect(rows).toEqual([
      ['gs1', 'Yes', 'Hi', 'No'],
      ['new', 'Yes', 'Hi', 'Not known'],
      ['plain', 'Yes', 'Hi', 'Yes'],
    ]);
  });

  it('an export of values gets no page from the copy until a changed value has been read again', async () => {
    const tables = createDatabaseMirrors(store);
    await tables.require(owner, '1', 1);
    const made = (await tables.of(owner)).find(({ databaseId }) => databaseId === '1')!;
    const begun = await tables.begin(made, { name: 'Guests', caseSensitive: true, connectedAt: 5 });
    const held = (value: string) => ({ key: mirrorKey(value, begun), value, valid: true, response: '' });
    await tables.put(begun.id, begun.round + 1, ['edited', 'kept'].map(held));
    await tables.finish(begun, { size: 2, fetchedAt: 6, dueAt: 7, searched: true });
    const reader = createMirrorReader({
      ...{ store, clock: systemClock, databases: tables },
      ...{ mirrors: createAccountMirrors(store), scans: createMirroredScans(store) },
    });
    const pages = createValuePages({ store, reader, databases: tables });
    const valuesOf = async () => (await pages.valuePage(owner, '1'))?.values.map(({ value }) => value);
    expect(await valuesOf()).toEqual(['edited', 'kept']);
    for (const value of ['edited', 'added']) {
      const { key } = held(value);
      const changes = await tables.touch(begun.id, [key]);
      expect(await valuesOf(), value).toBeUndefined();
      const mirror = (await tables.of(owner)).find(({ databaseId }) => databaseId === '1')!;
      await tables.learn({ ...mirror, changes: changes! }, { key, value }, held(value));
      expect(await valuesOf(), value).toContain(value);
    }
  });

  it('an export of copied values has each stored value once across all pages, two values that read alike included', async () => {
    const tables = createDatabaseMirrors(store);
    await tables.require(owner, '1', 1);
    const made = (await tables.of(owner)).find(({ databaseId }) => databaseId === '1')!;
    const begun = await tables.begin(made, { name: 'Guests', caseSensitive: true, connectedAt: 5 });
    const texts = Array.from({ length: 1_100 }, (_, n) => `v${String(n).padStart(4, '0')}`);
    // The 1,000th and the 1,001st row read alike; 1,300 rows share a key.
    const all = [...texts, 'v0999'].map((value) => ({ key: value, value, valid: true, response: '' }));
    const ofOneKey = Array.from({ length: 1_300 }, (_, n) => ({ key: 'z', value: `z${n}`, valid: true, response: '' }));
    const from = { since: begun.changes, attempt: begun.attempt };
    await tables.put(begun.id, begun.round + 1, [...all, ...ofOneKey], from);
    await tables.finish(begun, { size: 2_401, fetchedAt: 6, dueAt: 7, searched: true });
    const reader = createMirrorReader({
      ...{ store, clock: systemClock, databases: tables },
      ...{ mirrors: createAccountMirrors(store), scans: createMirroredScans(store) },
    });
    const pages = createValuePages({ store, reader, databases: tables });
    const read: PagedValue[] = [];
    for (let after: ValuePosition | undefined; ; ) {
      const page: ValuePage | undefined = await pages.valuePage(owner, '1', after);
      read.push(...page!.values);
      after = page!.next;
      if (!after) break;
    }
    expect(read.map(({ value }) => value).sort()).toEqual([...all, ...ofOneKey].map(({ value }) => value).sort());
    expect(read.flatMap(({ value, exact }) => (exact ? [] : value))).toEqual(['v0999', 'v0999']);
  });
});
