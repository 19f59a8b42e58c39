/**
 * The mirror's share of an account's calls. Calls go one after the other, evenly spaced, so that any 60 seconds have at
 * most a minute's share; a tenth of a day's share may be saved up. Each call is recorded before it is sent.
 */
import type { Clock } from '../clock.js';
import { retrieveLimits } from '../codereadr/operations/index.js';
import { type Account, AccountError, type CallOptions } from '../codereadr/types.js';
import { LeaseLost } from './errors.js';

export interface ShareState {
  readonly nextCallAt: number;
  /** Calls saved up, in thousandths; null: as many as can be. */
  readonly budget: number | null;
  readonly budgetAt: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const defaultLimit = 30;
/** The day's limit of plans, as far as known, in minutes of calls. */
const dayInMinutes = 720;
const savableFraction = 0.1;
/** How long a call may wait for the account's minute, which people use first. */
const maxWaitMs = 3 * minuteMs;
const longestPauseMs = 5 * minuteMs;
const thousand = 1_000;

export function createCallShare(deps: {
  readonly clock: Clock;
  /** The part of the account's calls that the mirror may use, from 0 to 1. */
  readonly share: number;
  readonly state: ShareState;
  /** Stores the state; false: the lease is lost. */
  readonly save: (state: ShareState) => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly onCall: () => void;
}) {
  const { clock, share, signal } = deps;
  let { nextCallAt, budget, budgetAt } = deps.state;
  let limitsAt: number | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** The least milliseconds between two calls, under the present limits. */
  const spacing = (account: Account): number => {
    const limit = account.client.callsLeft().minute.limit ?? defaultLimit;
    return Number.isFinite(limit) ? Math.ceil(minuteMs / Math.max(limit * share, 0.01)) : 0;
  };

  /** How many calls may be saved up (`most`), and how many come back per millisecond, both in thousandths. */
  const budgetLimits = (account: Account) => {
    const { minute, day } = account.client.callsLeft();
    const limit = day.limit ?? (minute.limit ?? defaultLimit) * dayInMinutes;
    const callsOfDay = limit * share * thousand;
    const most = Math.max(thousand, callsOfDay * savableFraction);
    return { most, perMs: (callsOfDay * (1 - savableFraction)) / dayMs };
  };

  const refill = (account: Account): { missingMs: number } => {
    const now = clock.now();
    const { most, perMs } = budgetLimits(account);
    if (!Number.isFinite(most)) {
      return { missingMs: 0 };
    }
    budget = Math.min(most, (budget ?? most) + Math.max(0, now - budgetAt) * perMs);
    budgetAt = now;
    return { missingMs: budget >= thousand ? 0 : Math.ceil((thousand - budget) / Math.max(perMs, 1e-9)) };
  };

  const spend = async (account: Account): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      // A clock that was set back makes nobody wait longer than twice the spacing.
      nextCallAt = Math.min(nextCallAt, clock.now() + 2 * spacing(account));
      const wait = Math.max(nextCallAt - clock.now(), refill(account).missingMs);
      if (wait <= 0) {
        break;
      }
      await clock.sleep(Math.min(wait, longestPauseMs), signal);
    }
    budget = budget === null ? null : budget - thousand;
    nextCallAt = clock.now() + spacing(account);
    if (!(await deps.save({ nextCallAt, budget: budget === null ? null : Math.floor(budget), budgetAt }))) {
      throw new LeaseLost('another process keeps this mirror');
    }
    deps.onCall();
  };

  const call = async <T>(account: Account, send: (options: CallOptions) => Promise<T>): Promise<T> => {
    for (;;) {
      await spend(account);
      try {
        return await send({ priority: 'background', maxWaitMs, retries: false, signal });
      } catch (error) {
        if (!(error instanceof AccountError && error.code === 'account.quota' && error.quota)) {
          throw error;
        }
        const wait = error.quota.againAt - clock.now();
        await clock.sleep(Math.max(1, Math.min(wait, longestPauseMs)), signal);
      } finally {
        // The next call waits from this one's end: the account may have counted it at any moment until then.
        nextCallAt = Math.max(nextCallAt, clock.now() + spacing(account));
      }
    }
  };

  const inTurn = async <T>(account: Account, work: (options: CallOptions) => Promise<T>): Promise<T> => {
    if (limitsAt === undefined || Math.abs(clock.now() - limitsAt) >= hourMs) {
      limitsAt = clock.now();
      await call(account, (options) => account.client.call(retrieveLimits, {}, options)).catch((error: unknown) => {
        if (!(error instanceof AccountError)) {
          throw error;
        }
      });
    }
    return await call(account, work);
  };

  return {
    spacing,
    /** Waits for a turn, then for `work`: one call, repeated once the quota allows. @throws LeaseLost, AccountError */
    run<T>(account: Account, work: (options: CallOptions) => Promise<T>): Promise<T> {
      const mine = turn.then(() => inTurn(account, work));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

export type CallShare = ReturnType<typeof createCallShare>;
