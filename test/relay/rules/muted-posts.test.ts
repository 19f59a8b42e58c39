import { afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import { createTimers } from '../../../src/relay/rules/timers/timers.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { clearOutbox } from '../../helpers/outbox.js';
import { gate, owner, postScan, scanForm, startIntake } from '../../helpers/relay.js';

const minute = 60_000;
const allDay = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const rule = (fields: object = {}) => ({ id: 'r1', channel: 'C1', when: { kind: 'every' }, ...fields });

onEachDatabase('a mute for a number of posts', (databases) => {
  let url: string;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    url = await databases.fresh();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const open = async (options: { now?: () => number } = {}) => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await clearOutbox(store);
    for (const table of [
      'received_scans',
      'relay_secrets',
      'digests',
      'silences',
      'incidents',
      'relays',
      'rule_memories',
      'mutes',
    ] as const) {
      await store.db.deleteFrom(table).execute();
    }
    const clock = { ...systemClock, now: options.now ?? systemClock.now };
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const newRelay = async (settings: object, fields: object = {}) =>
      await relays.create({ ...gate, ...fields, settings: relaySettingsSchema.parse(settings) });
    const ask = { channel: 'C1', who: 'U1' };
    return { store, clock, relays, newRelay, ask };
  };
  const instance = async (store: Store) => {
    const intake = await startIntake(store);
    closing.push(() => intake.close());
    return intake.url;
  };
  const scan = async (at: string, form: Record<string, string> = {}) => {
    expect((await postScan(at, scanForm(form))).status).toBe(200);
  };
  const postsIn = async (store: Store, channel = 'C1') =>
    (await store.db.selectFrom('outbox').select('key').where('channel', '=', channel).execute()).length;
  const left = async (store: Store) =>
    (await store.db.selectFrom('mutes').select('remaining').execute()).map(({ remaining }) => remaining);

  it('a mute for 25 posts leaves out exactly 25 posts and is then over, though two processes run', async () => {
    const { store, relays, newRelay, ask } = await open();
    const other = await openTestStore(url);
    closing.push(() => other.close());
    const urls = [await instance(store), await instance(other)];
    const made = [await newRelay({ rules: [rule()] }), await newRelay({ rules: [rule()] })];
    await relays.mutes.mute(owner, { ...ask, what: { kind: 'value', value: 'loud' }, posts: 25 });
    await relays.mutes.mute(owner, { ...ask, what: { kind: 'relay', relayId: made[1]!.relay.id }, posts: 1_000 });
    const all = Array.from({ length: 40 }, (_, n) => n);
    await Promise.all(all.map((n) => scan(`${urls[n % 2]}${made[0]!.path}`, { tid: 'loud', udid: `d${n}` })));
    expect(await postsIn(store)).toBe(15);
    expect(await left(store)).toEqual([1_000]);
    // A mute of a barcode applies to both relays.
    await relays.mutes.mute(owner, { ...ask, what: { kind: 'value', value: 'loud' }, posts: 25 });
    await relays.mutes.stop(
      owner,
      { who: 'U1', channel: 'C1' },
      (await relays.mutes.list(owner, { who: 'U1', channel: 'C1' })).find(({ what }) => what.kind === 'relay')!.id,
    );
    await Promise.all(
      all.map((n) => scan(`${urls[n % 2]}${made[(n >> 1) % 2]!.path}`, { tid: 'loud', udid: `e${n}` })),
    );
    expect(await postsIn(store)).toBe(30);
    expect(await left(store)).toEqual([]);
  }, 60_000);

  it('a mute for a number of posts counts neither scans that its rule skips nor posts in other channels', async () => {
    const { store, relays, newRelay, ask } = await open();
    const at = await instance(store);
    const { relay, path } = await newRelay({
      match: 'all',
      rules: [rule({ when: { kind: 'result', is: 'invalid' } }), rule({ id: 'r2', channel: 'C2' })],
    });
    await relays.mutes.mute(owner, { ...ask, what: { kind: 'rule', relayId: relay.id, ruleId: 'r1' }, posts: 2 });
    await scan(`${at}${path}`);
    expect(await left(store)).toEqual([2]);
    for (let n = 0; n < 3; n += 1) {
      await scan(`${at}${path}`, { status: '0', text: 'no' });
    }
    expect([await left(store), await postsIn(store), await postsIn(store, 'C2')]).toEqual([[], 1, 4]);
  });

  it('a mute for a number of posts starts again with the new number when it is set again', async () => {
    const { store, relays, newRelay, ask } = await open();
    const { relay } = await newRelay({ rules: [rule()] });
    const what = { kind: 'relay', relayId: relay.id } as const;
    await relays.mutes.mute(owner, { ...ask, what, posts: 5 });
    expect(await relays.mutes.mute(owner, { ...ask, what, forMs: minute })).not.toHaveProperty('posts');
    expect(await relays.mutes.mute(owner, { ...ask, what, posts: 7 })).toMatchObject({ posts: 7 });
    expect(await left(store)).toEqual([7]);
  });

  it('an alert for missing scans that a mute for one post left out is posted n minutes later', async () => {
    let now = Date.UTC(2026, 4, 1, 12);
    const { store, relays, newRelay, ask } = await open({ now: () => now });
    const { relay } = await newRelay({
      rules: [rule({ when: { kind: 'silence', of: 'relay', minutes: 30, hours: allDay } })],
    });
    await relays.mutes.mute(owner, { ...ask, what: { kind: 'relay', relayId: relay.id }, posts: 1 });
    const timers = createTimers({ store, clock: { ...systemClock, now: () => now }, log: silentLog });
    const look = async (ms: number) => {
      now += ms;
      await timers.poll();
      return [(await store.db.selectFrom('outbox').select('key').execute()).length, await left(store)];
    };
    expect(await look(29 * minute)).toEqual([0, [1]]);
    expect(await look(2 * minute)).toEqual([0, []]);
    expect(await look(29 * minute)).toEqual([0, []]);
    expect(await look(minute)).toEqual([1, []]);
    expect(await look(61 * minute)).toEqual([1, []]);
  });
});
