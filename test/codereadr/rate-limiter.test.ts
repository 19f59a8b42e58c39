import { describe, expect, test } from 'vitest';
import { type AcquireOptions, createRateLimiter, type RateLimiter } from '../../src/codereadr/rate-limiter.js';
import { type HandClock, handClock, noon, settle } from './helper.js';

const person: AcquireOptions = { priority: 'person', maxWaitMs: 2_000 };
const background: AcquireOptions = { priority: 'background', maxWaitMs: 2_000 };

async function spend(quota: RateLimiter, calls: number, options = person): Promise<void> {
  for (let i = 0; i < calls; i += 1) {
    await quota.acquire(options);
  }
}

/** Acquires a call and notes when it was granted, or the code of the error. */
function queue(
  quota: RateLimiter,
  clock: HandClock,
  notes: string[],
  name: string,
  options: Partial<AcquireOptions> = {},
): void {
  quota.acquire({ ...person, ...options }).then(
    () => notes.push(`${name} at ${(clock.now() - noon) / 1000}`),
    (error: { code: string }) => notes.push(`${name}: ${error.code}`),
  );
}

describe('the calls of assistants', () => {
  const assistant = (who: string, maxWaitMs = 0): AcquireOptions => ({ priority: 'assistant', who, maxWaitMs });

  test('one person’s assistant gets a third of a minute’s calls, and is told when more are available', async () => {
    const clock = handClock(noon + 10_000);
    const quota = createRateLimiter(clock, 30);
    await spend(quota, 10, assistant('ann'));
    await expect(quota.acquire(assistant('ann'))).rejects.toMatchObject({
      code: 'account.quota',
      quota: { period: 'minute', againAt: noon + 60_000 },
    });
    await quota.acquire({ ...person, who: 'ann' });
    await quota.acquire(assistant('ben'));
    await clock.advance(50_000);
    await quota.acquire(assistant('ann'));
  });

  test('several assistants together leave some calls of the minute to people', async () => {
    const quota = createRateLimiter(handClock(noon), 30);
    for (const who of ['ann', 'ben', 'cal', 'dan']) {
      await spend(quota, 7, assistant(who));
    }
    await expect(quota.acquire(assistant('eve'))).rejects.toMatchObject({ code: 'account.quota' });
    await spend(quota, 2);
    await expect(quota.acquire(person)).rejects.toMatchObject({ code: 'account.quota' });
  });

  test('waiting people get calls before waiting assistants, and assistants before background work', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 12);
    await spend(quota, 12);
    const notes: string[] = [];
    queue(quota, clock, notes, 'background', background);
    queue(quota, clock, notes, 'assistant', assistant('ann', 2_000));
    queue(quota, clock, notes, 'person');
    await clock.advance(1_000);
    expect(notes).toEqual(['person at 60', 'assistant at 60', 'background at 60']);
  });

  test('an assistant gets one of the calls that background work may not use', async () => {
    const quota = createRateLimiter(handClock(noon), 30);
    await spend(quota, 25);
    await expect(quota.acquire(background)).rejects.toMatchObject({ code: 'account.quota' });
    await quota.acquire(assistant('ann'));
  });
});

