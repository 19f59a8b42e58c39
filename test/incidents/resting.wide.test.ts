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
import { longShare } from '../helpers/long-share.js';
import { gate, owner, postScan, scanForm, startIntake } from '../helpers/relay.js';

/** Weeks of polls are played at night. */
const isNight = longShare === 1;
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

  describe('an alert for missing scans that is posted again', () => {
    it('a repeated alert for missing scans is open and has its replies only in the rule’s new channel', async () => {
      const { until, posts, relays, relay, rule, channels, shown, scan, key } = await silentSince('2026-05-04T12:00');
      await until('2026-05-04T20:00');
      await shown();
      const settings = relaySettingsSchema.parse({ rules: [{ ...rule, channel: 'C2' }] });
      await relays.change(owner, relay.id, { settings });
      await until('2026-05-05T08:50');
      expect((await posts()).slice(2)).toEqual(['Tue 08:30 again1 in C2', 'Tue 08:45 again1.escalated in C2']);
      expect(await relays.openIncidents(owner, 'C1')).toEqual([]);
      expect((await relays.openIncidents(owner, 'C2')).map(({ postKey }) => postKey)).toEqual([await key()]);
      expect(await relays.postActions.find(owner, await key())).toMatchObject({ channel: 'C2' });
      await scan();
      await until('2026-05-05T08:55');
      await shown();
      const over = channels.posted.find(({ key: name }) => name.endsWith('.over'));
      expect(over).toMatchObject({ channel: 'C2', post: { threadTs: expect.any(String) } });
    });
  });

  type Hours = readonly [name: string, when: object, since: string, until: string, expected: readonly string[]];
  describe.each<Hours>([
    [
      'over midnight, on weekdays',
      { hours: hoursOf('22:00', '06:00', [1, 2, 3, 4, 5]) },
      '2026-05-07T23:00',
      '2026-05-12T04:00',
      [
        ...['Thu 23:30 opened', 'Thu 23:45 escalated', 'Fri 22:30 again1', 'Fri 22:45 again1.escalated'],
        ...['Mon 22:30 again2', 'Mon 22:45 again2.escalated'],
      ],
    ],
    [
      'shorter than the rule’s time',
      { minutes: 60, hours: hoursOf('08:00', '08:20') },
      '2026-05-04T07:00',
      '2026-05-06T07:00',
      [...['Mon 08:20 opened', 'Mon 08:35 escalated', 'Tue 08:20 again1', 'Tue 08:35 again1.escalated']],
    ],
    // The hours have no end: the check looks again after two weeks.
    ...(isNight
      ? ([
          [
            'around the clock',
            { minutes: 600, hours: hoursOf('00:00', '00:00') },
            '2026-05-04T02:00',
            '2026-06-20T12:00',
            ['Mon 12:00 opened', 'Mon 12:15 escalated'],
          ],
        ] satisfies readonly Hours[])
      : []),
    [
      'over a clock change in spring',
      {},
      '2026-03-27T12:00',
      '2026-03-30T09:00',
      [
        ...['Fri 12:30 opened', 'Fri 12:45 escalated', 'Sat 08:30 again1', 'Sat 08:45 again1.escalated'],
        ...['Sun 08:30 again2', 'Sun 08:45 again2.escalated', 'Mon 08:30 again3', 'Mon 08:45 again3.escalated'],
      ],
    ],
    [
      'that a clock change skips',
      { hours: hoursOf('02:00', '03:00', [7]) },
      isNight ? '2026-03-22T01:00' : '2026-03-28T01:00',
      '2026-04-05T04:00',
      [
        ...['Sun 02:30 opened', 'Sun 02:45 escalated'],
        // That of the clock change, the day after, has no such hour.
        ...(isNight ? ['Sun 02:30 again1', 'Sun 02:45 again1.escalated'] : []),
      ],
    ],
  ])('an alert about missing scans in hours %s', (_, when, since, until, expected) => {
    it('an alert for missing scans is posted once in each watched period, and escalates after each post', async () => {
      const alert = await silentSince(since, when);
      await alert.until(until);
      expect(await alert.posts()).toEqual(expected);
      expect(await alert.incidents()).toHaveLength(1);
    }, 600_000);
  });
});
