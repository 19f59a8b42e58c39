import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices, type Devices } from '../helpers/faults/devices.js';
import { diskKinds, type SmallDisk } from '../helpers/faults/disks.js';
import { allPosted, expectPromisesKept } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';

describe.concurrent('a full disk while scans come in', () => {
  for (const kind of diskKinds()) {
    it(`a scan on a full disk gets 503 without a body, and is stored once there is room: ${kind.name}`, () =>
      byChance(async (chance) => {
        const disk = await kind.open();
        const room = await openRoom({
          channels: 3,
          more: [{ channel: 2, notable: 'invalid' }],
          databaseFolder: disk.folder,
        });
        try {
          const devices = createDevices(chance.fork());
          const port = await freePort();
          const enough = new AbortController();
          const scanning = Promise.all(
            room.relays.map(({ id, path }) =>
              devices.scan(
                { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
                { count: 100_000, pauseMs: 150, until: enough.signal },
              ),
            ),
          );
          scanning.catch(() => enough.abort());
          await fillAndFree(room, disk, devices, chance, port);
          enough.abort();
          await scanning;
          await allPosted(room, 60_000);
          expect(
            [...devices.refusals.keys()].filter((why) => why !== '503' && why !== 'broken'),
            'nothing but 503 while the disk is full',
          ).toEqual([]);
          tell(kind.name, devices, await expectPromisesKept(room, devices.answered));
        } finally {
          await room.close();
          await disk.close();
        }
      }));
  }
});

async function fillAndFree(
  room: FaultRoom,
  disk: SmallDisk,
  devices: Devices,
  chance: Chance,
  port: number,
): Promise<void> {
  let instance = room.start(port);
  await instance.listening;
  for (let round = 1; round <= 4; round++) {
    await wait(chance.between(1_000, 3_000));
    const before = devices.refusals.get('503') ?? 0;
    await disk.fill(instance);
    // The write-ahead log keeps the size it had: commits go on until what is free within it is used up.
    await eventually(() => (devices.refusals.get('503') ?? 0) > before, 60_000, 'the full disk is felt');
    await wait(chance.between(1_000, 4_000));
    if (round === 3) {
      // It may come up on a full disk or refuse to; it must come up on one with room.
      await instance.kill();
      instance = room.start(port);
      await Promise.race([instance.listening.catch(() => undefined), wait(4_000)]);
      await disk.free(instance);
      if (instance.hasEnded) {
        instance = room.start(port);
      }
      await instance.listening;
    }
    await disk.free(instance);
    const answered = devices.answered.length;
    await eventually(
      () => devices.answered.length > answered + room.relays.length,
      30_000,
      'scans are taken again once there is room',
    );
  }
}

async function eventually(is: () => boolean, withinMs: number, what: string): Promise<void> {
  const until = performance.now() + withinMs;
  while (!is()) {
    expect(performance.now(), what).toBeLessThan(until);
    await wait(50);
  }
}