describe('the calls of a minute', () => {
  test('a minute’s budget allows as many calls as its limit, and then says when more are available', async () => {
    const clock = handClock(noon + 10_000);
    const quota = createRateLimiter(clock, 30);
    await spend(quota, 30);
    await expect(quota.acquire(person)).rejects.toMatchObject({
      code: 'account.quota',
      quota: { period: 'minute', left: 0, againAt: noon + 60_000 },
    });
    expect(quota.callsLeft().minute).toEqual({ left: 0, limit: 30, resetsAt: noon + 60_000 });
    await clock.advance(50_000);
    expect(quota.callsLeft().minute.left).toBe(30);
    await quota.acquire(person);
    expect(quota.callsLeft().minute.left).toBe(29);
  });

  test('a caller waits for a call that becomes available within two seconds', async () => {
    const clock = handClock(noon + 58_500);
    const quota = createRateLimiter(clock, 1);
    const notes: string[] = [];
    queue(quota, clock, notes, 'first');
    queue(quota, clock, notes, 'second');
    await settle();
    expect(notes).toEqual(['first at 58.5']);
    await clock.advance(1_500);
    expect(notes).toEqual(['first at 58.5', 'second at 60']);
  });

  test('a caller who cannot get a call of the next minute is refused at once, however near the minute is', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 2);
    await spend(quota, 2);
    const notes: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      queue(quota, clock, notes, name);
    }
    await settle();
    expect(notes).toEqual(['c: account.quota']);
    await clock.advance(1_000);
    expect(notes).toEqual(['c: account.quota', 'a at 60', 'b at 60']);
  });

  test('people get calls of a new minute before background work, whoever asked first', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 2);
    await spend(quota, 2);
    const notes: string[] = [];
    queue(quota, clock, notes, 'report', { priority: 'background', maxWaitMs: 200_000 });
    queue(quota, clock, notes, 'export', { priority: 'background', maxWaitMs: 2_000 });
    queue(quota, clock, notes, 'Ann');
    queue(quota, clock, notes, 'Bob');
    await clock.advance(1_000);
    expect(notes).toEqual(['Ann at 60', 'Bob at 60', 'export: account.quota']);
    await clock.advance(60_000);
    expect(notes.at(-1)).toBe('report at 120');
  });

  test('a person with many waiting calls gets a third of a minute’s calls while two other people wait', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 30);
    await spend(quota, 30);
    const notes: string[] = [];
    for (const [who, calls] of [
      ['Ann', 30],
      ['Bob', 15],
      ['Cem', 12],
    ] as const) {
      for (let n = 0; n < calls; n += 1) {
        queue(quota, clock, notes, who, { who });
      }
    }
    await clock.advance(1_000);
    const given = (who: string) => notes.filter((note) => note === `${who} at 60`).length;
    expect([given('Ann'), given('Bob'), given('Cem')]).toEqual([10, 10, 10]);
  });

  test('a person who has made calls in this minute waits behind a person who has made no calls', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 2);
    await spend(quota, 2, { ...person, who: 'Ann' });
    const notes: string[] = [];
    queue(quota, clock, notes, 'Ann', { who: 'Ann' });
    queue(quota, clock, notes, 'Bob', { who: 'Bob' });
    quota.release();
    await settle();
    expect(notes).toEqual(['Bob at 59']);
  });

  test('a new call does not overtake waiting people when the next minute begins', async () => {
    const clock = handClock(noon + 59_000);
    const lateTimer = { ...clock, sleep: () => new Promise<void>(() => undefined) };
    const quota = createRateLimiter(lateTimer, 1);
    await quota.acquire(person);
    const notes: string[] = [];
    queue(quota, clock, notes, 'Ann');
    await clock.advance(1_000);
    queue(quota, clock, notes, 'new');
    await settle();
    expect(notes.sort()).toEqual(['Ann at 60', 'new: account.quota']);
  });

  test('background work leaves a sixth of a minute’s budget to people', async () => {
    const clock = handClock();
    const quota = createRateLimiter(clock, 30);
    await spend(quota, 25, background);
    await expect(quota.acquire(background)).rejects.toMatchObject({ quota: { period: 'minute', left: 5 } });
    await spend(quota, 5);
    await expect(quota.acquire(person)).rejects.toMatchObject({ code: 'account.quota' });
  });

  test('a call that was reserved but never sent is given to a waiting caller', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 1);
    await quota.acquire(person);
    const notes: string[] = [];
    queue(quota, clock, notes, 'next');
    await settle();
    expect(notes).toEqual([]);
    quota.release();
    await settle();
    expect(notes).toEqual(['next at 59']);
  });

  test('a caller who stops waiting uses up no call', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 1);
    await quota.acquire(person);
    const notes: string[] = [];
    const stop = new AbortController();
    queue(quota, clock, notes, 'gone', { signal: stop.signal });
    stop.abort();
    await settle();
    expect(notes).toEqual(['gone: account.aborted']);
    await clock.advance(1_000);
    expect(quota.callsLeft().minute.left).toBe(1);
    await expect(quota.acquire({ ...person, signal: stop.signal })).rejects.toMatchObject({ code: 'account.aborted' });
    expect(quota.callsLeft().minute.left).toBe(1);
  });

  test('the account’s error 111 uses up the minute’s calls, however many Scandesk has counted', async () => {
    const clock = handClock(noon + 20_000);
    const quota = createRateLimiter(clock, 30);
    await spend(quota, 3);
    quota.recordExhausted('minute');
    await expect(quota.acquire(person)).rejects.toMatchObject({ quota: { period: 'minute', againAt: noon + 60_000 } });
    await clock.advance(40_000);
    await quota.acquire(person);
  });

  test('the count of calls left follows the account’s figures, and counts calls under way', async () => {
    const clock = handClock();
    const quota = createRateLimiter(clock, 30);
    await spend(quota, 1);
    quota.sync({ left: 90, limit: 100 }, { left: 950, limit: 1_000 }, 3);
    expect(quota.callsLeft()).toMatchObject({ minute: { left: 87, limit: 100 }, day: { left: 947, limit: 1_000 } });
    await quota.acquire(person);
    expect(quota.callsLeft()).toMatchObject({ minute: { left: 86 }, day: { left: 946 } });
  });

  test('a waiting caller gets a call at once when the account’s own figures show calls left', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 1);
    await quota.acquire(person);
    const notes: string[] = [];
    queue(quota, clock, notes, 'next');
    quota.sync({ left: 10, limit: 10 }, { left: undefined, limit: undefined }, 0);
    await settle();
    expect(notes).toEqual(['next at 59']);
  });

  test('an account without limits never runs out of calls', async () => {
    const clock = handClock();
    const quota = createRateLimiter(clock, 1);
    const endless = { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY };
    quota.sync(endless, endless, 2);
    await spend(quota, 500);
    await spend(quota, 500, background);
    expect(quota.callsLeft()).toMatchObject({
      minute: { left: Number.POSITIVE_INFINITY },
      day: { left: Number.POSITIVE_INFINITY },
    });
  });

  test('a caller who is waiting when the account is closed gets an error', async () => {
    const clock = handClock(noon + 59_000);
    const quota = createRateLimiter(clock, 1);
    await quota.acquire(person);
    const notes: string[] = [];
    queue(quota, clock, notes, 'last');
    quota.close();
    await settle();
    expect(notes).toEqual(['last: account.aborted']);
    expect(clock.sleepers).toBe(0);
  });
});

