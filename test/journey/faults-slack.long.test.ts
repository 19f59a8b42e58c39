import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Rules } from '../../src/sandbox/slack/api.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept, postedKeys } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';

type Fault = Rules['faults'][number];

const ends = [
  { historyFromOldest: false, end: 'newest', historyLagMs: 4_000, clientMsgIds: 'ignored' },
  { historyFromOldest: true, end: 'oldest', historyLagMs: 0, clientMsgIds: 'refused' },
] as const;

describe.concurrent('Slack in trouble while scans come in', () => {
  for (const { end, ...rules } of ends) {
    it(`posts arrive once though Slack gives every kind of wrong answer and is down (history: ${end} first)`, () =>
      byChance(async (chance) => {
        const room = await openRoom({
          channels: 4,
          more: [{ channel: 0, notable: 'invalid' }],
          rules,
        });
        try {
          const devices = createDevices(chance.fork());
          const { scanning, stop } = await scanOnAndOn(room, devices);
          await playFaults(room, chance, 25_000);
          stop();
          await scanning;
          await allPosted(room, 120_000);
          expect([...devices.refusals], 'every scan is answered at once, whatever Slack does').toEqual([]);
          tell(`wrong answers, ${end}`, devices, await expectPromisesKept(room, devices.answered));
        } finally {
          await room.close();
        }
      }));

    it(`posts arrive once though Slack breaks connections and allows one read a minute (history: ${end} first)`, () =>
      byChance(async (chance) => {
        const room = await openRoom({ channels: 2, rules: { ...rules, historyPerMinute: 1 } });
        try {
          const [busy, calm] = room.relays.map(({ channel }) => channel) as [string, string];
          const devices = createDevices(chance.fork());
          const port = await freePort();
          await room.start(port).listening;
          const scan = (n: number, count: number) =>
            devices.scan(
              { relayId: room.relays[n]!.id, url: () => `http://127.0.0.1:${port}${room.relays[n]!.path}` },
              { count, pauseMs: 20 },
            );
          // More than a page of what people say stands on either side of the post that is looked for.
          await chatter(room, busy, 16);
          await scan(0, 2);
          await allPosted(room, 30_000);
          await room.rules({ faults: [{ method: 'chat.postMessage', times: 1, as: 'die' }] });
          await scan(0, 3);
          await chatter(room, busy, 16);
          await scan(1, 5);
          await eventually(async () => (await postedKeys(room, calm)).length === 5, 30_000);
          expect((await postedKeys(room, busy)).length, 'what is behind a post in doubt waits for it').toBe(3);
          await allPosted(room, 240_000);
          const reads = (await room.calls()).filter(({ method, ok }) => method === 'conversations.history' && ok);
          // The search begins at the last message known before: from the oldest, the first page may hold the post.
          expect(reads.length, 'it took that many pages').toBeGreaterThanOrEqual(end === 'newest' ? 2 : 1);
          tell(`history once a minute, ${end}`, devices, await expectPromisesKept(room, devices.answered));
        } finally {
          await room.close();
        }
      }));
  }

  it('posts are sent at one a second in each channel, after the waits that Slack asks for, and all arrive', () =>
    byChance(async (chance) => {
      const room = await openRoom({ channels: 3, rules: { postsPerSecond: 1 } });
      try {
        const devices = createDevices(chance.fork());
        const port = await freePort();
        await room.start(port).listening;
        await Promise.all(
          room.relays.map(({ id, path }) =>
            devices.scan({ relayId: id, url: () => `http://127.0.0.1:${port}${path}` }, { count: 15, pauseMs: 20 }),
          ),
        );
        await allPosted(room, 120_000);
        const posts = (await room.calls()).filter(({ method }) => method === 'chat.postMessage');
        expect(posts.some(({ error }) => error === 'ratelimited')).toBe(true);
        expect(posts.filter(({ ok }) => !ok).length, 'one refusal a post, not a storm').toBeLessThanOrEqual(45);
        tell('one a second', devices, await expectPromisesKept(room, devices.answered));
      } finally {
        await room.close();
      }
    }));
});

/** Sends scans with one device at each relay, until it is told to stop. */
async function scanOnAndOn(room: FaultRoom, devices: ReturnType<typeof createDevices>) {
  const port = await freePort();
  await room.start(port).listening;
  const enough = new AbortController();
  const scanning = Promise.all(
    room.relays.map(({ id, path }) =>
      devices.scan(
        { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
        { count: 100_000, pauseMs: 500, until: enough.signal },
      ),
    ),
  );
  scanning.catch(() => enough.abort());
  return { scanning, stop: () => enough.abort() };
}

/** New faults every moment, at posting and at looking for what was posted; once in between there is no Slack at all. */
async function playFaults(room: FaultRoom, chance: Chance, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  const kinds: readonly Fault['as'][] = ['429', '429', '500', 'die', 'die', 'reset', 'html'];
  // A call that is never answered holds its channel for ten seconds: one is enough to see it through.
  let timeouts = 1;
  let away = performance.now() + chance.between(5_000, forMs - 8_000);
  const reading = (): Fault => ({
    method: 'conversations.history',
    times: 1,
    as: chance.pick(kinds),
    retryAfter: 1,
  });
  while (performance.now() < until) {
    const faults: Fault[] = Array.from({ length: chance.between(1, 3) }, () => ({
      method: 'chat.postMessage',
      times: 1,
      as: timeouts-- > 0 ? 'timeout' : chance.pick(kinds),
      retryAfter: 1,
    }));
    await room.rules({ faults: [...faults, ...(chance.percent(30) ? [reading()] : [])] });
    await wait(chance.between(200, 1_200));
    if (performance.now() > away) {
      away = Number.POSITIVE_INFINITY;
      await room.slack.leave();
      await wait(chance.between(2_000, 5_000));
      await room.slack.comeBack();
    }
  }
  // What is in doubt is looked for 15 s later: most of that comes after the others.
  await room.rules({ faults: [reading()] });
}

async function chatter(room: FaultRoom, channel: string, messages: number): Promise<void> {
  for (let n = 1; n <= messages; n++) {
    await room.say(channel, `somebody says ${n}`);
  }
}

async function eventually(is: () => Promise<boolean>, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await is())) {
    expect(performance.now(), 'waited in vain').toBeLessThan(until);
    await wait(50);
  }
}
