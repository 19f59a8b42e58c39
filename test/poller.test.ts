import { once } from 'node:events';
import { expect, it } from 'vitest';
import { systemClock } from '../src/clock.js';
import { createPoller } from '../src/poller.js';

const hourMs = 3_600_000;

it('a poller polls at once and again when woken, but not once it is stopped', async () => {
  let polls = 0;
  const poller = createPoller({
    clock: systemClock,
    everyMs: hourMs,
    poll: async () => void polls++,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  poller.start();
  poller.start();
  await expect.poll(() => polls).toBe(1);
  poller.wake();
  await expect.poll(() => polls).toBe(2);
  await poller.stop();
  poller.wake();
  expect(polls).toBe(2);
});

it('a poller continues after a failed poll', async () => {
  const failures: unknown[] = [];
  let polls = 0;
  const poller = createPoller({
    clock: systemClock,
    everyMs: 1,
    poll: async () => {
      polls += 1;
      if (polls === 1) {
        throw new Error('the database is away');
      }
    },
    onFailure: (error) => failures.push(error),
  });
  poller.start();
  await expect.poll(() => polls).toBeGreaterThan(2);
  await poller.stop();
  expect(failures).toHaveLength(1);
});

it('a stopped poller aborts the 50 waits of its poll without a warning, and closes after the poll', async () => {
  const order: string[] = [];
  const listening = new AbortController();
  const warned = once(process, 'warning', { signal: listening.signal }).then(
    ([warning]) => order.push(String(warning)),
    () => undefined,
  );
  const poller = createPoller({
    clock: systemClock,
    everyMs: hourMs,
    // Like 50 channels that wait for Slack.
    poll: async (stopping) => {
      order.push('waits');
      await Promise.allSettled(Array.from({ length: 50 }, () => systemClock.sleep(hourMs, stopping)));
      order.push('called off');
    },
    onFailure: (error) => expect.unreachable(String(error)),
    closing: async () => void order.push('closed'),
  });
  poller.start();
  await expect.poll(() => order).toEqual(['waits']);
  await poller.stop();
  await Promise.race([warned, systemClock.sleep(50)]);
  listening.abort();
  expect(order).toEqual(['waits', 'called off', 'closed']);
});
