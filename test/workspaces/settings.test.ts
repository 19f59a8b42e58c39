import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Owner } from '../../src/ownership.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

onEachDatabase('workspaces', ({ fresh }) => {
  let store: Store;
  let owners = 0;
  /** A workspace nobody used before. */
  const newOwner = (): Owner => {
    owners++;
    return { installation: `T${owners}`, team: `T${owners}` };
  };
  const connection = { connectedBy: 'U1', connectedAt: 1_795_276_351_661 };

  beforeAll(async () => {
    store = await openTestStore(await fresh());
  });
  afterAll(() => store.close());

  const overwrite = (owner: Owner, record: string, value: unknown) =>
    store.keyv('workspace').set(`${owner.installation}:${owner.team}:${record}`, value);

  it('a new workspace has no settings and no account', async () => {
    const owner = newOwner();
    expect(await store.workspaces.settings(owner)).toEqual({});
    expect(await store.workspaces.connection(owner)).toBeUndefined();
    expect(await store.workspaces.apiKey(owner)).toBeUndefined();
    expect(await store.workspaces.disconnect(owner)).toBe(false);
  });

  it('a workspace’s API key is stored exactly, with the person who connected it', async () => {
    const owner = newOwner();
    const key = ' 00canary-api-key-7f3a9c\u001d';
    await store.workspaces.connect(owner, key, connection);
    expect(await store.workspaces.apiKey(owner)).toBe(key);
    expect(await store.workspaces.connection(owner)).toEqual(connection);
    await store.workspaces.connect(owner, 'another', { connectedBy: 'U2', connectedAt: 5 });
    expect(await store.workspaces.apiKey(owner)).toBe('another');
    expect(await store.workspaces.connection(owner)).toEqual({ connectedBy: 'U2', connectedAt: 5 });
  });

  it('a change of a workspace’s settings changes the given settings and no other', async () => {
    const owner = newOwner();
    const managers = { users: ['U1'], groups: ['S1'] };
    expect(await store.workspaces.change(owner, { lookupDatabases: ['007', '7'] })).toEqual({
      lookupDatabases: ['007', '7'],
    });
    expect(await store.workspaces.change(owner, { managers })).toEqual({ lookupDatabases: ['007', '7'], managers });
    expect(await store.workspaces.change(owner, {})).toEqual({ lookupDatabases: ['007', '7'], managers });
    expect(await store.workspaces.change(owner, { lookupDatabases: undefined })).toEqual({ managers });
    expect(await store.workspaces.settings(owner)).toEqual({ managers });
  });

  it('two changes of a workspace’s settings that are made at the same time are both kept', async () => {
    const owner = newOwner();
    const managers = { users: ['U1'], groups: [] };
    await Promise.all([
      store.workspaces.change(owner, { lookupDatabases: ['1'] }),
      store.workspaces.change(owner, { managers }),
    ]);
    expect(await store.workspaces.settings(owner)).toEqual({ lookupDatabases: ['1'], managers });
  });

  it('a disconnected workspace loses the key and the account’s data, and keeps who has access', async () => {
    const owner = newOwner();
    const managers = { users: ['U1'], groups: [] };
    await store.workspaces.connect(owner, 'key', connection);
    await store.workspaces.change(owner, { lookupDatabases: ['1'], managers });
    expect(await store.workspaces.disconnect(owner)).toBe(true);
    expect(await store.workspaces.apiKey(owner)).toBeUndefined();
    expect(await store.workspaces.connection(owner)).toBeUndefined();
    expect(await store.workspaces.settings(owner)).toEqual({ managers });
    expect(await store.workspaces.disconnect(owner)).toBe(false);
  });

  it('a workspace sees no settings of another workspace, also within one organization', async () => {
    const one = { installation: 'E1', team: 'T71' };
    const others = [
      { installation: 'E1', team: 'T72' },
      { installation: 'T71', team: 'T71' },
      { installation: 'E', team: '1T71' },
    ];
    await store.workspaces.connect(one, 'key', connection);
    await store.workspaces.change(one, { lookupDatabases: ['1'] });
    for (const other of others) {
      expect(await store.workspaces.apiKey(other)).toBeUndefined();
      expect(await store.workspaces.settings(other)).toEqual({});
      expect(await store.workspaces.disconnect(other)).toBe(false);
    }
    expect(await store.workspaces.apiKey(one)).toBe('key');
  });

  it('a workspace cannot unseal an API key that was moved from another workspace', async () => {
    const [from, to] = [newOwner(), newOwner()];
    await store.workspaces.connect(from, 'key', connection);
    const stored = await store.keyv('workspace').get(`${from.installation}:${from.team}:connection`);
    await overwrite(to, 'connection', stored);
    await expect(store.workspaces.apiKey(to)).rejects.toMatchObject({ code: 'store.seal_broken' });
  });

  it.each<[string, string, unknown]>([
    ['a connection without a key', 'connection', { connectedBy: 'U1', connectedAt: 5 }],
    ['a connection that is text', 'connection', 'xoxb'],
    ['a connection that is null', 'connection', null],
  ])('an unreadable connection of a workspace is reported as broken: %s', async (_what, record, value) => {
    const owner = newOwner();
    await overwrite(owner, record, value);
    await expect(store.workspaces.apiKey(owner)).rejects.toMatchObject({ code: 'store.record_broken' });
    await expect(store.workspaces.connection(owner)).rejects.toMatchObject({ code: 'store.record_broken' });
  });

  it('a workspace reports an invalid setting as broken, and ignores unknown settings', async () => {
    const owner = newOwner();
    await overwrite(owner, 'managers', { users: ['U1'], groups: [], fromTheFuture: true });
    await overwrite(owner, 'fromTheFuture', true);
    expect(await store.workspaces.settings(owner)).toEqual({ managers: { users: ['U1'], groups: [] } });
    await overwrite(owner, 'lookupDatabases', [7]);
    await expect(store.workspaces.settings(owner)).rejects.toMatchObject({ code: 'store.record_broken' });
  });

  it('a workspace can be disconnected and connected again though its stored connection is broken', async () => {
    const owner = newOwner();
    await overwrite(owner, 'connection', 'broken');
    expect(await store.workspaces.disconnect(owner)).toBe(true);
    await store.workspaces.connect(owner, 'key', connection);
    expect(await store.workspaces.apiKey(owner)).toBe('key');
  });

  it.each([
    { installation: '', team: 'T1' },
    { installation: 'T1', team: '' },
    { installation: 'T1:T1', team: 'T1' },
    { installation: 'T1', team: 'T1:connection' },
  ])('a workspace’s ID that could be mistaken for another ID is refused: %o', async (owner) => {
    await expect(store.workspaces.connect(owner, 'key', connection)).rejects.toMatchObject({ code: 'store.owner' });
    await expect(store.workspaces.settings(owner)).rejects.toMatchObject({ code: 'store.owner' });
  });
});
