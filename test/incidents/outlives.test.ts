import { afterAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createDelivery, createRelays, createScanErasure, relaySettingsSchema } from '../../src/relay/index.js';
import { createPrune } from '../../src/relay/retention/retention.js';
import { createTimers } from '../../src/relay/rules/timers/timers.js';
import { relayPost } from '../../src/slack/channel-posts/blocks/relay-post.js';
import { createChannels } from '../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake } from '../helpers/relay.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const hours = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };
const escalate = { minutes: 15, users: ['U7'], groups: [] };
const burst = { id: 'r1', channel: 'C1', when: { kind: 'burst', n: 2, minutes: 30 }, escalate };
const silence = {
  ...{ id: 'r1', channel: 'C1', escalate: { ...escalate, minutes: 60 } },
  when: { kind: 'silence', of: 'device', ids: ['device-1'], minutes: 30, hours },
};
const never = new AbortController().signal;

onEachDatabase('an open alert', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) {
      await close();
    }
  });

  const open = async (rule: object) => {
    const store = await openTestStore(await databases.fresh());
    closing.push(() => store.close());
    let now = Date.UTC(2026, 4, 4, 12);
    const clock: Clock = { ...systemClock, now: () => now };
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const intake = await startIntake(store, { clock });
    closing.push(() => intake.close());
    const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse({ rules: [rule] }) });
    const channels = createChannels();
    const timers = createTimers({ store, clock, log: silentLog });
    return {
      ...{ store, relays, relay, channels, now: () => now },
      prune: createPrune(store, clock),
      erasure: createScanErasure(store, clock),
      scan: async (tid: string) => {
        const at = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
        const form = scanForm({ tid, status: '0', text: 'no', scanned_at_utc: at });
        expect((await postScan(`${intake.url}${path}`, form)).status).toBe(200);
      },
      pass: async (ms: number) => {
        now += ms;
        await timers.poll();
      },
      /** Sends open posts and due updates. */
      send: async () => {
        const delivery = createDelivery({
          ...{ store, publisher: channels, clock, random: systemRandom, log: silentLog, metrics: createMetrics() },
          ...{ intervalMs: 0, instanceId: `worker-${systemRandom.bytes(6).toString('hex')}` },
          times: { pollMs: 20, pollGapMs: 1, holdMs: 20, parentEveryMs: 0, editGapMs: 0 },
        });
        delivery.start();
        const waiting = async () => {
          const posts = store.db.selectFrom('outbox').select('key').where('finished_at', 'is', null);
          const updates = store.db
            .selectFrom('message_updates')
            .innerJoin('outbox', 'outbox.seq', 'message_updates.post_seq')
            .select('outbox.key')
            .where('due_at', 'is not', null);
          return (await posts.unionAll(updates).execute()).map(({ key }) => key);
        };
        await expect.poll(waiting, { interval: 20 }).toEqual([]);
        await delivery.stop();
      },
      /** The alert's messages as Slack shows them now, by kind. */
      shown: () => {
        const newest = new Map([...channels.posted, ...channels.edited].map(({ key, post }) => [key, post!]));
        return new Map(
          [...newest.values()].map((post) => [
            post.kind === 'reply' ? post.reply.part : post.kind,
            JSON.stringify(relayPost(post)),
          ]),
        );
      },
      incidents: () =>
        store.db
          .selectFrom('incidents')
          .select(['kind', 'escalated_at', 'ended_at', 'end_reason', 'acknowledged_by'])
          .orderBy('opened_at')
          .execute(),
    };
  };

  describe('an open alert of forgotten barcodes', () => {
    it.each([
      ['the scan that opened the alert', 'TICKET-B'],
      ['an earlier scan', 'TICKET-A'],
    ])(
      'an alert no longer shows the forgotten barcode of %s, and still escalates, is acknowledged and ends',
      async (_, forgotten) => {
        const { scan, pass, send, shown, erasure, incidents, relays, store } = await open(burst);
        await scan('TICKET-A');
        await scan('TICKET-B');
        await send();
        expect(shown().get('opened')).toContain(forgotten);
        const before = await erasure.countOf(owner, forgotten);
        expect(await erasure.forget(owner, forgotten, { keepCounts: true }, never)).toEqual(before);
        await send();
        expect([...shown().keys()]).toEqual(['burst', 'opened']);
        expect([...shown().values()].join()).not.toContain(forgotten);
        expect(shown().get('opened')).toContain(forgotten === 'TICKET-A' ? 'TICKET-B' : 'TICKET-A');

        await pass(16 * minute);
        await send();
        expect(shown().get('escalation')).toContain('post.acknowledge');
        const { post_key: key } = await store.db.selectFrom('incidents').select('post_key').executeTakeFirstOrThrow();
        expect(await relays.postActions.acknowledge(owner, key, 'U1')).toMatchObject({ first: true });
        expect(await relays.postActions.find(owner, key)).toMatchObject({ incident: { acknowledged: { by: 'U1' } } });
        expect(await relays.postActions.content(owner, key)).toBeDefined();
        await pass(20 * minute);
        await send();
        expect(shown().get('burst')).toMatch(/Over (after|·)/);
        expect(shown().get('over')).toMatch(/Over (after|·)/);
        expect(await incidents()).toMatchObject([{ end_reason: 'calm', acknowledged_by: 'U1' }]);
      },
    );

    it('an undelivered alert is delivered without a barcode that was forgotten meanwhile', async () => {
      const { scan, send, shown, erasure } = await open(burst);
      await scan('TICKET-A');
      await scan('TICKET-B');
      expect(await erasure.countOf(owner, 'TICKET-B')).toEqual({ scans: 1, posts: 0 });
      await erasure.forget(owner, 'TICKET-B', { keepCounts: false }, never);
      await send();
      expect(shown().get('burst')).toContain('a scan that was deleted');
      expect([...shown().values()].join()).not.toContain('TICKET-B');
    });
  });

  it('an open alert still escalates after *Erase data*, and is over with the next scan', async () => {
    const { scan, pass, send, shown, erasure, incidents, store, now } = await open(silence);
    await scan('A');
    await pass(35 * minute);
    await send();
    await erasure.eraseAll(owner, now(), never);
    await pass(61 * minute);
    await send();
    expect([...shown().keys()]).toEqual(['silence', 'escalation']);
    await scan('B');
    await pass(minute);
    await send();
    expect(shown().get('over')).toMatch(/Over (after|·)/);
    await pass(30 * minute);
    expect(await incidents()).toMatchObject([{ end_reason: 'scan' }, { ended_at: null }]);
    await erasure.eraseAll(owner, now() + day, never);
    const left = await store.db.selectFrom('outbox').select(['kind', 'scan_id']).execute();
    expect(left).toEqual([{ kind: 'silence', scan_id: null }]);
  });

  it('*Erase data* raises no alert for missing scans: the wait for a scan starts again', async () => {
    const { scan, pass, erasure, incidents, now } = await open(silence);
    await pass(day);
    await scan('A');
    await pass(25 * minute);
    await scan('B');
    await pass(20 * minute);
    await erasure.eraseAll(owner, now(), never);
    await pass(29 * minute);
    expect((await incidents()).filter(({ ended_at }) => ended_at === null)).toEqual([]);
    await pass(minute);
    expect((await incidents()).filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
  });

  it.each([
    ['missing scans', { ...silence, escalate: undefined }],
    ['invalid scans', burst],
  ])('an alert for %s announces its end though old posts were pruned, and is later pruned itself', async (_, rule) => {
    const { scan, pass, send, shown, prune, incidents, now, store, relays, relay } = await open(rule);
    await scan('A');
    await scan('B');
    await pass(rule === burst ? minute : 31 * minute);
    await send();
    expect([...shown().keys()]).toContain(rule === burst ? 'burst' : 'silence');
    for (let n = 0; n < 100; n++) {
      await pass(25 * minute);
      if (rule === burst) {
        await scan(`C${n}`);
      }
    }
    await send();
    await prune(now() - day, never);
    await scan('last');
    await pass(31 * minute);
    await send();
    expect(shown().get('over')).toMatch(/Over (after|·)/);
    expect((await incidents())[0]?.ended_at).not.toBeNull();
    await pass(10 * day);
    await send();
    await pass(2 * day);
    await relays.remove(owner, relay.id);
    for (const _ of ['posts', 'replies to them']) {
      await pass(2 * day);
      await prune(now() - day, never);
    }
    expect(await store.db.selectFrom('outbox').select('kind').execute()).toEqual([]);
  });
});
