/** What the service of lookups keeps in the store for the buttons of cards, whichever process is clicked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createLookupService } from '../../../src/slack/lookup/service.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { lookup, noon, scan } from './lookup-samples.js';

const owner = { installation: 'T1', team: 'T1' };
onEachDatabase('the service of lookups', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  const inProcess = () =>
    createLookupService({
      ...{ config: { GREEN_MINUTES: 15 }, clock: systemClock, random: systemRandom, log: silentLog, store },
    } as never);

  it('a card is shared once in a channel, whichever processes get its clicks, and again after a failure', async () => {
    const actor = { owner, userId: 'U1', channelId: 'C1' };
    let posts = 0;
    const post = async () => {
      posts += 1;
      await systemClock.sleep(20);
    };
    const failing = inProcess().shareOnce(actor, { kept: 'a' }, () => Promise.reject(new Error('not posted')));
    await expect(failing).rejects.toThrow('not posted');
    const clicks = [inProcess(), inProcess(), inProcess()].map((one) => one.shareOnce(actor, { kept: 'a' }, post));
    await Promise.all(clicks);
    await inProcess().shareOnce(actor, { kept: 'a' }, post);
    expect(posts).toBe(1);
    await inProcess().shareOnce({ ...actor, channelId: 'C2' }, { kept: 'a' }, post);
    expect(posts).toBe(2);
  });

  it('the card of a busy barcode takes little room, and looks the same behind its buttons', async () => {
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
    const service = inProcess();
    const shown = await service.card(owner, { lookup: busy }, { mayChange: false });
    const rows = await store.db.selectFrom('keyv').select(['key', 'value']).where('namespace', '=', 'lookup').execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.value.length).toBeLessThan(60_000);
    const stored = await service.cardBehind(owner, { value: busy.value, kept: rows[0]!.key.split(':').at(-1)! });
    const again = await service.card(owner, stored, { mayChange: false });
    const withoutIds = (message: unknown) => JSON.stringify(message).replaceAll(/\\"kept\\":\\"[\w-]+\\"/g, '');
    expect(withoutIds(again)).toBe(withoutIds(shown));
  });
});
