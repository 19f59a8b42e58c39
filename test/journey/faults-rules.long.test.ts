import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ruleSchema } from '../../src/relay/index.js';
import type { AppProcess } from '../helpers/app-process.js';
import { byChance, type Chance } from '../helpers/faults/chance.js';
import { type AnsweredScan, createDevices, type Devices, type ScanOptions } from '../helpers/faults/devices.js';
import { tell } from '../helpers/faults/report.js';
import { type FaultRoom, openRoom } from '../helpers/faults/room.js';
import { allTold, expectToldOnce } from '../helpers/faults/told.js';
import { freePort } from '../helpers/free-port.js';

const second = 1_000;
const lives = 22;
/** Each life begins so much later by its clock: digests of a minute are closed between kills, and not only after them. */
const laterMs = 9 * second;

/** Relays beside the plain ones, one a channel, of which the third has more to tell than a channel takes. */
const flooded = 2;
const ruled = [
  {
    channel: 0,
    notable: 'all' as const,
    settings: ([gate]: readonly string[]) => ({
      rules: [ruleSchema.parse({ id: 'card', when: { kind: 'every' }, channel: gate, how: 'thread' })],
    }),
  },
  {
    channel: 1,
    notable: 'all' as const,
    settings: ([, collected]: readonly string[]) => ({
      rules: [
        ruleSchema.parse({
          id: 'digest',
          when: { kind: 'every' },
          channel: collected,
          how: 'digest',
          digestMinutes: 1,
        }),
      ],
    }),
  },
  {
    channel: 3,
    notable: 'all' as const,
    settings: ([, , , alarms]: readonly string[]) => ({
      match: 'all' as const,
      rules: [
        ruleSchema.parse({ id: 'invalid', when: { kind: 'result', is: 'invalid' }, channel: alarms, how: 'thread' }),
        ruleSchema.parse({ id: 'burst', when: { kind: 'burst', n: 4, minutes: 1 }, channel: alarms }),
      ],
    }),
  },
];

describe('an app killed at random instants while rules make cards, threads and digests', () => {
  it(`an app killed at random instants posts every scan once, with right counts, over ${lives} kills`, () =>
    byChance(async (chance) => {
      // Four posts a second and channel: a flood is folded, and there is always one on its way.
      const room = await openRoom({
        channels: 4,
        more: ruled,
        settings: { POST_INTERVAL_MS: '250' },
        slackTakesMs: 150,
      });
      try {
        const devices = createDevices(chance.fork());
        const port = await freePort();
        const last = await scanWhileKilled(room, devices, chance, port);
        // The digests that are still open are due by this clock.
        await last.moveClock(lives * laterMs + 61 * second);
        await allTold(room, 120_000);
        const alarms = room.relays.at(-1)!.id;
        const isTold = ({ relayId, valid }: AnsweredScan) => relayId !== alarms || !valid;
        const figures = await expectToldOnce(room, devices.answered, isTold);
        tell('rules', devices, figures, JSON.stringify(figures));
        // With fewer, this test would show less than its title says.
        expect(figures.doubted, 'posts were in doubt when a kill came').toBeGreaterThan(0);
        expect(figures.cards).toBeGreaterThanOrEqual(2);
        expect(figures.replies).toBeGreaterThan(0);
        expect(figures.bursts).toBeGreaterThan(0);
        expect(figures.digests.collected).toBeGreaterThanOrEqual(2);
        expect(figures.digests.behind).toBeGreaterThan(0);
      } finally {
        await room.close();
      }
    }));
});

async function scanWhileKilled(room: FaultRoom, devices: Devices, chance: Chance, port: number): Promise<AppProcess> {
  const enough = new AbortController();
  const scanAt = (relay: number, options: Partial<ScanOptions>) => {
    const { id, path } = room.relays[relay]!;
    return devices.scan(
      { relayId: id, url: () => `http://127.0.0.1:${port}${path}` },
      { count: 100_000, pauseMs: 900, until: enough.signal, ...options },
    );
  };
  const [card, digest, alarms] = [4, 5, 6] as const;
  const scanning = Promise.all([
    scanAt(card, {}),
    scanAt(card, {}),
    scanAt(digest, {}),
    scanAt(digest, {}),
    scanAt(alarms, { fields: (n) => ({ status: n % 3 === 0 ? '1' : '0', text: 'told' }) }),
    ...Array.from({ length: 3 }, () => scanAt(flooded, { pauseMs: 250 })),
  ]);
  scanning.catch(() => enough.abort());
  for (let life = 0; life < lives && !enough.signal.aborted; life++) {
    const instance = room.start(port, { clockWrongBy: life * laterMs });
    if (chance.percent(10)) {
      await wait(chance.between(0, 500));
    } else {
      await instance.listening;
      await wait(chance.percent(30) ? chance.between(2_500, 5_000) : chance.between(0, 1_500));
    }
    await instance.kill();
  }
  const last = room.start(port, { clockWrongBy: lives * laterMs });
  await last.listening;
  enough.abort();
  await scanning;
  return last;
}
