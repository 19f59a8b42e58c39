import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../helpers/app-process.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';

describe.concurrent('the account in trouble while scans come in', () => {
  it('is slow, wrong, out of calls or gone, and no scan and no post waits for it', () =>
    byChance(async (chance) => {
      const room = await openRoom({ channels: 3, more: [{ channel: 1, notable: 'invalid' }], connected: true });
      try {
        const devices = createDevices(chance.fork());
        const port = await freePort();
        const enough = new AbortController();
        let instance = room.start(port);
        await instance.listening;
        const scanning = Promise.all(
          room.relays.map(({ id, path }) =>
            devices.scan(
              { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
              { count: 100_000, pauseMs: 400, until: enough.signal },
            ),
          ),
        );
        scanning.catch(() => enough.abort());
        for (let life = 1; life <= 3; life++) {
          await playFaults(room, chance, 8_000);
          // The names it knows stay where they are kept; what it has learnt of the account's troubles does not.
          await instance.kill();
          instance = room.start(port);
          await instance.listening;
        }
        enough.abort();
        await scanning;
        await allPosted(room, 60_000);
        expect([...devices.refusals.keys()].filter((why) => why !== 'broken')).toEqual([]);
        tell('account in trouble', devices, await expectPromisesKept(room, devices.answered));
      } finally {
        await room.close();
      }
    }));
});

/** Another trouble every moment, and once in between there is nobody at the account's address. */
async function playFaults(room: FaultRoom, chance: Chance, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  let away = performance.now() + chance.between(1_000, forMs - 3_000);
  while (performance.now() < until) {
    await room.accountFaults({
      next: Array.from({ length: 3 }, () => ({
        times: chance.between(1, 3),
        as: chance.pick(['slow', 'slow', 'html', 'truncated', 'empty', '500', 'reset', 'refused']),
        delay_ms: chance.pick([0, 500, 20_000]),
        code: chance.pick(['2', '10', '100', '111', '113']),
      })),
    });
    await wait(chance.between(300, 1_500));
    if (performance.now() > away) {
      away = Number.POSITIVE_INFINITY;
      await room.account.leave();
      await wait(chance.between(1_000, 3_000));
      await room.account.comeBack();
    }
  }
  await room.accountFaults({ next: [] });
}
