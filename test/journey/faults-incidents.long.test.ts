import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { ruleSchema } from '../../src/relay/index.js';
import { onEachDatabase } from '../helpers/databases.js';
import { openAlertRun } from '../helpers/faults/alert-run.js';
import { byChance } from '../helpers/faults/chance.js';
import { tell } from '../helpers/faults/report.js';
import { openRoom } from '../helpers/faults/room.js';
import { freePort } from '../helpers/free-port.js';
import { shareOf } from '../helpers/long-share.js';
import { movedClock } from '../helpers/moved-clock.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const kills = shareOf(20);
/** The run goes on until all of these came about, so that a slow machine changes nothing about what is tested. */
const needed = [
  ...['b opened', 'b escalated', 'b over', 'forgotten'],
  ...['s opened', 's escalated', 's rests', 's wakes', 's again', 's over'],
];
const mostStepsMore = 60;

const burst = { n: 3, minutes: 6, escalateMinutes: 4 };
const silence = { minutes: 20, escalateMinutes: 10, fromHour: 8, toHour: 9 };
const week = [1, 2, 3, 4, 5, 6, 7];
const calling = (minutes: number) => ({ minutes, users: ['U0ADA'], groups: [] });

onEachDatabase('alerts of an app that is killed at random instants', (databases) => {
  it(`the alerts of an app killed at random ${kills} times are those that a simple model expects of its scans`, () =>
    byChance(async (chance) => {
      const morning = Math.ceil(systemClock.now() / day) * day + (7 * 60 + 50) * minute;
      const clock = movedClock(morning - systemClock.now());
      const ruled = (rule: object) => (channels: readonly string[]) => ({
        lateMinutes: 600,
        rules: [ruleSchema.parse({ channel: channels[1], ...rule })],
      });
      const port = await freePort();
      const room = await openRoom({
        appUrl: `http://127.0.0.1:${port}`,
        ...{ channels: 2, slackTakesMs: 150, clock, settings: { POST_INTERVAL_MS: '100', SCAN_DAYS: '1' } },
        ...(databases.kind === 'postgres' ? { databaseUrl: await databases.fresh() } : {}),
        more: [
          {
            ...{ channel: 1, notable: 'all' },
            settings: ruled({
              ...{ id: 'b', escalate: calling(burst.escalateMinutes) },
              when: { kind: 'burst', n: burst.n, minutes: burst.minutes },
            }),
          },
          {
            ...{ channel: 1, notable: 'all' },
            settings: ruled({
              ...{ id: 's', escalate: calling(silence.escalateMinutes) },
              when: {
                ...{ kind: 'silence', of: 'relay', minutes: silence.minutes },
                hours: { zone: 'UTC', days: week, from: '08:00', to: '09:00' },
              },
            }),
          },
        ],
      });
      const run = await openAlertRun(room, { port, clock, chance, burst, silence });
      try {
        for (let killed = 0; killed < kills; killed++) {
          await run.runStep({ killed: false });
          await run.runStep({ killed: true });
        }
        for (let left = mostStepsMore; left > 0 && needed.some((what) => !run.seen.has(what)); left--) {
          await run.runStep({ killed: false });
        }
        tell('alerts', run.devices, await run.figures(), JSON.stringify(Object.fromEntries(run.seen)));
        expect([...run.seen.keys()]).toEqual(expect.arrayContaining(needed));
        expect(run.kills).toBe(kills);
      } finally {
        await run.close();
        await room.close();
      }
    }));
});
