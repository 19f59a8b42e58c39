import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOAuthStores } from '../../../src/slack/install/stores.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';

const options = {
  scopes: ['commands', 'chat:write'],
  redirectUri: 'https://scandesk.example.com/slack/oauth_redirect',
};

onEachDatabase('the state of an install under way', (databases) => {
  let now = 1_700_000_000_000;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh(), { clock });
  });
  afterAll(() => store.close());

  const states = () => createOAuthStores({ clock, store }).states;
  const begun = () => states().generateStateParam(options, new Date());
  const back = (state: string) => states().verifyStateParam(new Date(), state);

  async function rows(): Promise<number> {
    let count = 0;
    for (const namespace of ['oauth-state', 'oauth-state-used']) {
      const all = store.keyv(namespace).iterator;
      for await (const _ of all!(namespace)) count += 1;
    }
    return count;
  }

  test('an install’s OAuth state is read back once with its content', async () => {
    const state = await begun();
    expect(await back(state)).toEqual(options);
    await expect(back(state)).rejects.toThrow('was used already');
  });

  test('an install’s OAuth state leaves no row while nobody returns, however often the page is opened', async () => {
    const before = await rows();
    const all = await Promise.all(Array.from({ length: 50 }, begun));
    expect(new Set(all).size).toBe(50);
    expect(await rows()).toBe(before);
    await back(all[0]!);
    expect(await rows()).toBe(before + 1);
  });

  test('an install’s OAuth state expires after ten minutes', async () => {
    const state = await begun();
    const fresh = await begun();
    now += 599_000;
    await back(fresh);
    now += 1_000;
    await expect(back(state)).rejects.toThrow('is too old');
    await expect(back(fresh)).rejects.toThrow();
  });

  test('an install’s OAuth state is refused if it was changed, or sealed for another purpose', async () => {
    const state = await begun();
    const last = state.at(-1) === 'A' ? 'B' : 'A';
    for (const made of [
      '',
      'x',
      `${state}x`,
      state.slice(0, -1) + last,
      store.sealer.seal(JSON.stringify({ madeAt: now, options }), { purpose: 'x', installation: '', record: '' }),
    ]) {
      await expect(back(made)).rejects.toMatchObject({ code: 'slack_oauth_invalid_state' });
    }
    expect(await back(state)).toEqual(options);
  });

  test('an install’s OAuth state fits into a cookie and a link unescaped', async () => {
    const state = await begun();
    expect(state).toMatch(/^[\w.-]+$/);
    expect(state.length).toBeLessThan(2_000);
  });
});
