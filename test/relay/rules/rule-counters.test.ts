/** What a rule counts for itself: kept in the commit with its scan, and forgotten with its barcode. */
import { beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, createScanErasure, relaySettingsSchema } from '../../../src/relay/index.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake } from '../../helpers/relay.js';

onEachDatabase('a rule that counts the scans that meet its conditions', (databases) => {
  let url: string;
  beforeAll(async () => {
    url = await databases.fresh();
  });

  it('counts them exactly when they come at once, and forgets them with their barcode', async () => {
    const store = await openTestStore(url);
    const intake = await startIntake(store, { clock: systemClock });
    try {
      const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
      const when = [
        { kind: 'nth', n: 3, of: 'value' },
        { kind: 'result', is: 'invalid' },
      ];
      const settings = relaySettingsSchema.parse({ rules: [{ id: 'third', channel: 'C1', when }] });
      const { relay, path } = await relays.create({ ...gate, settings });
      const scan = (tid: string, status: string) => postScan(`${intake.url}${path}`, scanForm({ tid, status }));
      // Valid ones are not counted, and other barcodes count for themselves.
      const forms = Array.from({ length: 9 }, () => [scan('A', '0'), scan('A', '1'), scan('B', '0')]).flat();
      expect(new Set((await Promise.all(forms)).map(({ status }) => status))).toEqual(new Set([200]));
      const posts = store.db.selectFrom('outbox').select('scan_id').where('relay_id', '=', relay.id);
      expect(await posts.execute()).toHaveLength(6);

      const counters = () =>
        store.db
          .selectFrom('counters')
          .select(['key', 'seen'])
          .where('relay_id', '=', relay.id)
          .where('subject', 'like', 'rule.%')
          .orderBy('key')
          .execute();
      expect((await counters()).map(({ key, seen }) => [key, Number(seen)])).toEqual([
        ['=A', 9],
        ['=B', 9],
      ]);
      const erasure = createScanErasure(store, systemClock);
      await erasure.forget(owner, 'A', { keepCounts: false }, new AbortController().signal);
      expect((await counters()).map(({ key }) => key)).toEqual(['=B']);
    } finally {
      await intake.close();
      await store.close();
    }
  });
});
