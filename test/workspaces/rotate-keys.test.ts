import { expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { resealAll } from '../../src/workspaces/rotate-keys.js';
import { createSealer } from '../../src/workspaces/sealing.js';
import { createWorkspaces } from '../../src/workspaces/settings.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const oldKey = Buffer.alloc(32, 'o');
const newKey = Buffer.alloc(32, 'n');

onEachDatabase('changing the sealing key', ({ fresh }) => {
  const owner = (n: number) => ({ installation: `T${n}`, team: `T${n}` });
  const connection = { connectedBy: 'U1', connectedAt: 5 };

  it('a changed sealing key leaves every secret readable, if one start has both keys', async () => {
    const url = await fresh();
    const before = await openTestStore(url, { secretKeys: [oldKey] });
    const many = Array.from({ length: 7 }, (_, n) => n);
    for (const n of many) {
      await before.workspaces.connect(owner(n), `key ${n}`, connection);
    }
    await before.workspaces.change(owner(1), { lookupDatabases: ['1'] });
    await before.installations.save('T1', { token: 'xoxb-1' }, 7);
    await before.close();

    const both = await openTestStore(url, { secretKeys: [newKey, oldKey] });
    await both.workspaces.connect(owner(0), 'newer', connection);
    await both.close();

    const after = await openTestStore(url, { secretKeys: [newKey] });
    expect(await after.workspaces.apiKey(owner(0))).toBe('newer');
    for (const n of many.slice(1)) {
      expect(await after.workspaces.apiKey(owner(n))).toBe(`key ${n}`);
    }
    expect(await after.workspaces.connection(owner(2))).toEqual(connection);
    expect(await after.workspaces.settings(owner(1))).toEqual({ lookupDatabases: ['1'] });
    expect(await after.installations.find('T1')).toEqual({ installation: { token: 'xoxb-1' }, installedAt: 7 });
    await after.close();
  });

  it('a change of the sealing key reseals every sealed record once, page after page', async () => {
    const store = await openTestStore(await fresh(), { secretKeys: [oldKey] });
    for (let n = 0; n < 7; n++) {
      await store.workspaces.connect(owner(n), `key ${n}`, connection);
      await store.workspaces.change(owner(n), { lookupDatabases: ['1'] });
    }
    await store.installations.save('T1', { token: 'xoxb-1' }, 7);
    const deps = { db: store.db, sealer: createSealer([newKey, oldKey], systemRandom), log: silentLog };
    expect(await resealAll(deps, 3)).toEqual({ resealed: 8, unreadable: 0 });
    expect(await resealAll(deps, 3)).toEqual({ resealed: 0, unreadable: 0 });
    await store.close();
  });

  it('a start with a changed sealing key works though records are unreadable, and an intact record is readable', async () => {
    const url = await fresh();
    const before = await openTestStore(url, { secretKeys: [oldKey] });
    await before.workspaces.connect(owner(1), 'key', connection);
    const strangers = createWorkspaces({
      keyv: before.keyv,
      sealer: createSealer([Buffer.alloc(32, 'x')], systemRandom),
    });
    await strangers.connect(owner(2), 'key', connection);
    await before.keyv('installation').set('T9', 'broken');
    await before.close();

    const both = await openTestStore(url, { secretKeys: [newKey, oldKey] });
    await expect(both.workspaces.apiKey(owner(2))).rejects.toMatchObject({ code: 'store.seal_broken' });
    expect(await both.workspaces.apiKey(owner(1))).toBe('key');
    await both.close();
  });
});
