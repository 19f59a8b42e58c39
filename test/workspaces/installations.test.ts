import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBeforeInstallation } from '../../src/workspaces/installations.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

onEachDatabase('installations', ({ fresh }) => {
  let store: Store;
  const installation = {
    team: { id: 'T1', name: 'Café 𝒳' },
    enterprise: undefined,
    user: { id: 'U1', token: undefined, scopes: undefined },
    bot: { token: 'xoxb-canary', scopes: ['commands'], id: 'B1', userId: 'U2' },
    isEnterpriseInstall: false,
  };

  beforeAll(async () => {
    store = await openTestStore(await fresh());
  });
  afterAll(() => store.close());

  it('an installation is read back unchanged, with the time when it was stored', async () => {
    await store.installations.save('T1', installation, 1_795_276_351_661);
    expect(await store.installations.find('T1')).toEqual({
      installation: JSON.parse(JSON.stringify(installation)),
      installedAt: 1_795_276_351_661,
    });
    await store.installations.save('T1', { again: true }, 1_795_276_351_999);
    expect(await store.installations.find('T1')).toEqual({
      installation: { again: true },
      installedAt: 1_795_276_351_999,
    });
  });

  it('an installation is unknown before it is stored and after it is deleted', async () => {
    expect(await store.installations.find('T2')).toBeUndefined();
    await store.installations.save('T2', installation, 5);
    await store.installations.delete('T2');
    expect(await store.installations.find('T2')).toBeUndefined();
    await store.installations.delete('T2');
  });

  it('an installation’s record cannot be unsealed under another installation’s ID', async () => {
    await store.installations.save('T3', installation, 5);
    const records = store.keyv('installation');
    await records.set('T4', await records.get('T3'));
    await expect(store.installations.find('T4')).rejects.toMatchObject({ code: 'store.seal_broken' });
  });

  it.each([['text'], [null], [{ installedAt: 'yesterday', sealed: 'x' }], [{ installedAt: 5 }]])(
    'a stored installation that is invalid is reported as broken: %j',
    async (value) => {
      await store.keyv('installation').set('T5', value);
      await expect(store.installations.find('T5')).rejects.toMatchObject({ code: 'store.record_broken' });
    },
  );

  it('an installation’s ID that could be mistaken for another ID is refused', async () => {
    await expect(store.installations.save('', installation, 5)).rejects.toMatchObject({ code: 'store.owner' });
    await expect(store.installations.find('T1:T2')).rejects.toMatchObject({ code: 'store.owner' });
  });
});

describe('an event and an installation', () => {
  it.each([
    [10_000, 10_000, false],
    [10_000, 10_999, false],
    [10_000, 11_000, true],
    [11_000, 10_999, false],
  ])('whether an uninstall event at %i is older than an installation at %i: %s', (eventAt, installedAt, before) => {
    expect(isBeforeInstallation(eventAt, installedAt)).toBe(before);
  });
});