describe('the calls of a day', () => {
  /** Midnight in New York, in summer: 16 hours after noon in UTC. */
  const midnight = noon + 16 * 3_600_000;

  test('the budget of calls a day is unknown until the account states it', () => {
    const quota = createRateLimiter(handClock(), 30);
    expect(quota.callsLeft().day).toEqual({ left: undefined, limit: undefined, resetsAt: midnight });
  });

  test('the account’s error 113 uses up the day, and one call each full hour checks for new calls', async () => {
    const clock = handClock(noon + 600_000);
    const quota = createRateLimiter(clock, 30);
    quota.sync({ left: 30, limit: 30 }, { left: 5, limit: 1_000 }, 0);
    quota.recordExhausted('day');
    const refused = { code: 'account.quota', quota: { period: 'day', left: 0, againAt: midnight } };
    await expect(quota.acquire(person)).rejects.toMatchObject(refused);
    expect(quota.callsLeft().day.left).toBe(0);
    await clock.advance(3_000_000);
    await quota.acquire(person);
    await expect(quota.acquire(person)).rejects.toMatchObject(refused);
    quota.recordExhausted('day');
    await expect(quota.acquire(person)).rejects.toMatchObject(refused);
    await clock.advance(3_600_000);
    await quota.acquire(person);
    quota.recordSuccess();
    await spend(quota, 3);
    expect(quota.callsLeft().day.left).toBeUndefined();
  });

  test('the day’s budget is also used up by Scandesk’s own count, and is full again at midnight', async () => {
    const clock = handClock(noon + 600_000);
    const quota = createRateLimiter(clock, 30);
    quota.sync({ left: 30, limit: 30 }, { left: 2, limit: 1_000 }, 0);
    await spend(quota, 2);
    await expect(quota.acquire(person)).rejects.toMatchObject({ quota: { period: 'day', left: 0 } });
    await clock.advance(midnight - clock.now());
    expect(quota.callsLeft().day).toMatchObject({ left: 1_000, limit: 1_000 });
    await quota.acquire(person);
  });

  test('the account’s own figures are enough to allow calls again before the day’s budget is renewed', async () => {
    const clock = handClock();
    const quota = createRateLimiter(clock, 30);
    quota.recordExhausted('day');
    await expect(quota.acquire(person)).rejects.toMatchObject({ code: 'account.quota' });
    quota.sync({ left: 29, limit: 30 }, { left: 999, limit: 1_000 }, 0);
    await quota.acquire(person);
  });
});
