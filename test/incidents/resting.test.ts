import fc from 'fast-check';
import { DateTime } from 'luxon';
import { afterAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createDelivery, createRelays, type Post, relaySettingsSchema } from '../../src/relay/index.js';
import { createTimers } from '../../src/relay/rules/timers/timers.js';
import { relayPost } from '../../src/slack/channel-posts/blocks/relay-post.js';
import { createChannels } from '../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { gate, owner, postScan, scanForm, startIntake } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const minute = 60_000;
const hour = 60 * minute;
const berlin = 'Europe/Berlin';
const week = [1, 2, 3, 4, 5, 6, 7];
const hoursOf = (from: string, to: string, days = week) => ({ zone: berlin, days, from, to });
const byDay = hoursOf('08:00', '18:00');
const escalate = { minutes: 15, users: ['U7'], groups: [] };

onEachDatabase('an alert about missing scans', (databases) => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) {
      await close();
    }
  });

  /** A scan at that time in Berlin, and none after it. */
  const silentSince = async (since: string, when: object = {}, more: object = {}) => {
    const store = await openTestStore(await databases.fresh());
    closing.push(() => store.close());
    const at = (text: string) => DateTime.fromISO(text, { zone: berlin }).toMillis();
    let now = at(since);
    const clock: Clock = { ...systemClock, now: () => now };
    const relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const intake = await startIntake(store, { clock });
    closing.push(() => intake.close());
    const rule = {
      ...{ id: 'r1', channel: 'C1', escalate, ...more },
      when: { kind: 'silence', of: 'device', ids: ['device-1'], minutes: 30, hours: byDay, ...when },
    };
    const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse({ rules: [rule] }) });
    const channels = createChannels();
    const scan = async () => {
      const scannedAt = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
      expect((await postScan(`${intake.url}${path}`, scanForm({ scanned_at_utc: scannedAt }))).status).toBe(200);
    };
    await scan();
    const in_ = (ms: number | null) => ms && DateTime.fromMillis(ms, { zone: berlin }).toFormat('ccc HH:mm');
    return {
      ...{ store, relays, relay, channels, scan, rule },
      /** Polls the timers of two instances whenever something is due until then; `gone`: only at the end. */
      until: async (text: string, { gone = false } = {}) => {
        const end = at(text);
        for (let ended = false; !ended; ) {
          ended = now >= end;
          await Promise.all([1, 2].map(() => createTimers({ store, clock, log: silentLog }).poll()));
          const due = [
            store.db.selectFrom('silences').select('due_at as at'),
            store.db.selectFrom('digests').select('due_at as at'),
            store.db.selectFrom('incidents').select('due_at as at'),
            store.db.selectFrom('incidents').select('escalate_at as at'),
          ];
          const times = (await Promise.all(due.map((query) => query.execute()))).flat().map((row) => row.at ?? end);
          now = gone ? end : Math.min(end, ...times.filter((time) => time > now));
        }
      },
      /** When each post of the alert was accepted. */
      posts: async () => {
        const rows = await store.db.selectFrom('outbox').select(['key', 'next_at', 'channel']).orderBy('seq').execute();
        return rows.map(({ key, next_at: at, channel }) => {
          const [, name = 'opened'] = /^silence\.[^.]+\.(.*)$/.exec(key) ?? [];
          return `${in_(at)} ${name}${channel === 'C1' ? '' : ` in ${channel}`}`;
        });
      },
      incidents: async () => {
        const rows = await store.db.selectFrom('incidents').selectAll().orderBy('opened_at').execute();
        return rows.map((row) => ({
          ...{ opened: in_(row.opened_at), ended: in_(row.ended_at), why: row.end_reason },
          rests: in_(row.rests_until),
        }));
      },
      key: async () => (await store.db.selectFrom('incidents').select('post_key').executeTakeFirstOrThrow()).post_key,
      /** The content of the alert's messages, by the end of their keys, once all are sent. */
      shown: async () => {
        const delivery = createDelivery({
          ...{ store, publisher: channels, clock, random: systemRandom, log: silentLog, metrics: createMetrics() },
          ...{ intervalMs: 0, instanceId: `worker-${systemRandom.bytes(6).toString('hex')}` },
          times: { pollMs: 20, pollGapMs: 1, holdMs: 20, parentEveryMs: 0, editGapMs: 0 },
        });
        delivery.start();
        const waiting = async () => {
          const posts = store.db.selectFrom('outbox').select('key').where('finished_at', 'is', null);
          const updates = store.db.selectFrom('message_updates').where('due_at', 'is not', null);
          const sent = updates.innerJoin('outbox', 'outbox.seq', 'post_seq').where('outbox.state', '=', 'delivered');
          return (await posts.unionAll(sent.select('outbox.key')).execute()).map(({ key }) => key);
        };
        await expect.poll(waiting, { interval: 20 }).toEqual([]);
        await delivery.stop();
        const newest = new Map<string, Post>(
          [...channels.posted, ...channels.edited].map(({ key, post }) => [key, post!]),
        );
        return Object.fromEntries(
          [...newest].map(([key, post]) => [
            /^silence\.[^.]+\.(.*)$/.exec(key)?.[1] ?? 'opened',
            JSON.stringify(relayPost(post)),
          ]),
        );
      },
    };
  };

  wideIt('an alert for missing scans rests outside its hours, and is posted again each day until a scan', async () => {
    const { until, posts, incidents, shown, scan } = await silentSince('2026-05-04T12:00');
    await until('2026-05-04T18:00');
    expect(await incidents()).toEqual([{ opened: 'Mon 12:30', ended: null, why: null, rests: 'Tue 08:00' }]);
    expect((await shown()).opened).toContain('resting until {date_short_pretty} {time}');
    await until('2026-05-05T08:00');
    expect((await shown()).opened).not.toContain('resting');
    await until('2026-05-05T09:00');
    const messages = await shown();
    expect(messages.again1).toContain('Still no scan from ');
    expect(messages.again1).toContain(`"timestamp":${Date.UTC(2026, 4, 4, 10) / 1_000}`);
    expect(messages.opened).toContain('posted again');
    await until('2026-05-08T20:00');
    expect(await posts()).toEqual([
      ...['Mon 12:30 opened', 'Mon 12:45 escalated'],
      ...['Tue 08:30 again1', 'Tue 08:45 again1.escalated', 'Wed 08:30 again2', 'Wed 08:45 again2.escalated'],
      ...['Thu 08:30 again3', 'Thu 08:45 again3.escalated', 'Fri 08:30 again4', 'Fri 08:45 again4.escalated'],
    ]);
    expect((await shown()).again4).toContain('resting until');
    // A scan at night ends it, in each of its messages.
    await until('2026-05-09T02:00');
    await scan();
    await until('2026-05-09T02:05');
    expect(await incidents()).toEqual([{ opened: 'Mon 12:30', ended: 'Sat 02:00', why: 'scan', rests: 'Sat 08:00' }]);
    const over = await shown();
    for (const name of ['opened', 'again1', 'again4', 'again4.escalated', 'over']) {
      expect(over[name], name).toContain('Over after 4 d');
    }
    await until('2026-05-09T09:00');
    expect((await incidents())[1]).toMatchObject({ opened: 'Sat 08:30' });
  });

  describe('an alert for missing scans that is posted again', () => {
    wideIt('a repeated alert for missing scans shows who acknowledged it, and can be acknowledged again', async () => {
      const { until, posts, shown, relays, key } = await silentSince('2026-05-04T12:00');
      await until('2026-05-04T12:35');
      expect(await relays.postActions.acknowledge(owner, await key(), 'U1', 'on my way')).toMatchObject({
        first: true,
      });
      await until('2026-05-05T08:35');
      const { again1 } = await shown();
      expect(again1).toContain('Acknowledged by <@U1>');
      expect(again1).toContain('"action_id":"post.acknowledge","value":"{\\"post\\":');
      expect(again1).toContain(JSON.stringify(JSON.stringify({ post: await key() })).slice(1, -1));
      await until('2026-05-05T09:00');
      expect(await relays.postActions.acknowledge(owner, await key(), 'U2')).toMatchObject({ first: true, by: 'U2' });
      expect(await relays.postActions.acknowledge(owner, await key(), 'U3')).toMatchObject({ first: false, by: 'U2' });
      expect((await shown()).again1).toContain('Acknowledged by <@U2>');
      await until('2026-05-06T08:35');
      expect(await relays.postActions.handOver(owner, await key(), { who: 'U2', to: 'U4' })).toMatchObject({
        done: true,
      });
      await until('2026-05-06T12:00');
      expect((await shown()).again2).toContain('With <@U4>');
      expect((await posts()).map((post) => post.replace(/\.h.*/, '.h'))).toEqual(
        [
          ...['Mon 12:30 opened', 'Tue 08:30 again1', 'Tue 08:45 again1.escalated', 'Wed 08:30 again2', 'Wed 08:35 h'],
        ].map((post) => expect.stringContaining(post.replace(' h', ' h'))),
      );
    });

    wideIt(
      'a resolved or muted alert for missing scans, or an alert of a paused relay, is not posted again',
      async () => {
        const { until, posts, relays, relay, key } = await silentSince('2026-05-04T12:00');
        const what = { kind: 'rule' as const, relayId: relay.id, ruleId: 'r1' };
        const mute = { channel: 'C1', who: 'U1', what };
        await until('2026-05-04T19:00');
        await relays.mutes.mute(owner, { ...mute, forMs: 15 * hour });
        await until('2026-05-05T09:40');
        expect((await posts()).slice(2)).toEqual([]);
        await until('2026-05-05T12:00');
        expect((await posts()).slice(2)).toEqual(['Tue 10:00 again1', 'Tue 10:15 again1.escalated']);
        await until('2026-05-05T20:00');
        await relays.pause(owner, relay.id);
        await until('2026-05-06T10:00');
        await relays.resume(owner, relay.id);
        await until('2026-05-06T11:00');
        expect((await posts())[4]).toBe('Wed 10:00 again2');
        await relays.mutes.mute(owner, { ...mute, incidentId: await key() });
        const before = await posts();
        await until('2026-05-07T09:30');
        expect(await posts()).toEqual(before);
        for (const { id } of await relays.mutes.list(owner, { who: 'U1', channel: 'C1' })) {
          await relays.mutes.stop(owner, { who: 'U1', channel: 'C1' }, id);
        }
        await relays.postActions.resolve(owner, await key(), { who: 'U1', reason: 'Fixed' });
        await until('2026-05-08T09:30');
        expect(await posts()).toEqual(before);
      },
    );

    it('an alert for missing scans is posted again once after an outage, but not outside its hours', async () => {
      const { until, posts, incidents } = await silentSince('2026-05-04T12:00');
      await until('2026-05-04T12:40');
      await until('2026-05-06T09:00', { gone: true });
      expect((await posts()).at(-1)).toBe('Wed 09:00 again1');
      await until('2026-05-07T23:00', { gone: true });
      // The escalation was due within the hours, at 09:15.
      expect((await posts()).slice(1)).toEqual(['Wed 09:00 again1', 'Thu 23:00 again1.escalated']);
      expect(await incidents()).toMatchObject([{ rests: 'Fri 08:00' }]);
    });
  });

  it('an alert that did not escalate before its hours ended escalates only after it is posted again', async () => {
    const { until, posts } = await silentSince('2026-05-04T17:25');
    await until('2026-05-05T08:50');
    expect(await posts()).toEqual(['Mon 17:55 opened', 'Tue 08:30 again1', 'Tue 08:45 again1.escalated']);
  });

  it('an alert for missing scans rests in its rule’s quiet hours', async () => {
    const quiet = hoursOf('14:00', '09:00');
    const { until, posts, incidents } = await silentSince('2026-05-04T12:00', {}, { quiet });
    await until('2026-05-05T08:55');
    expect(await incidents()).toMatchObject([{ rests: 'Tue 09:00' }]);
    await until('2026-05-05T10:00');
    expect((await posts()).filter((post) => !post.includes('escalated'))).toEqual([
      'Mon 12:30 opened',
      'Tue 09:30 again1',
    ]);
  });

  wideIt('an alert for missing scans that a pause held, and that is over, is posted when quiet hours end', async () => {
    const hours = hoursOf('00:00', '00:00');
    const quiet = hoursOf('14:00', '09:00');
    const { until, posts, relays, relay, scan, shown } = await silentSince('2026-05-04T12:00', { hours }, { quiet });
    await relays.pause(owner, relay.id);
    await until('2026-05-04T13:00');
    await scan();
    await until('2026-05-04T13:10');
    await until('2026-05-04T15:00');
    await relays.resume(owner, relay.id);
    await until('2026-05-04T16:00');
    expect(await posts()).toEqual([]);
    await until('2026-05-05T09:05');
    expect(await posts()).toEqual(['Tue 09:00 opened']);
    const { opened } = await shown();
    expect(opened).toContain('Over after 1 h');
    expect(opened).not.toContain('<@');
  });

  wideIt('an alert for missing scans is posted again at once when its rule’s watched hours are extended', async () => {
    const { until, posts, relays, relay, rule } = await silentSince('2026-05-04T12:00');
    await until('2026-05-04T20:00');
    const longer = { ...rule, when: { ...rule.when, hours: hoursOf('00:00', '00:00') } };
    await relays.change(owner, relay.id, { settings: relaySettingsSchema.parse({ rules: [longer] }) });
    await until('2026-05-04T21:00');
    expect((await posts()).slice(2)).toEqual(['Mon 20:00 again1', 'Mon 20:15 again1.escalated']);
  });

  it('an alert for missing scans is posted exactly when a simple model of the scans expects it', async () => {
    const minutes = fc.integer({ min: 1, max: 36 * 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(minutes, { maxLength: 3 }), async (gaps) => {
        const alert = await silentSince('2026-05-04T12:00');
        const zone = { zone: berlin };
        let last = DateTime.fromISO('2026-05-04T12:00', zone);
        const expected: string[] = [];
        for (const gap of [...gaps, 12]) {
          const next = last.plus({ minutes: gap * 5 + 1 });
          // 30 minutes after the scan, or after each beginning of the hours, while they last.
          let from = last;
          for (let day = last.startOf('day'); day <= next; day = day.plus({ days: 1 })) {
            const [opens, closes] = [day.set({ hour: 8 }), day.set({ hour: 18 })];
            from = DateTime.max(opens, last);
            const at = from.plus({ minutes: 30 });
            if (at <= closes && at < next) {
              expected.push(at.toFormat('ccc HH:mm'));
            }
          }
          await alert.until(next.toISO({ includeOffset: false })!);
          await alert.scan();
          last = next;
        }
        const said = (await alert.posts()).filter((post) => /(opened|again\d+)$/.test(post));
        expect(said.map((post) => post.slice(0, 9))).toEqual(expected);
      }),
      { numRuns: effort(databases.kind === 'sqlite' ? { short: 3, long: 10 } : { short: 1, long: 3 }) },
    );
  }, 240_000);
});
