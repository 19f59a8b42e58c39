/** Lookups that may wait for the next minute's calls, beside those that may not. */
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { createLookups } from '../../src/lookup/index.js';
import { owner, startDesk } from './harness.js';

it('a lookup that may not wait fails at once, even while an equal lookup waits for the next minute’s calls', async () => {
  const minuteMs = 60_000;
  const leaving = (ms: number) => minuteMs - ms - (Date.now() % minuteMs);
  let offset = leaving(minuteMs);
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  const desk = await startDesk({ clock, callsPerMinute: 10 });
  for (let n = 0; n < 10; n += 1) {
    await desk.account.names.forget();
    await desk.account.names.users();
  }
  offset = leaving(1_500);
  const lookups = createLookups({ clock, scans: desk.scans });
  const request = { owner, account: desk.account, value: 'A', databaseIds: ['1021'] };
  const waiting = lookups.lookup(request);
  await expect(lookups.lookup({ ...request, maxWaitMs: 0 })).rejects.toMatchObject({ code: 'account.quota' });
  expect((await waiting).findings).toHaveLength(1);
  await desk.close();
});
