import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AppProcess } from '../helpers/app-process.js';
import { postgresDatabases } from '../helpers/databases.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { type AnsweredScan, createDevices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept, postedKeys } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';
import { shareOf } from '../helpers/long-share.js';

const kills = shareOf(20);
/** A dead instance's channels go on at the other within twenty seconds; the machine that tests may be slower than that. */
const takenOverMs = 20_000;
const patienceMs = 2 * takenOverMs;

const databases = postgresDatabases();

describe.concurrent('two instances on one PostgreSQL', () => {
  it(`two instances on one PostgreSQL post each scan once and in order over ${kills} kills`, () =>
    byChance(async (chance) => {
      const url = await databases.fresh();
      const room = await openRoom({ channels: 5, more: [{ channel: 0, notable: 'invalid' }], databaseUrl: url });
      try {
        const devices = createDevices(chance.fork());
        const ports = [await freePort(), await freePort()] as const;
        const enough = new AbortController();
        const scanning = Promise.all(
          room.relays.map(({ id, path }) =>
            devices.scan(
              { relayId: id, url: () => `http://127.0.0.1:${chance.pick(ports)}${path}` },
              { count: 100_000, pauseMs: 300, until: enough.signal },
            ),
          ),
        );
        scanning.catch(() => enough.abort());
        await killInTurn(room, ports, chance, enough.signal);
        enough.abort();
        await scanning;
        await allPosted(room, 120_000);
        tell('two instances', devices, await expectPromisesKept(room, devices.answered));
      } finally {
        await room.close();
      }
    }));

  it('the channels of a killed instance are taken over by the other instance', () =>
    byChance(async (chance) => {
      const url = await databases.fresh();
      // Slow enough that both have work for the whole time, and few enough scans that none is told in a digest.
      const room = await openRoom({ channels: 8, databaseUrl: url, settings: { POST_INTERVAL_MS: '700' } });
      try {
        const devices = createDevices(chance.fork());
        const ports = [await freePort(), await freePort()] as const;
        const instances = ports.map((port) => room.start(port)) as [AppProcess, AppProcess];
        await Promise.all(instances.map(({ listening }) => listening));
        // One after the other: an instance that scans wake takes every channel that is due, also the other's.
        for (const which of [0, 1] as const) {
          await Promise.all(
            room.relays
              .filter((_, n) => n % 2 === which)
              .map(({ id, path }) =>
                devices.scan(
                  { relayId: id, url: () => `http://127.0.0.1:${ports[which]}${path}` },
                  { count: 18, pauseMs: 20 },
                ),
              ),
          );
        }
        await bothHaveWork(room);
        const before = await shown(room);
        await instances[0].kill();
        const killedAt = performance.now();
        const goneOn = new Map<string, number>();
        while (goneOn.size < before.size && performance.now() - killedAt < patienceMs) {
          for (const [channel, posts] of await shown(room)) {
            // One post may have been on its way when the instance died.
            if (!goneOn.has(channel) && posts > (before.get(channel) ?? 0) + 1) {
              goneOn.set(channel, performance.now() - killedAt);
            }
          }
          await wait(100);
        }
        expect(goneOn.size, 'every channel goes on').toBe(before.size);
        await allPosted(room, 120_000);
        const slowest = Math.round(Math.max(...goneOn.values()));
        const figures = await expectPromisesKept(room, devices.answered);
        tell('taken over', devices, figures, `the last channel went on ${slowest} ms after the kill`);
      } finally {
        await room.close();
      }
    }));

  it('two instances accept a barcode only once when a hundred devices scan it at the same time', () =>
    byChance(async (chance) => {
      const url = await databases.fresh();
      const room = await openRoom({
        channels: 1,
        more: [{ channel: 0, notable: 'all', settings: { duplicates: {} } }],
        databaseUrl: url,
      });
      try {
        const ports = [await freePort(), await freePort()] as const;
        await Promise.all(ports.map((port) => room.start(port).listening));
        const once = room.relays.at(-1)!;
        const answered: AnsweredScan[] = [];
        for (const value of ['00042', '00042 ', 'Ünïcode\u001d']) {
          const crowd = createDevices(chance.fork());
          await Promise.all(
            Array.from({ length: 100 }, (_, n) =>
              crowd.scan(
                { relayId: once.id, url: () => `http://127.0.0.1:${ports[n % 2]}${once.path}` },
                { count: 1, pauseMs: 0, fields: () => ({ tid: value, status: '', text: '' }) },
              ),
            ),
          );
          expect(crowd.answered.length).toBe(100);
          expect(crowd.answered.filter(({ valid }) => valid).length, `${value} is accepted once`).toBe(1);
          answered.push(...crowd.answered);
        }
        await allPosted(room, 60_000);
        expect(await toldOf(room, once.channel), 'each is posted, by itself or in a digest').toBe(answered.length);
      } finally {
        await room.close();
      }
    }));
});

/** Kills and starts the instances by turns: one runs nearly always. */
async function killInTurn(
  room: FaultRoom,
  ports: readonly [number, number],
  chance: Chance,
  failed: AbortSignal,
): Promise<void> {
  const instances = ports.map((port) => room.start(port)) as [AppProcess, AppProcess];
  await Promise.all(instances.map(({ listening }) => listening));
  for (let round = 0; round < kills && !failed.aborted; round++) {
    const which = chance.between(0, 1) as 0 | 1;
    await wait(chance.between(0, 3_000));
    await instances[which].kill();
    await wait(chance.percent(40) ? chance.between(2_000, 6_000) : 0);
    instances[which] = room.start(ports[which]);
    if (chance.percent(70)) {
      await instances[which].listening;
    }
  }
  await Promise.all(
    instances.map(async (instance, which) => {
      await (instance.hasEnded ? room.start(ports[which as 0 | 1]) : instance).listening;
    }),
  );
}

/** Waits until each instance holds a channel. */
async function bothHaveWork(room: FaultRoom): Promise<void> {
  const store = await room.store();
  try {
    const until = performance.now() + patienceMs;
    let holders = 0;
    while (holders < 2) {
      expect(performance.now(), 'both instances work').toBeLessThan(until);
      await wait(20);
      const lanes = await store.db.selectFrom('channel_queues').select('claimed_by').distinct().execute();
      holders = lanes.filter(({ claimed_by }) => claimed_by !== null).length;
    }
  } finally {
    await store.close();
  }
}

/** How many scans the channel's posts tell of. */
async function toldOf(room: FaultRoom, channel: string): Promise<number> {
  const keys = new Set(await postedKeys(room, channel));
  const store = await room.store();
  try {
    const posts = await store.db.selectFrom('outbox').select(['key', 'kind', 'digest_key']).execute();
    return posts.filter(({ key, kind, digest_key }) => kind === 'scan' && keys.has(digest_key ?? key)).length;
  } finally {
    await store.close();
  }
}

async function shown(room: FaultRoom): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { channel } of room.relays) {
    counts.set(channel, (await postedKeys(room, channel)).length);
  }
  return counts;
}
