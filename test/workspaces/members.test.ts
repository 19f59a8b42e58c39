import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepMembers, linkMember, membersOf, nameWithMember } from '../../src/workspaces/members.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const mia = { id: 'U0MIA', name: 'Mia Olsen' };
const ada = { id: 'U0ADA', name: 'Ada' };

onEachDatabase('linked members', ({ fresh }) => {
  let store: Store;
  const owner = { installation: 'T1', team: 'T1' };
  beforeAll(async () => {
    store = await openTestStore(await fresh());
  });
  afterAll(() => store.close());

  it('a user has one linked member, and a new link returns the member linked before', async () => {
    expect(await membersOf({ store }, owner)).toEqual(new Map());
    expect(await linkMember({ store }, owner, '7', mia)).toBeUndefined();
    expect(await linkMember({ store }, owner, '7', ada)).toEqual(mia);
    expect(await linkMember({ store }, owner, '8', ada)).toBeUndefined();
    expect(await membersOf({ store }, owner)).toEqual(
      new Map([
        ['7', ada],
        ['8', ada],
      ]),
    );
    expect(await linkMember({ store }, owner, '8', undefined)).toEqual(ada);
    expect(await membersOf({ store }, owner)).toEqual(new Map([['7', ada]]));
    expect(await membersOf({ store }, { installation: 'T1', team: 'T2' })).toEqual(new Map());
  });

  it('several members linked at once are all stored', async () => {
    const of = { installation: 'T2', team: 'T2' };
    await Promise.all(Array.from({ length: 12 }, (_, n) => linkMember({ store }, of, `${n}`, mia)));
    expect((await membersOf({ store }, of)).size).toBe(12);
  });

  it('linked members are kept for users that the account still has, and deleted for other users', async () => {
    const of = { installation: 'T5', team: 'T5' };
    await linkMember({ store }, of, '7', mia);
    await linkMember({ store }, of, '8', ada);
    await keepMembers({ store }, of, new Set(['8', '9']));
    expect(await membersOf({ store }, of)).toEqual(new Map([['8', ada]]));
    await keepMembers({ store }, of, new Set(['9']));
    expect(await membersOf({ store }, of)).toEqual(new Map());
  });

  it('linked members are deleted when the account is disconnected or the installation erased', async () => {
    for (const [team, end] of [
      ['T3', (of: typeof owner) => store.workspaces.disconnect(of)],
      ['T4', (of: typeof owner) => store.eraseInstallation(of.installation)],
    ] as const) {
      const of = { installation: team, team };
      await store.workspaces.connect(of, 'key', { connectedBy: 'U0ADA', connectedAt: 1 });
      await linkMember({ store }, of, '7', mia);
      await end(of);
      expect(await membersOf({ store }, of)).toEqual(new Map());
    }
  });
});

it('a linked member’s name is shown beside the user’s name where it differs', () => {
  expect(nameWithMember('mara.gate', mia)).toBe('mara.gate (Mia Olsen)');
  expect(nameWithMember('ADA', ada)).toBe('ADA');
  expect(nameWithMember(undefined, mia)).toBe('Mia Olsen');
  expect(nameWithMember('mara', undefined)).toBe('mara');
});
