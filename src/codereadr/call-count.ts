/**
 * Counters of one API key's calls, this minute's and this day's, corrected by what the account reports
 * (limits/retrieve, error codes 111 and 113). Once the day's count proves wrong, it is undefined.
 */
import { DateTime } from 'luxon';
import type { Clock } from '../clock.js';
import type { CallLimit } from './operations/limits.js';
import { AccountError, type CallsLeft, type Priority } from './types.js';

export type QuotaPeriod = 'minute' | 'day';

export const minuteMs = 60_000;
/** The part of a minute's calls that each priority leaves to higher priorities. */
const reservedShare: Readonly<Record<Priority, number>> = { person: 0, assistant: 1 / 12, background: 1 / 6 };
const hourMs = 3_600_000;

export function createCallCount(clock: Clock, callsPerMinute: number) {
  let minuteLimit = callsPerMinute;
  let minuteStart = startOfMinute(clock.now());
  let minuteUsed = 0;
  let dayLimit: number | undefined;
  let dayUsed = 0;
  let dayEnd = nextMidnight(clock.now());
  /** Until when the day's calls are used up; 0 while some are left. */
  let dayBlockedUntil = 0;

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

  const minuteLeft = () => callsLeftOf(minuteLimit, minuteUsed);
  const dayLeft = () => (dayLimit === undefined ? undefined : callsLeftOf(dayLimit, dayUsed));

  const reserve = (priority: Priority) => Math.floor(Math.min(minuteLimit, 600) * reservedShare[priority]);

  /** The time zone of the account's midnight is unknown: one call each full hour may find out. */
  function blockDay(now: number): void {
    dayBlockedUntil = Math.min(dayEnd, (Math.floor(now / hourMs) + 1) * hourMs);
  }

  function isDayUsedUp(now: number): boolean {
    if (now < dayBlockedUntil) {
      return true;
    }
    if (dayLeft() !== 0) {
      return false;
    }
    const mayFindOut = dayBlockedUntil > 0;
    blockDay(now);
    return !mayFindOut;
  }

  return {
    /** The quota that stops a call of this priority now; `undefined` when the call may be sent. */
    blockedBy: (priority: Priority): QuotaPeriod | undefined => {
      const now = roll();
      // The minute is checked first: a full minute must not use up the one call that probes the day.
      if (now >= dayBlockedUntil && minuteLeft() <= reserve(priority)) {
        return 'minute';
      }
      return isDayUsedUp(now) ? 'day' : undefined;
    },
    /** Counts a call that is sent. */
    add: (): void => {
      minuteUsed += 1;
      dayUsed += 1;
    },
    /** Uncounts a call that was never sent. */
    remove: (): void => {
      minuteUsed = Math.max(0, minuteUsed - 1);
      dayUsed = Math.max(0, dayUsed - 1);
    },
    /** Records that the account answered 111 or 113. */
    recordExhausted: (period: QuotaPeriod): void => {
      const now = roll();
      if (period === 'minute') {
        minuteUsed = Math.max(minuteUsed, minuteLimit);
        return;
      }
      dayUsed = Math.max(dayUsed, dayLimit ?? 0);
      blockDay(now);
    },
    /** Records that a call succeeded, so that the day's calls cannot be used up. */
    recordSuccess: (): void => {
      if (dayBlockedUntil > 0) {
        // The own count was wrong, or the account's day has begun: no figure is better than a wrong one.
        dayBlockedUntil = 0;
        dayLimit = undefined;
        dayUsed = 0;
      }
    },
    /** Takes over what the account reported as left after the reporting call; `otherCalls` were in flight meanwhile. */
    sync: (minute: CallLimit, day: CallLimit, otherCalls: number): void => {
      roll();
      if (minute.limit !== undefined && minute.limit > 0) {
        minuteLimit = minute.limit;
      }
      if (minute.left !== undefined) {
        minuteUsed = callsUsed(minuteLimit, minute.left) + otherCalls;
      }
      dayLimit = day.limit ?? dayLimit;
      if (day.left !== undefined) {
        dayLimit ??= dayUsed + day.left;
        dayUsed = callsUsed(dayLimit, day.left) + otherCalls;
        dayBlockedUntil = day.left > 0 ? 0 : dayBlockedUntil;
      }
    },
    callsLeft: (): CallsLeft => {
      const now = roll();
      return {
        minute: { left: minuteLeft(), limit: minuteLimit, resetsAt: minuteStart + minuteMs },
        day: { left: now < dayBlockedUntil ? 0 : dayLeft(), limit: dayLimit, resetsAt: dayEnd },
      };
    },
    /** How many calls of this priority fit into a whole minute. */
    perMinute: (priority: Priority): number => minuteLimit - reserve(priority),
    minuteEnd: (): number => {
      roll();
      return minuteStart + minuteMs;
    },
    /** The error that says when calls are possible again. */
    error: (period: QuotaPeriod, cause?: unknown): AccountError => {
      roll();
      const callsLeft = period === 'minute' ? minuteLeft() : (dayLeft() ?? 0);
      const againAt = period === 'minute' ? minuteStart + minuteMs : dayEnd;
      return new AccountError('account.quota', `no calls left this ${period}`, {
        quota: { period, left: callsLeft, againAt },
        ...(cause !== undefined && { cause }),
      });
    },
  };
}

export type CallCount = ReturnType<typeof createCallCount>;

/** The calls left. An unlimited quota may be used up all the same: `Infinity - Infinity` would be NaN. */
function callsLeftOf(limit: number, usedUp: number): number {
  return usedUp >= limit ? 0 : limit - usedUp;
}

/** The calls used; an unlimited quota needs no count. */
function callsUsed(limit: number, left: number): number {
  return Number.isFinite(limit) ? Math.max(0, limit - left) : 0;
}

function startOfMinute(now: number): number {
  return Math.floor(now / minuteMs) * minuteMs;
}

/** The account uses New York time by default; that its day ends there is a guess. */
function nextMidnight(now: number): number {
  return DateTime.fromMillis(now, { zone: 'America/New_York' }).plus({ days: 1 }).startOf('day').toMillis();
}
