import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Rules } from '../../src/sandbox/slack/api.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { createDevices } from '../helpers/faults/devices.js';
import { allPosted, expectPromisesKept } from '../helpers/faults/promises.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';

const second = 1_000;
const hour = 3_600 * second;
/** What a machine's clock is wrong by before somebody sets it: a little, a time zone, a dead battery's guess. */
const errors = [0, 0, -5 * second, 5 * second, -90 * second, 90 * second, -2 * hour, 2 * hour, -20 * hour, 20 * hour];
const jumpsEach = 7;

describe.concurrent('a clock that is set while scans come in', () => {
  for (const end of ['newest', 'oldest'] as const) {
    it(`setting the clock while scans arrive loses and doubles no scan and keeps order (history: ${end} first)`, () =>
      byChance(async (chance) => {
        const room = await openRoom({ channels: 4, rules: { historyFromOldest: end === 'oldest' } });
        try {
          const devices = createDevices(chance.fork());
          const port = await freePort();
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
          await setClocks(room, port, chance, enough.signal);
          enough.abort();
          await scanning;
          // Far less than any clock was wrong by.
          await allPosted(room, 120_000);
          const figures = await expectPromisesKept(room, devices.answered);
          expect(figures.doubted, 'posts were in doubt when the clock was set').toBeGreaterThan(0);
          tell(`clock set, ${end}`, devices, figures);
        } finally {
          await room.close();
        }
      }));
  }
});

/** Three lives of the process, each with a clock that is set again and again, while Slack has troubles of its own. */
async function setClocks(room: FaultRoom, port: number, chance: Chance, failed: AbortSignal): Promise<void> {
  for (const lastError of [chance.pick(errors), chance.pick(errors), 20 * hour]) {
    const app = room.start(port, { clockWrongBy: chance.pick(errors) });
    await app.listening;
    for (let jump = 1; jump <= jumpsEach && !failed.aborted; jump++) {
      await playTrouble(room, chance);
      await wait(chance.between(300, 2_500));
      await app.moveClock(jump === jumpsEach ? lastError : chance.pick(errors));
    }
    await wait(chance.between(300, 2_500));
    await app.kill();
  }
  await room.rules({ faults: [] });
  // What the dead one wrote lies hours ahead.
  await room.start(port, { clockWrongBy: 0 }).listening;
}

async function playTrouble(room: FaultRoom, chance: Chance): Promise<void> {
  const kinds: readonly Rules['faults'][number]['as'][] = ['die', 'die', '500', '429', 'reset'];
  const faults = Array.from({ length: chance.between(1, 2) }, () => ({
    method: 'chat.postMessage',
    times: 1,
    as: chance.pick(kinds),
    retryAfter: 1,
  }));
  await room.rules({ faults });
}
