import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

onEachDatabase('erasing an installation', ({ fresh }) => {
  let store: Store;
  const installedAt = 1_795_276_351_661;
  const inE1 = { installation: 'E1', team: 'T1' };
  const alsoInE1 = { installation: 'E1', team: 'T2' };
  const elsewhere = [
    { installation: 'E12', team: 'T1' },
    { installation: 'T1', team: 'T1' },
    { installation: 'e1', team: 'T1' },
    { installation: 'E', team: 'T1' },
  ];

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    for (const id of ['E1', ...elsewhere.map((owner) => owner.installation)]) {
      await store.installations.save(id, { bot: { token: `xoxb-${id}` } }, installedAt);
    }
    for (const owner of [inE1, alsoInE1, ...elsewhere]) {
      await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
      await store.workspaces.change(owner, { lookupDatabases: ['1'], managers: { users: ['U1'], groups: [] } });
      await store.keyv('reference').set(`${owner.installation}:${owner.team}:services`, ['a cached name']);
    }
  });
  afterEach(() => store.close());

  const leftOf = async (id: string) =>
    (await store.db.selectFrom('keyv').select('key').execute()).filter(
      ({ key }) => key === id || key.startsWith(`${id}:`),
    ).length;

  it('erasing an installation deletes its data and its teams’ data, and no data of other installations', async () => {
    expect(await store.eraseInstallation('E1')).toBe(true);
    expect(await leftOf('E1')).toBe(0);
    expect(await store.installations.find('E1')).toBeUndefined();
    for (const owner of [inE1, alsoInE1]) {
      expect(await store.workspaces.apiKey(owner)).toBeUndefined();
      expect(await store.workspaces.settings(owner)).toEqual({});
    }
    for (const owner of elsewhere) {
      expect(await leftOf(owner.installation)).toBe(5);
      expect(await store.workspaces.apiKey(owner)).toBe('key');
    }
  });

  it('erasing a team deletes its data, and no data of other teams or of the installation', async () => {
    await store.keyv('reference').set('E1:T12:services', ['of a team whose id begins the same']);
    expect(await store.eraseTeam(inE1)).toBe(true);
    expect(await leftOf('E1:T1')).toBe(0);
    expect(await store.workspaces.apiKey(inE1)).toBeUndefined();
    expect(await store.workspaces.apiKey(alsoInE1)).toBe('key');
    expect(await store.installations.find('E1')).toBeDefined();
    expect(await leftOf('E1:T12')).toBe(1);
    for (const owner of elsewhere) {
      expect(await leftOf(owner.installation)).toBe(5);
    }
    expect(await store.eraseTeam(alsoInE1, installedAt - 1000)).toBe(false);
    expect(await store.workspaces.apiKey(alsoInE1)).toBe('key');
    await expect(store.eraseTeam({ installation: 'E1', team: '' })).rejects.toMatchObject({ code: 'store.owner' });
    await expect(store.eraseTeam({ installation: '', team: 'T1' })).rejects.toMatchObject({ code: 'store.owner' });
  });

  it('erasing an installation does not delete its audit log', async () => {
    await store.audit.add(inE1, { at: 1, who: 'U1', where: 'C1', what: 'x', detail: {}, outcome: 'ok' });
    await store.eraseInstallation('E1');
    expect(await store.audit.list(inE1, { limit: 1 })).toHaveLength(1);
  });

  it('erasing an installation ignores an event that is older than the installation', async () => {
    expect(await store.eraseInstallation('E1', installedAt - 1000)).toBe(false);
    expect(await leftOf('E1')).toBe(9);
    expect(await store.eraseInstallation('E1', Math.floor(installedAt / 1000) * 1000)).toBe(true);
    expect(await leftOf('E1')).toBe(0);
  });

  it('erasing an installation also works if its record is missing or cannot be read', async () => {
    await store.installations.delete('E1');
    expect(await store.eraseInstallation('E1', 5)).toBe(true);
    expect(await leftOf('E1')).toBe(0);
    await store.keyv('installation').set('E12', 'broken');
    expect(await store.eraseInstallation('E12', 5)).toBe(true);
    await store.db.updateTable('keyv').set({ value: '{"half' }).where('key', '=', 'T1').execute();
    expect(await store.eraseInstallation('T1', 5)).toBe(true);
    expect(await leftOf('T1')).toBe(0);
  });

  it('erasing an installation deletes the data of every hook in one transaction: all or none', async () => {
    const told: string[] = [];
    store.onErase(async (installationId, trx) => {
      told.push(installationId);
      await trx.deleteFrom('audit').where('installation', '=', installationId).execute();
    });
    let failing = true;
    store.onErase(async () => {
      if (failing) {
        throw new Error('not now');
      }
    });
    await store.audit.add(inE1, { at: 1, who: 'U1', where: 'C1', what: 'x', detail: {}, outcome: 'ok' });
    await expect(store.eraseInstallation('E1')).rejects.toThrow('not now');
    expect(await leftOf('E1')).toBe(9);
    expect(await store.audit.list(inE1, { limit: 1 })).toHaveLength(1);
    failing = false;
    expect(await store.eraseInstallation('E1')).toBe(true);
    expect(told).toEqual(['E1', 'E1']);
    expect(await store.audit.list(inE1, { limit: 1 })).toEqual([]);
    expect(await store.eraseInstallation('E1', 5)).toBe(true);
  });

  it('erasing an installation refuses an ID that could match the ID of another installation', async () => {
    await expect(store.eraseInstallation('')).rejects.toMatchObject({ code: 'store.owner' });
    await expect(store.eraseInstallation('E1:T1')).rejects.toMatchObject({ code: 'store.owner' });
    expect(await leftOf('E1')).toBe(9);
  });
});
