/** Stored cards behind their buttons, whichever process gets the click. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { drawCard } from '../../../src/slack/lookup/draw-answer.js';
import { storedCard } from '../../../src/slack/lookup/record-store.js';
import { shareOnce } from '../../../src/slack/lookup/share-once.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { lookup, noon, scan } from './lookup-samples.js';

const owner = { installation: 'T1', team: 'T1' };
onEachDatabase('stored cards', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  const deps = () => ({ clock: systemClock, random: systemRandom, log: silentLog, store });

  it('a card is posted once in each channel, however often it is shared, also after sharing failed', async () => {
    const actor = { owner, userId: 'U1', channelId: 'C1' };
    let posts = 0;
    const post = async () => {
      posts += 1;
      await systemClock.sleep(20);
    };
    const failing = shareOnce(deps(), actor, 'a', () => Promise.reject(new Error('not posted')));
    await expect(failing).rejects.toThrow('not posted');
    await Promise.all([1, 2, 3].map(() => shareOnce(deps(), actor, 'a', post)));
    await shareOnce(deps(), actor, 'a', post);
    expect(posts).toBe(1);
    await shareOnce(deps(), { ...actor, channelId: 'C2' }, 'a', post);
    expect(posts).toBe(2);
  });

  it('a card with 100 scans takes less than 60,000 characters in the store, and is redrawn unchanged', async () => {
    const answers = Array.from({ length: 8 }, (_, n) => ({ question: `Question ${n}?`, answer: 'x'.repeat(150) }));
    const scans = Array.from({ length: 100 }, (_, n) =>
      scan({
        id: String(n),
        at: noon - n * 1_000,
        result: 'r'.repeat(400),
        answers,
        status: n < 99 ? 'invalid' : 'valid',
      }),
    );
    const busy = lookup({ scans });
    const context = { deps: deps(), actor: { owner, userId: 'U1' } } as never;
    const shown = await drawCard(context, { lookup: busy }, { mayChange: false });
    const rows = await store.db.selectFrom('keyv').select(['key', 'value']).where('namespace', '=', 'lookup').execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.value.length).toBeLessThan(60_000);
    const stored = await storedCard(deps(), owner, rows[0]!.key.split(':').at(-1)!);
    const again = await drawCard(context, stored, { mayChange: false });
    const withoutIds = (message: unknown) => JSON.stringify(message).replaceAll(/\\"kept\\":\\"[\w-]+\\"/g, '');
    expect(withoutIds(again)).toBe(withoutIds(shown));
  });
});
