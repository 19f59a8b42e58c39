/**
 * Owns how many calls one API key has left: an own count for the minute and the day, put right by what the account says
 * (limits/retrieve, 111, 113). People are served before background work; a wait that would be long is answered at once
 * with when to come again. Refuses to let anybody wait in silence.
 */
import { DateTime } from 'luxon';
import type { Clock } from '../clock.js';
import type { CallLimit } from './catalogue/limits.js';
import { AccountError, type CallsLeft, type Priority } from './types.js';

export interface TakeOptions {
  readonly priority: Priority;
  /** Milliseconds this call may wait at most. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal;
}

export interface Quota {
  /**
   * Resolves when a call may go out; it is counted then.
   * @throws AccountError `account.quota` where that would take longer than may be waited, `account.aborted`.
   */
  take(options: TakeOptions): Promise<void>;
  /** A call that was counted never left the house. */
  giveBack(): void;
  /** The account said 111 or 113. */
  usedUp(period: 'minute' | 'day'): void;
  /** The account answered a call: so there was one left. */
  worked(): void;
  /** The account said how many are left, that very call counted in; `others` were on their way meanwhile. */
  told(minute: CallLimit, day: CallLimit, others: number): void;
  callsLeft(): CallsLeft;
  /** The error that tells when calls come again. */
  error(period: 'minute' | 'day', cause?: unknown): AccountError;
  close(): void;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

interface Waiter {
  readonly priority: Priority;
  /** When its patience ends. */
  readonly until: number;
  readonly grant: () => void;
  readonly refuse: (error: AccountError) => void;
}

export function createQuota(clock: Clock, callsPerMinute: number): Quota {
  let minuteLimit = callsPerMinute;
  let minuteStart = startOfMinute(clock.now());
  let minuteUsed = 0;
  let dayLimit: number | undefined;
  let dayUsed = 0;
  let dayEnd = nextMidnight(clock.now());
  /** The day's calls are used up: no call before then. 0 while there are some. */
  let dayBlockedUntil = 0;
  let waiters: Waiter[] = [];
  let timer: AbortController | undefined;

  function roll(): number {
    const now = clock.now();
    if (startOfMinute(now) !== minuteStart) {
      minuteStart = startOfMinute(now);
      minuteUsed = 0;
    }
    if (now >= dayEnd) {
      dayEnd = nextMidnight(now);
      dayUsed = 0;
      dayBlockedUntil = 0;
    }
    return now;
  }

  const minuteLeft = () => Math.max(0, minuteLimit - minuteUsed);
  const dayLeft = () => (dayLimit === undefined ? undefined : Math.max(0, dayLimit - dayUsed));

  /** Background work leaves a sixth of the minute to people. */
  const reserve = (priority: Priority) => (priority === 'background' ? Math.floor(Math.min(minuteLimit, 600) / 6) : 0);

  /** In which zone the account's midnight falls is not told: each full hour one call may find out. */
  function blockDay(now: number): void {
    dayBlockedUntil = Math.min(dayEnd, (Math.floor(now / hourMs) + 1) * hourMs);
  }

  function lacking(now: number, priority: Priority): 'minute' | 'day' | undefined {
    if (now < dayBlockedUntil) {
      return 'day';
    }
    if (dayLeft() === 0) {
      const mayFindOut = dayBlockedUntil > 0;
      blockDay(now);
      if (!mayFindOut) {
        return 'day';
      }
    }
    return minuteLeft() > reserve(priority) ? undefined : 'minute';
  }

  function error(period: 'minute' | 'day', cause?: unknown): AccountError {
    roll();
    const left = period === 'minute' ? minuteLeft() : (dayLeft() ?? 0);
    const againAt = period === 'minute' ? minuteStart + minuteMs : dayEnd;
    return new AccountError('account.quota', `no calls left this ${period}`, {
      quota: { period, left, againAt },
      ...(cause !== undefined && { cause }),
    });
  }

  function count(): void {
    minuteUsed += 1;
    dayUsed += 1;
  }

  function serve(): void {
    const now = roll();
    const rest: Waiter[] = [];
    for (const waiter of [...waiters].sort((a, b) => rank(a) - rank(b))) {
      const period = lacking(now, waiter.priority);
      if (period === undefined) {
        count();
        waiter.grant();
      } else if (minuteStart + minuteMs > waiter.until || period === 'day') {
        waiter.refuse(error(period));
      } else {
        rest.push(waiter);
      }
    }
    waiters = rest;
    if (waiters.length > 0) {
      wake();
    }
  }

  function wake(): void {
    if (timer) {
      return;
    }
    const controller = new AbortController();
    timer = controller;
    clock.sleep(Math.max(1, minuteStart + minuteMs - clock.now()), controller.signal).then(
      () => {
        timer = undefined;
        serve();
      },
      () => {
        timer = undefined;
      },
    );
  }

  function wait(options: TakeOptions, now: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      const leave = () => {
        signal?.removeEventListener('abort', giveUp);
        waiters = waiters.filter((other) => other !== waiter);
      };
      const giveUp = () => {
        leave();
        reject(aborted(signal));
      };
      const waiter: Waiter = {
        priority: options.priority,
        until: now + options.maxWaitMs,
        grant: () => {
          leave();
          resolve();
        },
        refuse: (refused) => {
          leave();
          reject(refused);
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiters.push(waiter);
      wake();
    });
  }

  return {
    take: async (options) => {
      if (options.signal?.aborted) {
        throw aborted(options.signal);
      }
      const now = roll();
      const period = lacking(now, options.priority);
      if (period === undefined) {
        count();
        return;
      }
      const ahead = waiters.filter((waiter) => rank(waiter) <= rank(options)).length;
      const minutes = 1 + Math.floor(ahead / Math.max(1, minuteLimit - reserve(options.priority)));
      if (period === 'day' || minuteStart + minutes * minuteMs - now > options.maxWaitMs) {
        throw error(period);
      }
      await wait(options, now);
    },
    giveBack: () => {
      minuteUsed = Math.max(0, minuteUsed - 1);
      dayUsed = Math.max(0, dayUsed - 1);
      if (waiters.length > 0) {
        serve();
      }
    },
    usedUp: (period) => {
      const now = roll();
      if (period === 'minute') {
        minuteUsed = Math.max(minuteUsed, minuteLimit);
        return;
      }
      dayUsed = Math.max(dayUsed, dayLimit ?? 0);
      blockDay(now);
    },
    worked: () => {
      if (dayBlockedUntil > 0) {
        // The own count was wrong, or the account's day has begun: better no figure than a wrong one.
        dayBlockedUntil = 0;
        dayLimit = undefined;
        dayUsed = 0;
      }
    },
    told: (minute, day, others) => {
      roll();
      if (minute.limit !== undefined && minute.limit > 0) {
        minuteLimit = minute.limit;
      }
      if (minute.left !== undefined) {
        minuteUsed = used(minuteLimit, minute.left) + others;
      }
      dayLimit = day.limit ?? dayLimit;
      if (day.left !== undefined) {
        dayLimit ??= dayUsed + day.left;
        dayUsed = used(dayLimit, day.left) + others;
        dayBlockedUntil = day.left > 0 ? 0 : dayBlockedUntil;
      }
      if (waiters.length > 0) {
        serve();
      }
    },
    callsLeft: () => {
      const now = roll();
      return {
        minute: { left: minuteLeft(), limit: minuteLimit, resetsAt: minuteStart + minuteMs },
        day: { left: now < dayBlockedUntil ? 0 : dayLeft(), limit: dayLimit, resetsAt: dayEnd },
      };
    },
    error,
    close: () => {
      timer?.abort();
      for (const waiter of waiters) {
        waiter.refuse(new AccountError('account.aborted', 'the account was closed'));
      }
      waiters = [];
    },
  };
}

/** A limit without end leaves nothing to count: `Infinity - Infinity` would be no number. */
function used(limit: number, left: number): number {
  return Number.isFinite(limit) ? Math.max(0, limit - left) : 0;
}

function rank(asker: { readonly priority: Priority }): number {
  return asker.priority === 'person' ? 0 : 1;
}

function startOfMinute(now: number): number {
  return Math.floor(now / minuteMs) * minuteMs;
}

/** The account speaks New York time unless asked otherwise; that its day ends there is a guess. */
function nextMidnight(now: number): number {
  return DateTime.fromMillis(now, { zone: 'America/New_York' }).plus({ days: 1 }).startOf('day').toMillis();
}

function aborted(signal: AbortSignal | undefined): AccountError {
  return new AccountError('account.aborted', 'the caller gave up', { cause: signal?.reason });
}
