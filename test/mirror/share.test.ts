import { expect, it } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { type Account, AccountError } from '../../src/codereadr/types.js';
import { createCallShare, type ShareState } from '../../src/mirror/call-share.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A clock that goes on to the moment somebody waits for, at once. */
function createJumpingClock(): Clock {
  let now = Date.UTC(2026, 2, 1, 6);
  return {
    now: () => now,
    async sleep(ms) {
      await Promise.resolve();
      now += Math.max(0, ms);
    },
  };
}

const accountWith = (minute: number, day: number | undefined) =>
  ({
    client: {
      callsLeft: () => ({
        minute: { left: minute, limit: minute, resetsAt: 0 },
        day: { left: day, limit: day, resetsAt: 0 },
      }),
      call: async () => ({}),
    },
  }) as unknown as Account;

it.each([
  [30, 21_600],
  [30, 2_000],
  [30, undefined],
  [7, 100],
])(
  'the mirror’s share of %i calls a minute (the day’s limit: %s) is never exceeded, even after many restarts',
  async (minute, day) => {
    const clock = createJumpingClock();
    const account = accountWith(minute, day);
    const from = clock.now();
    let state: ShareState = { nextCallAt: from, budget: null, budgetAt: from };
    const times: number[] = [];
    const start = () =>
      createCallShare({
        ...{ clock, share: 0.3, state, signal: new AbortController().signal },
        save: async (saved) => {
          state = saved;
          return true;
        },
        onCall: () => times.push(clock.now()),
      });
    let share = start();
    for (let n = 0; clock.now() < from + 2 * dayMs; n += 1) {
      if (n % 37 === 0) {
        share = start();
      }
      await share.run(account, async () => {
        // An answer takes a while; some calls find no quota left.
        await clock.sleep((n * 7_919) % 5_000);
        if (n % 50 === 49) {
          const quota = { period: 'minute', left: 0, againAt: clock.now() + 10_000 } as const;
          if (n % 100 === 99) {
            n += 1;
            throw new AccountError('account.quota', 'none left', { quota });
          }
        }
      });
    }
    const most = (span: number) => {
      let first = 0;
      return times.reduce((longest, at, last) => {
        while ((times[first] ?? 0) <= at - span) {
          first += 1;
        }
        return Math.max(longest, last - first + 1);
      }, 0);
    };
    expect(most(minuteMs)).toBeLessThanOrEqual(Math.ceil(minute * 0.3));
    expect(most(dayMs)).toBeLessThanOrEqual((day ?? minute * 720) * 0.3 + 1);
    expect(times.length).toBeGreaterThan((day ?? minute * 720) * 0.3);
  },
);
