import { afterEach, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import type { Delivery } from '../../../src/posts/index.js';
import {
  createDelivery,
  createRelays,
  createScanErasure,
  type DeliveryDeps,
  filledVariables,
  relaySettingsSchema,
  type WorkflowPost,
  type WorkflowValues,
} from '../../../src/relay/index.js';
import { createTriggerPurge, createWorkflowTriggers } from '../../../src/workflows/index.js';
import { createChannels } from '../../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { clearOutbox } from '../../helpers/outbox.js';
import { gate, owner, postScan, scanForm, startIntake } from '../../helpers/relay.js';
import { startReceiver } from '../../workflows/receiver.js';

const hour = 3_600_000;
const day = 24 * hour;
const quick = {
  ...{ leaseMs: 600, heartbeatMs: 60, pollMs: 40, pollGapMs: 2, unconfirmedMs: 40, absentAfterMs: 40 },
  ...{ postTimeoutMs: 2_000, leastBackoffMs: 20, longestBackoffMs: 200, holdMs: 60 },
};

onEachDatabase('rules that start workflows', (databases) => {
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    url = await databases.fresh();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const open = async () => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await clearOutbox(store);
    for (const table of ['received_scans', 'relay_secrets', 'relays', 'held_sources', 'mutes', 'keyv'] as const) {
      await store.db.deleteFrom(table).execute();
    }
    let shift = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
    const receiver = await startReceiver();
    closing.push(() => receiver.close());
    const triggers = createWorkflowTriggers({ store, clock, apiUrl: receiver.apiUrl });
    const channels = createChannels();
    const valuesOf = ({ scan }: WorkflowPost): WorkflowValues => ({
      ...{ barcode: scan.tid, result: '', service: '', gate: '', person: '', moment: '' },
      ...{ answers: scan.answers.map(({ answer }) => answer).join(), scan_key: scan.id },
    });
    const publisher: DeliveryDeps['publisher'] = {
      ...channels,
      post: async (post, signal) =>
        post.kind === 'workflow'
          ? triggers.start(post.owner, post.channel, filledVariables(post.variables, valuesOf(post)), signal)
          : channels.post(post, signal),
      find: async (post, since, signal) =>
        post.channel.startsWith('trigger.') ? { outcome: 'absent' } : channels.find(post, since, signal),
    };
    const deliveries: Delivery[] = [];
    const onPosts = () => {
      for (const delivery of deliveries) {
        delivery.notify();
      }
    };
    const intake = await startIntake(store, { onPosts, clock });
    closing.push(() => intake.close());
    const relays = createRelays({ store, clock, random: systemRandom, onPosts });

    /** A rule that starts the workflow of that name. */
    const starting = async (name: string, fields: object = {}) => {
      await triggers.storeUrl(owner, receiver.url(name));
      const variables = ['barcode', 'answers', 'scan_key'].map((one) => ({ name: one, text: `{${one}}` }));
      const workflow = { trigger: triggers.idOf(receiver.url(name)), variables };
      return { id: `start-${name}`, when: { kind: 'every' }, action: 'workflow', channel: '', workflow, ...fields };
    };
    const settingsOf = (rules: readonly object[], more: object = {}) => relaySettingsSchema.parse({ rules, ...more });
    return {
      ...{ store, receiver, relays, channels, triggers, starting, settingsOf },
      pass: (ms: number) => {
        shift += ms;
      },
      now: () => clock.now(),
      purge: () => createTriggerPurge(store, clock)(new AbortController().signal),
      urls: async () => {
        const rows = store.db.selectFrom('keyv').select('key').where('namespace', '=', 'workflow-triggers');
        return (await rows.execute()).length;
      },
      deliver(more: Partial<DeliveryDeps> = {}) {
        const delivery = createDelivery({
          ...{ store, publisher, clock, random: systemRandom, log: silentLog, metrics: createMetrics() },
          ...{ intervalMs: 0, instanceId: `worker-${deliveries.length + 1}`, ...more },
          times: { ...quick, ...more.times },
        });
        deliveries.push(delivery);
        delivery.start();
        closing.push(() => delivery.stop());
        return delivery;
      },
      async newRelay(rules: readonly object[], more: object = {}) {
        const { relay, path } = await relays.create({ ...gate, settings: settingsOf(rules, more) });
        const scan = (fields: Record<string, string>) => postScan(`${intake.url}${path}`, scanForm(fields));
        return { id: relay.id, scan };
      },
      /** The barcodes that a workflow was started with. */
      started: (name: string) =>
        receiver.received
          .filter((one) => one.name === name)
          .map(({ body }) => (JSON.parse(body) as { barcode: string }).barcode),
      states: async () => {
        const rows = await store.db
          .selectFrom('outbox')
          .select(['state', 'kind', 'last_code'])
          .orderBy('seq')
          .execute();
        return rows.filter(({ kind }) => kind === 'workflow').map(({ state, last_code: code }) => [state, code]);
      },
    };
  };

  it('a workflow is started once for each scan and trigger, also during mutes and quiet hours', async () => {
    const room = await open();
    const { channels, relays, starting, started } = room;
    const first = await starting('first', {
      quiet: { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' },
    });
    const again = await starting('first', { id: 'again' });
    const other = await starting('second', { when: { kind: 'value', is: ['B'] } });
    const post = { id: 'post', when: { kind: 'every' }, channel: 'C0GATE' };
    const stop = { id: 'stop', when: { kind: 'value', is: ['B'] }, action: 'stop', channel: '' };
    const relay = await room.newRelay([first, post, other, stop, again]);
    await relays.mutes.mute(owner, {
      channel: 'C0GATE',
      what: { kind: 'relay', relayId: relay.id },
      who: 'U1',
      forMs: day,
    });
    room.deliver();
    await relay.scan({ tid: 'A' });
    await relay.scan({ tid: 'B' });
    await expect.poll(() => [started('first'), started('second')]).toEqual([['A', 'B'], ['B']]);
    await expect.poll(room.states).toEqual(Array(3).fill(['delivered', null]));
    expect(channels.in('C0GATE')).toEqual([]);
  });

  it('workflow starts are sent one at a time in order, and repeated with the same key after a failure', async () => {
    const room = await open();
    const { receiver, started } = room;
    const relay = await room.newRelay([await room.starting('one')]);
    receiver.answer([429, '', { 'retry-after': '1' }], [503], 'hang up');
    for (const tid of ['1', '2', '3', '4', '5', '6']) {
      await relay.scan({ tid });
    }
    room.deliver();
    room.deliver();
    await expect.poll(() => started('one')).toEqual(['1', '1', '1', '1', '2', '3', '4', '5', '6']);
    expect(receiver.most.atOnce).toBe(1);
    const keys = receiver.received.map(({ body }) => (JSON.parse(body) as { scan_key: string }).scan_key);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(new Set(keys).size).toBe(6);
    await expect.poll(room.states).toEqual(Array(6).fill(['delivered', null]));
  });

  it('a failing workflow start becomes a dead letter after a day; Retry uses the rule’s current trigger', async () => {
    const room = await open();
    const { receiver, relays, started } = room;
    const relay = await room.newRelay([await room.starting('old')]);
    receiver.answer(...Array(5).fill([500]));
    room.deliver({ times: { leastBackoffMs: 300, longestBackoffMs: 300 } });
    await relay.scan({ tid: 'A' });
    await expect.poll(() => started('old').length).toBeGreaterThan(0);
    room.pass(day + 1);
    await expect.poll(room.states).toEqual([['dead', 'slack.http_500']]);
    receiver.answer();
    const before = started('old').length;
    const rule = await room.starting('new', { id: 'start-old' });
    await relays.change(owner, relay.id, { settings: room.settingsOf([rule]) });
    expect(await relays.replay(owner, relay.id)).toBe(1);
    await expect.poll(() => started('new')).toEqual(['A']);
    expect(started('old')).toHaveLength(before);
    await expect.poll(room.states).toEqual([['delivered', null]]);
  });

  it('workflow starts continue after a start that Slack refuses permanently', async () => {
    const room = await open();
    room.receiver.answer([404]);
    const relay = await room.newRelay([await room.starting('gone')]);
    room.deliver();
    await relay.scan({ tid: 'A' });
    await relay.scan({ tid: 'B' });
    await expect.poll(room.states).toEqual([
      ['dead', 'workflow.gone'],
      ['delivered', null],
    ]);
  });

  it('workflow starts wait while the relay is paused, and are dropped for forgotten scans', async () => {
    const room = await open();
    const { relays, store, started } = room;
    const relay = await room.newRelay([await room.starting('late')]);
    room.deliver();
    await relays.pause(owner, relay.id);
    await relay.scan({ tid: 'KEPT' });
    await relay.scan({ tid: 'FORGOTTEN' });
    await createScanErasure(store, systemClock).forget(
      owner,
      'FORGOTTEN',
      { keepCounts: true },
      new AbortController().signal,
    );
    expect(await room.states()).toEqual([['pending', null]]);
    await relays.resume(owner, relay.id);
    await relay.scan({ tid: 'NEXT' });
    await expect.poll(() => started('late')).toEqual(['KEPT', 'NEXT']);
  });

  it('after a rule’s action changes, its waiting posts are still posted and its waiting workflows started', async () => {
    const room = await open();
    const { relays, channels, started } = room;
    const start = await room.starting('before');
    const post = { id: start.id, when: { kind: 'every' }, channel: 'C0GATE' };
    const relay = await room.newRelay([start]);
    await relay.scan({ tid: 'STARTS' });
    await relays.change(owner, relay.id, { settings: room.settingsOf([post]) });
    await relay.scan({ tid: 'POSTS' });
    await relays.change(owner, relay.id, { settings: room.settingsOf([start]) });
    room.deliver();
    await expect.poll(() => [started('before'), channels.in('C0GATE')]).toEqual([['STARTS'], ['POSTS']]);
  });

  it('a second submit starts a workflow only where the rule waits for answers, and only once', async () => {
    const room = await open();
    const { receiver } = room;
    const asks = { when: [{ kind: 'answer', how: 'equals', to: 'yes' }], id: 'asks' };
    const relay = await room.newRelay([await room.starting('asked', asks), await room.starting('other')], {
      match: 'all',
    });
    room.deliver();
    const scan = { tid: 'A', scanned_at_utc: '2026-05-01 10:00:00' };
    await relay.scan(scan);
    await expect.poll(() => room.started('other')).toEqual(['A']);
    const answered = { ...scan, scanid: '77', 'answers[12]': 'yes' };
    await relay.scan(answered);
    await relay.scan(answered);
    await expect.poll(() => room.started('asked')).toEqual(['A']);
    const sent = receiver.received.map(({ name, body }) => [name, (JSON.parse(body) as { answers: string }).answers]);
    expect(sent).toEqual([
      ['other', ''],
      ['asked', 'yes'],
    ]);
    await expect.poll(room.states).toEqual(Array(2).fill(['delivered', null]));
  });

  it('a trigger’s URL is deleted once no rule uses it and no start of it waits', async () => {
    const room = await open();
    const { relays, started } = room;
    const [first, other] = [await room.starting('first'), await room.starting('other')];
    const relay = await room.newRelay([first, { ...other, on: false }]);
    const second = await room.newRelay([other]);
    await relay.scan({ tid: 'WAITS' });
    const rest = async () => {
      await room.purge();
      return room.urls();
    };
    // Entered for a rule that is not saved yet.
    await room.starting('entered');
    expect(await rest()).toBe(3);
    await relays.change(owner, relay.id, { settings: room.settingsOf([]) });
    room.pass(hour + 1);
    expect(await rest()).toBe(2);
    room.deliver();
    await expect.poll(() => started('first')).toEqual(['WAITS']);
    await expect.poll(room.states).toEqual([['delivered', null]]);
    expect(await rest()).toBe(1);
    await relays.remove(owner, second.id);
    // Entered again: a rule is about to be saved.
    await room.starting('other');
    expect(await rest()).toBe(1);
    room.pass(hour + 1);
    expect(await rest()).toBe(0);
  });
});
