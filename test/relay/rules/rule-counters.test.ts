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

  it('forgets what a rule counted and remembered when the rule is removed, not when it is switched off', async () => {
    const store = await openTestStore(url);
    const intake = await startIntake(store, { clock: systemClock });
    try {
      const relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
      const nth = { kind: 'nth', n: 3, of: 'value' };
      const invalid = { kind: 'result', is: 'invalid' };
      const rules = [
        { id: 'values', channel: 'C1', when: [nth, invalid] },
        { id: 'devices', channel: 'C1', when: [{ ...nth, of: 'device' }, invalid] },
        { id: 'burst', channel: 'C1', when: { kind: 'burst', n: 2, minutes: 5 } },
        { id: 'later', channel: 'C1', when: { kind: 'burst', n: 3, minutes: 5 } },
      ];
      const settings = relaySettingsSchema.parse({ match: 'all', rules });
      const made = [await relays.create({ ...gate, settings }), await relays.create({ ...gate, settings })];
      const post = (path: string, n: number) =>
        postScan(`${intake.url}${path}`, { tid: `A-${n}`, udid: 'D1', status: '0' });
      const [relay, other] = made.map(({ relay }) => relay) as [(typeof made)[0]['relay'], (typeof made)[0]['relay']];
      for (const { path } of made) {
        expect((await post(path, 0)).status).toBe(200);
      }
      // More barcodes than one statement deletes.
      await store.db
        .insertInto('counters')
        .values(
          Array.from({ length: 1_050 }, (_, n) => ({
            ...{ relay_id: relay.id, subject: 'rule.values.value', key: `=more-${n}` },
            ...{ seen: 1, first_at: 1, last_at: 1, accepted: 0, last_accepted_at: null },
          })),
        )
        .execute();
      const known = async (id: string) => {
        const counters = await store.db
          .selectFrom('counters')
          .select('subject')
          .distinct()
          .where('relay_id', '=', id)
          .where('subject', 'like', 'rule.%')
          .execute();
        const memories = await store.db
          .selectFrom('rule_memories')
          .select('rule_id')
          .where('relay_id', '=', id)
          .execute();
        return [...counters.map(({ subject }) => subject), ...memories.map(({ rule_id }) => rule_id)].sort();
      };
      const all = ['burst', 'later', 'rule.devices.device', 'rule.values.value'];
      expect(await known(relay.id)).toEqual(all);

      const off = settings.rules.map((rule) => ({ ...rule, on: false }));
      await relays.change(owner, relay.id, { settings: { ...settings, rules: off } });
      expect(await known(relay.id)).toEqual(all);
      await relays.change(owner, relay.id, { channel: 'C2' });
      expect(await known(relay.id)).toEqual(all);

      const left = settings.rules.filter(({ id }) => id === 'devices' || id === 'later');
      await relays.change(owner, relay.id, { settings: { ...settings, rules: left } });
      expect(await known(relay.id)).toEqual(['later', 'rule.devices.device']);
      expect(await known(other.id)).toEqual(all);

      await relays.remove(owner, relay.id);
      expect(await known(relay.id)).toEqual([]);
      expect(await known(other.id)).toEqual(all);
    } finally {
      await intake.close();
      await store.close();
    }
  });
});
