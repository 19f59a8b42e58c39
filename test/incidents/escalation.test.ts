import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { createIncidentStore } from '../../src/incidents/incident-rows.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createDelivery, createRelays, relaySettingsSchema } from '../../src/relay/index.js';
import { createTimers } from '../../src/relay/rules/timers/timers.js';
import { createChannels } from '../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { clearOutbox } from '../helpers/outbox.js';
import { gate, owner, postScan, scanForm, startIntake, stranger } from '../helpers/relay.js';

const minute = 60_000;
const noon = Date.UTC(2026, 4, 1, 12);
const escalate = { minutes: 15, users: ['U7'], groups: ['S1'] };
const burst = { id: 'r1', channel: 'C1', when: { kind: 'burst', n: 2, minutes: 30 }, escalate };
const hours = (from: string, to: string) => ({ zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from, to });

onEachDatabase('an alert', (databases) => {
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

  const open = async (rule: object = burst) => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await clearOutbox(store);
    for (const table of [
      'received_scans',
      'relay_secrets',
      'digests',
      'silences',
      'relays',
      'rule_memories',
    ] as const) {
      await store.db.deleteFrom(table).execute();
    }
    await store.db.deleteFrom('mutes').execute();
    await store.db.deleteFrom('incidents').execute();
    let now = noon;
    const clock: Clock = { ...systemClock, now: () => now };
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const intake = await startIntake(store, { clock });
    closing.push(() => intake.close());
    const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse({ rules: [rule] }) });
    const scan = async () => {
      const at = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
      const form = scanForm({ status: '0', text: 'no', scanned_at_utc: at });
      expect((await postScan(`${intake.url}${path}`, form)).status).toBe(200);
    };
    /** Moves the clock, and has the timers of two instances poll at the same time. */
    const look = async (ms: number) => {
      now += ms;
      await Promise.all([1, 2].map(() => createTimers({ store, clock, log: silentLog }).poll()));
    };
    const posts = async () =>
      await store.db
        .selectFrom('outbox')
        .selectAll()
        .where('kind', 'in', ['reply', 'escalation'])
        .orderBy('seq')
        .execute();
    const parts = async (part: string) => (await posts()).filter(({ key }) => key.includes(`.${part}`));
    const incident = async () => {
      const [row] = await store.db.selectFrom('incidents').select('post_key').execute();
      const found = row && (await createIncidentStore(store.db).find(owner, row.post_key));
      return found!;
    };
    const channels = createChannels();
    /** Sends posts until `holds` returns true. */
    const sendUntil = async (holds: () => boolean | Promise<boolean>) => {
      const delivery = createDelivery({
        ...{ store, publisher: channels, clock, random: systemRandom, log: silentLog, metrics: createMetrics() },
        ...{ intervalMs: 0, instanceId: `worker-${systemRandom.bytes(6).toString('hex')}` },
        times: { pollMs: 20, pollGapMs: 1, holdMs: 20 },
      });
      delivery.start();
      await expect.poll(holds, { interval: 20 }).toBe(true);
      await delivery.stop();
    };
    await scan();
    await scan();
    const { postKey: key } = await incident();
    return { store, relays, relay, look, scan, parts, incident, key, channels, sendUntil, now: () => now };
  };

  describe('the escalation of an alert', () => {
    it('an unacknowledged alert escalates to its people once after 15 minutes, though two instances run', async () => {
      const { look, parts, incident, scan } = await open();
      await look(15 * minute - 1);
      expect(await parts('escalated')).toEqual([]);
      await look(1);
      await scan();
      await look(20 * minute);
      await look(20 * minute);
      const [post, ...more] = await parts('escalated');
      expect(more).toEqual([]);
      expect(JSON.parse(post!.detail!)).toMatchObject({
        mention: { users: ['U7'], groups: ['S1'] },
        incident: { part: 'escalated', minutes: 15 },
      });
      expect([post!.channel, post!.parent_key]).toEqual(['C1', null]);
      expect((await incident()).escalatedAt).toBe(noon + 15 * minute);
    });

    it.each([
      ['acknowledged the alert', ['acknowledge', 'U1']],
      ['handed the alert over', ['handOver', { who: 'U1', to: 'U2' }]],
      ['resolved the alert', ['resolve', { who: 'U1', reason: 'Fixed' }]],
    ] as const)('an alert does not escalate after somebody %s', async (_, [what, by]) => {
      const { relays, key, look, parts } = await open();
      await (relays.postActions[what] as (...all: unknown[]) => Promise<unknown>)(owner, key, by);
      await look(16 * minute);
      expect(await parts('escalated')).toEqual([]);
    });

    it('an alert that is over does not escalate', async () => {
      const { look, parts, incident } = await open({ ...burst, when: { kind: 'burst', n: 2, minutes: 10 } });
      await look(20 * minute);
      expect((await incident()).ended).toBeDefined();
      expect(await parts('escalated')).toEqual([]);
    });

    it('an alert’s escalation waits while the alert is muted, and while its relay is paused', async () => {
      const { relays, relay, look, scan, parts } = await open({ ...burst, quiet: hours('12:10', '12:40') });
      await relays.mutes.mute(owner, {
        ...{ channel: 'C1', who: 'U1', forMs: 45 * minute },
        what: { kind: 'rule', relayId: relay.id, ruleId: 'r1' },
      });
      await scan();
      await look(20 * minute);
      await scan();
      await look(21 * minute);
      expect(await parts('escalated')).toEqual([]);
      await look(2 * minute);
      await relays.pause(owner, relay.id);
      await scan();
      await look(3 * minute);
      expect(await parts('escalated')).toEqual([]);
      await relays.resume(owner, relay.id);
      await look(2 * minute);
      expect(await parts('escalated')).toHaveLength(1);
    });

    describe('the channel of an escalation', () => {
      const moved = relaySettingsSchema.parse({ rules: [{ ...burst, channel: 'C2' }] });
      const gone = { outcome: 'gone', why: 'channel_gone', code: 'slack.is_archived' } as const;

      it('an escalation goes to its rule’s current channel, also if the channel changes meanwhile', async () => {
        const { relays, relay, look, parts } = await open();
        await relays.change(owner, relay.id, { settings: moved });
        await look(15 * minute);
        expect((await parts('escalated')).map(({ channel }) => channel)).toEqual(['C2']);
        const again = relaySettingsSchema.parse({ rules: [{ ...burst, channel: 'C3' }] });
        await relays.change(owner, relay.id, { settings: again });
        expect((await parts('escalated')).map(({ channel }) => channel)).toEqual(['C3']);
      });

      it('an escalation whose channel is gone is sent once by direct message, after two failed attempts', async () => {
        const { relays, relay, look, channels, sendUntil } = await open();
        await sendUntil(() => channels.in('C1').length === 2);
        await relays.change(owner, relay.id, { settings: moved });
        await look(15 * minute);
        channels.script('C2', { accepted: false, says: gone });
        channels.failTelling(2);
        const isBlocked = async () => (await relays.get(owner, relay.id))?.blocked.length === 1;
        await sendUntil(isBlocked);
        // The direct message is tried again each minute, and fails twice.
        await sendUntil(async () => {
          await look(minute);
          return channels.escalated.length > 0;
        });
        await look(10 * minute);
        await sendUntil(() => true);
        expect(channels.escalated).toMatchObject([{ channel: 'C2', kind: 'escalation' }]);
      });

      it('a failed direct message of an escalation is not sent again once the alert was acknowledged', async () => {
        const { relays, relay, look, channels, sendUntil, key } = await open();
        channels.script('C1', { accepted: false, says: gone });
        await sendUntil(() => channels.blocked.length > 0);
        expect((await relays.get(owner, relay.id))?.blocked).toHaveLength(1);
        await look(15 * minute);
        channels.failTelling(1);
        let looked = 0;
        await sendUntil(() => looked++ > 20);
        expect(channels.escalated).toEqual([]);
        await relays.postActions.acknowledge(owner, key, 'U1');
        await sendUntil(() => looked++ > 40);
        expect(channels.escalated).toEqual([]);
      });
    });

    it('an alert does not escalate once its rule names nobody to escalate to', async () => {
      const { relays, relay, look, parts } = await open();
      const settings = relaySettingsSchema.parse({ rules: [{ ...burst, escalate: undefined }] });
      await relays.change(owner, relay.id, { settings });
      await look(16 * minute);
      expect(await parts('escalated')).toEqual([]);
    });
  });

  it('handing over an alert repeatedly notifies each new person once, and acknowledges the alert', async () => {
    const { relays, key, parts, incident } = await open();
    const to = async (who: string, next: string) =>
      (await relays.postActions.handOver(owner, key, { who, to: next }))?.done;
    expect(await relays.postActions.handOver(stranger, key, { who: 'U1', to: 'U2' })).toBeUndefined();
    expect([await to('U1', 'U2'), await to('U1', 'U2'), await to('U2', 'U3')]).toEqual([true, false, true]);
    expect((await parts('h')).map(({ detail }) => JSON.parse(detail!).mention.users)).toEqual([['U2'], ['U3']]);
    expect(await incident()).toMatchObject({ acknowledged: { by: 'U1' }, assigned: { to: 'U3', by: 'U2' } });
    expect(await relays.postActions.acknowledge(owner, key, 'U9')).toMatchObject({ first: false, by: 'U1' });
  });

  it('an alert that three people resolve at once is resolved by one person, and gets no more updates', async () => {
    const { relays, key, look, scan, incident, parts } = await open();
    const done = await Promise.all(
      ['U1', 'U2', 'U3'].map((who) => relays.postActions.resolve(owner, key, { who, reason: `Fixed: by ${who}` })),
    );
    expect(done.map((one) => one?.done).sort()).toEqual([false, false, true]);
    const { resolved, acknowledged } = await incident();
    expect(resolved?.reason).toBe(`Fixed: by ${resolved?.by}`);
    expect(acknowledged?.by).toBe(resolved?.by);
    expect((await relays.postActions.handOver(owner, key, { who: 'U1', to: 'U2' }))?.done).toBe(false);
    await look(20 * minute);
    await scan();
    await look(20 * minute);
    await scan();
    expect([(await incident()).scans, await parts('u')]).toEqual([4, []]);
    await look(31 * minute);
    expect((await incident()).ended).toMatchObject({ why: 'calm' });
    expect((await relays.postActions.resolve(owner, key, { who: 'U1', reason: 'x' }))?.done).toBe(false);
  });

  it('a mute of an alert is over when the alert is over', async () => {
    const { relays, relay, key, look, scan, store, incident } = await open();
    const muted = await relays.mutes.mute(owner, {
      ...{ channel: 'C1', who: 'U1', incidentId: key },
      what: { kind: 'rule', relayId: relay.id, ruleId: 'r1' },
    });
    expect(muted).toMatchObject({ incidentId: key });
    await look(20 * minute);
    await scan();
    expect((await relays.openIncidents(owner, 'C1')).map(({ postKey }) => postKey)).toEqual([key]);
    await look(31 * minute);
    expect((await incident()).ended).toBeDefined();
    expect(await store.db.selectFrom('mutes').selectAll().execute()).toEqual([]);
    const late = { channel: 'C1', who: 'U1', incidentId: key, what: { kind: 'relay' as const, relayId: relay.id } };
    expect(await relays.mutes.mute(owner, late)).toBeUndefined();
    expect(await relays.openIncidents(owner, 'C1')).toEqual([]);
    await scan();
    await scan();
    expect(await relays.openIncidents(owner, 'C1')).toHaveLength(1);
  });
});
