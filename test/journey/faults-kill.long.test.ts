import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices, type Devices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';
import { shareOf } from '../helpers/long-share.js';

/** Side by side, so that the waiting of one is the working of another. */
const rooms = 4;
const roundsEach = shareOf(8);

describe.concurrent('an app killed at random instants while scans come in', () => {
  for (let n = 1; n <= rooms; n++) {
    it(`an app killed at random loses and doubles no scan over ${roundsEach} kills, room ${n} of ${rooms}`, () =>
      byChance(async (chance) => {
        const room = await openRoom({
          channels: 3,
          more: [{ channel: 0, notable: 'invalid' }],
          // Slack leaves open which end of a channel's history it shows first.
          rules: { historyFromOldest: n % 2 === 0 },
        });
        try {
          const devices = createDevices(chance.fork());
          await scanWhileKilled(room, devices, chance);
          await allPosted(room, 120_000);
          tell(`killed, room ${n}`, devices, await expectPromisesKept(room, devices.answered));
        } finally {
          await room.close();
        }
      }));
  }
});

async function scanWhileKilled(room: FaultRoom, devices: Devices, chance: Chance): Promise<void> {
  const port = await freePort();
  const enough = new AbortController();
  const scanning = Promise.all(
    room.relays.map(({ id, path }) =>
      devices.scan(
        { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
        { count: 100_000, pauseMs: 400, until: enough.signal },
      ),
    ),
  );
  // Heard of below, with whatever else went wrong.
  scanning.catch(() => enough.abort());
  for (let round = 0; round < roundsEach && !enough.signal.aborted; round++) {
    const instance = room.start(port);
    if (chance.percent(10)) {
      await wait(chance.between(0, 500));
    } else {
      await instance.listening;
      // A dead process's channels are nobody's for some seconds: only a longer life has posts under way when it ends.
      await wait(chance.percent(30) ? chance.between(4_000, 8_500) : chance.between(0, 1_000));
    }
    await instance.kill();
  }
  await room.start(port).listening;
  enough.abort();
  await scanning;
}
