/**
 * The rate limiter of one API key: people go before their assistants, and assistants before background work, each up to
 * its maximum wait; among people (or assistants), the one with the fewest calls in the minute goes first. A longer wait
 * fails at once, with the time at which calls are possible again.
 */
import type { Clock } from '../clock.js';
import { type CallCount, createCallCount, minuteMs, type QuotaPeriod } from './call-count.js';
import { AccountError, type Priority } from './types.js';

export interface AcquireOptions {
  readonly priority: Priority;
  /** How many milliseconds this call may wait at most. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal;
  /** The person for whom the call is; all people whose name is unknown count as one. */
  readonly who?: string | undefined;
}

type Caller = Pick<AcquireOptions, 'priority' | 'who'>;

/** The priorities, from the first served to the last. */
const ranks: readonly Priority[] = ['person', 'assistant', 'background'];
const keyOf = ({ priority, who }: Caller) => `${priority} ${who ?? ''}`;

interface Waiter extends Caller {
  /** The end of the caller's maximum wait. */
  readonly until: number;
  readonly grant: () => void;
  readonly refuse: (error: AccountError) => void;
}

export function createRateLimiter(clock: Clock, callsPerMinute: number) {
  const count = createCallCount(clock, callsPerMinute);
  let waiters: Waiter[] = [];
  let timer: AbortController | undefined;
  /** Calls of the minute that ends at `until`, by caller. */
  let granted = { until: 0, byCaller: new Map<string, number>() };

  function callsByCaller(): Map<string, number> {
    const until = count.minuteEnd();
    granted = granted.until === until ? granted : { until, byCaller: new Map() };
    return granted.byCaller;
  }

  function add(caller: Caller): void {
    count.add();
    callsByCaller().set(keyOf(caller), (callsByCaller().get(keyOf(caller)) ?? 0) + 1);
  }

  /** One person's assistant gets a third of the minute at most, however much it calls. */
  function blockedBy(caller: Caller): QuotaPeriod | undefined {
    const period = count.blockedBy(caller.priority);
    const share = Math.max(1, count.perMinute('person') / 3);
    const isGreedy = caller.priority === 'assistant' && (callsByCaller().get(keyOf(caller)) ?? 0) >= share;
    return period ?? (isGreedy ? 'minute' : undefined);
  }

  /** Sorts callers in the order in which they get calls; background work stays in its order of arrival. */
  function sortByTurn<Waiting extends Caller>(
    callers: readonly Waiting[],
    callsBefore: ReadonlyMap<string, number>,
  ): readonly Waiting[] {
    const turns = new Map(callsBefore);
    const placed = callers.map((caller) => {
      const turn = caller.priority === 'background' ? 0 : (turns.get(keyOf(caller)) ?? 0);
      turns.set(keyOf(caller), turn + 1);
      return { caller, rank: ranks.indexOf(caller.priority), turn };
    });
    return placed.sort((one, other) => one.rank - other.rank || one.turn - other.turn).map(({ caller }) => caller);
  }

  function serve(): void {
    const laterWaiters: Waiter[] = [];
    for (const waiter of sortByTurn(waiters, callsByCaller())) {
      const period = blockedBy(waiter);
      if (period === undefined) {
        add(waiter);
        waiter.grant();
      } else if (period === 'day' || count.minuteEnd() > waiter.until) {
        waiter.refuse(count.error(period));
      } else {
        laterWaiters.push(waiter);
      }
    }
    waiters = laterWaiters;
    if (waiters.length > 0) {
      startTimer();
    }
  }

  function startTimer(): void {
    if (timer) {
      return;
    }
    const controller = new AbortController();
    timer = controller;
    clock.sleep(Math.max(1, count.minuteEnd() - clock.now()), controller.signal).then(
      () => {
        timer = undefined;
        serve();
      },
      () => {
        timer = undefined;
      },
    );
  }

  function wait(options: AcquireOptions, waitUntil: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      const leaveQueue = () => {
        signal?.removeEventListener('abort', cancel);
        waiters = waiters.filter((other) => other !== waiter);
      };
      const cancel = () => {
        leaveQueue();
        reject(aborted(signal));
      };
      const waiter: Waiter = {
        priority: options.priority,
        who: options.who,
        until: waitUntil,
        grant: () => {
          leaveQueue();
          resolve();
        },
        refuse: (refused) => {
          leaveQueue();
          reject(refused);
        },
      };
      signal?.addEventListener('abort', cancel, { once: true });
      waiters.push(waiter);
      startTimer();
    });
  }

  function serveWaiters(): void {
    if (waiters.length > 0) {
      serve();
    }
  }

  return {
    /**
     * Resolves when a call may be sent, and counts it.
     * @throws AccountError `account.quota` where that would exceed the maximum wait, `account.aborted`
     */
    acquire: async (options: AcquireOptions) => {
      if (options.signal?.aborted) {
        throw aborted(options.signal);
      }
      // Waiting callers go before a new one, even where the timer of the minute is late.
      serveWaiters();
      const period = blockedBy(options);
      if (period === undefined) {
        add(options);
        return;
      }
      const earlier = sortByTurn<Caller>([...waiters, options], new Map()).indexOf(options);
      const minutes = Math.floor(earlier / Math.max(1, count.perMinute(options.priority)));
      const until = clock.now() + options.maxWaitMs;
      if (period === 'day' || count.minuteEnd() + minutes * minuteMs > until) {
        throw count.error(period);
      }
      await wait(options, until);
    },
    /** Uncounts a call that was never sent. */
    release: () => {
      count.remove();
      serveWaiters();
    },
    sync: (...counts: Parameters<CallCount['sync']>) => {
      count.sync(...counts);
      serveWaiters();
    },
    recordExhausted: count.recordExhausted,
    recordSuccess: count.recordSuccess,
    callsLeft: count.callsLeft,
    error: count.error,
    close: () => {
      timer?.abort();
      for (const waiter of waiters) {
        waiter.refuse(new AccountError('account.aborted', 'the account was closed'));
      }
      waiters = [];
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

function aborted(signal: AbortSignal | undefined): AccountError {
  return new AccountError('account.aborted', 'the caller gave up', { cause: signal?.reason });
}
