/** The counters of a rule that counts scans itself: written in the scan's commit, deleted with a forgotten barcode. */
import { beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, createScanErasure, relaySettingsSchema } from '../../../src/relay/index.js';
import { createRemovedRulePurge } from '../../../src/relay/rules/removed-rules.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake } from '../../helpers/relay.js';

const never = new AbortController().signal;
const unpaused = { ...systemClock, sleep: () => Promise.resolve() };

/** Adds the counters of a rule that counted so many barcodes. */
async function addCounters({ db }: Store, relayId: string, subject: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({
      ...{ relay_id: relayId, subject, key: `=more-${from + n}` },
      ...{ seen: 1, first_at: 1, last_at: 1, accepted: 0, last_accepted_at: null },
    }));
    await db.insertInto('counters').values(rows).execute();
  }
}

/** The number of counters of a relay's rules, by subject. */
async function ruleCounters({ db }: Store, relayId: string): Promise<Readonly<Record<string, number>>> {
  const rows = await db
    .selectFrom('counters')
    .select((eb) => ['subject', eb.fn.countAll().as('rows')])
    .where('relay_id', '=', relayId)
    .where('subject', 'like', 'rule.%')
    .groupBy('subject')
    .execute();
  return Object.fromEntries(rows.map(({ subject, rows }) => [subject, Number(rows)]));
}

onEachDatabase('a rule that counts the scans that meet its conditions', (databases) => {
  let url: string;
  beforeAll(async () => {
    url = await databases.fresh();
  });

  it('a rule’s counter is exact though scans arrive at once, and is deleted with a forgotten barcode', async () => {
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
      // Valid scans are not counted, and each barcode is counted by itself.
      const forms = Array.from({ length: 9 }, () => [scan('A', '0'), scan('A', '1'), scan('B', '0')]).flat();
      expect(new Set((await Promise.all(forms)).map(({ status }) => status))).toEqual(new Set([200]));
      const posts = store.db.selectFrom('outbox').select('scan_id').where('source_id', '=', relay.id);
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
      await erasure.forget(owner, 'A', { keepCounts: false }, never);
      expect((await counters()).map(({ key }) => key)).toEqual(['=B']);
      await relays.change(owner, relay.id, { settings: relaySettingsSchema.parse({}) });
      await erasure.forget(owner, 'B', { keepCounts: false }, never);
      expect(await counters()).toEqual([]);
    } finally {
      await intake.close();
      await store.close();
    }
  });

  it('a removed rule’s counters and stored state are deleted, and a switched-off rule’s are not', async () => {
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
      // More barcodes than one slice deletes.
      await addCounters(store, relay.id, 'rule.values.value', 1_050);
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
      await createRemovedRulePurge(store, unpaused)(never);
      expect(await known(relay.id)).toEqual(['later', 'rule.devices.device']);
      expect(await known(other.id)).toEqual(all);

      await relays.remove(owner, relay.id);
      expect(await createRemovedRulePurge(store, unpaused)(never)).toBe(2);
      expect(await known(relay.id)).toEqual([]);
      expect(await known(other.id)).toEqual(all);
    } finally {
      await intake.close();
      await store.close();
    }
  });

  const nthInvalid = (n: number) => [
    { kind: 'nth', n, of: 'value' },
    { kind: 'result', is: 'invalid' },
  ];
  const third = relaySettingsSchema.parse({ rules: [{ id: 'third', channel: 'C1', when: nthInvalid(3) }] });
  const none = relaySettingsSchema.parse({});

  it.each(['rule', 'relay'])('the counters of a removed %s are deleted later, at most 256 at a time', async (what) => {
    const store = await openTestStore(url);
    try {
      const relays = relaysOf(store);
      const { relay } = await relays.create({ ...gate, settings: third });
      await addCounters(store, relay.id, 'rule.third.value', 1_000);
      await (what === 'rule' ? relays.change(owner, relay.id, { settings: none }) : relays.remove(owner, relay.id));
      // No counter was deleted while the relay was locked.
      const left = [(await ruleCounters(store, relay.id))['rule.third.value'] ?? 0];
      const sleep = async () => void left.push((await ruleCounters(store, relay.id))['rule.third.value'] ?? 0);
      await createRemovedRulePurge(store, { now: () => 0, steady: () => 0, sleep })(never);
      expect([left[0], left.at(-1)]).toEqual([1_000, 0]);
      expect(Math.max(...left.slice(1).map((count, n) => left[n]! - count))).toBe(256);
      expect(await store.db.selectFrom('removed_rules').selectAll().execute()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('a rule restored after its removal never reads its former counters that wait for deletion', async () => {
    const store = await openTestStore(url);
    const other = await openTestStore(url);
    const intake = await startIntake(store, { clock: systemClock });
    try {
      const relays = relaysOf(store);
      const { relay, path } = await relays.create({ ...gate, settings: third });
      const scan = async (times: number) => {
        for (let n = 0; n < times; n += 1) {
          const form = scanForm({ tid: 'A', status: '0' });
          expect((await postScan(`${intake.url}${path}`, form)).status).toBe(200);
        }
        return (await store.db.selectFrom('outbox').select('seq').where('source_id', '=', relay.id).execute()).length;
      };
      const remake = async () => {
        await relays.change(owner, relay.id, { settings: none });
        await relays.change(owner, relay.id, { settings: third });
      };
      expect(await scan(2)).toBe(0);
      await addCounters(store, relay.id, 'rule.third.value', 500);
      await remake();
      expect(await scan(2)).toBe(0);
      await relays.change(owner, relay.id, { settings: { ...third, lateMinutes: 20 } });
      await remake();
      expect(await scan(2)).toBe(0);

      // The process that deletes them ends after a slice; another one goes on, while scans are counted.
      const stop = new AbortController();
      const sleep = async () => stop.abort();
      await createRemovedRulePurge(store, { ...systemClock, sleep })(stop.signal);
      const left = await ruleCounters(store, relay.id);
      expect(left['rule.third.value']).toBeGreaterThan(400);
      await Promise.all([store, other].map((each) => createRemovedRulePurge(each, unpaused)(never)));
      expect(Object.values(await ruleCounters(store, relay.id))).toEqual([1]);
      expect(await scan(1)).toBe(1);
      expect(await scan(2)).toBe(1);

      await remake();
      await createRemovedRulePurge(other, unpaused)(never);
      expect(await ruleCounters(store, relay.id)).toEqual({});
      expect(await scan(2)).toBe(1);
      expect(await scan(1)).toBe(2);
    } finally {
      await intake.close();
      await other.close();
      await store.close();
    }
  });
});
