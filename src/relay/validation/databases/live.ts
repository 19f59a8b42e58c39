/**
 * Live lookup of one value in the account while a device waits, within a share of the account's calls. Identical
 * lookups share one call; an answer that comes too late serves the next lookup.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.js';
import { rowOf } from '../../../codereadr/barcode-equality.js';
import { readExactValues } from '../../../codereadr/exact-values.js';
import { createSingleFlight, type SingleFlight } from '../../../codereadr/single-flight.js';
import type { Account } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { withTimeout } from '../../../timeout.js';
import type { UncheckedReason } from '../../record/relay.js';
import type { DatabaseResult } from './first-match.js';

export interface LiveQuery {
  readonly account: Account;
  readonly databaseId: string;
  readonly value: string;
  readonly caseSensitive: boolean | undefined;
  /** The number of the database's last change through Scandesk: an answer from before that change is not reused. */
  readonly changes: number | undefined;
}

/**
 * Looks a value up. @param share percent of the account's calls a minute that live lookups may take
 * @param withinMs how long the caller can wait
 */
export type LiveLookup = (question: LiveQuery, share: number, withinMs: number) => Promise<DatabaseResult>;

/** How long an answer is reused: a device held over a barcode scans it again and again. */
const recentMs = 10_000;
const maxRecent = 10_000;
const minuteMs = 60_000;

interface Spent {
  minute: number;
  calls: number;
}

export function createLiveLookup(deps: { clock: Clock; log: Log }): LiveLookup {
  const { clock, log } = deps;
  const spent = new WeakMap<Account, Spent>();
  const flights = new WeakMap<Account, SingleFlight<DatabaseResult>>();
  const answers = new LRUCache<string, { account: Account; answer: DatabaseResult; until: number }>({ max: maxRecent });

  /** Takes one call from the share; false if this minute's share is used up, or the account has no calls left. */
  const spend = (account: Account, share: number): boolean => {
    const minute = Math.floor(clock.now() / minuteMs);
    const usedCalls = spent.get(account) ?? { minute, calls: 0 };
    if (usedCalls.minute !== minute) {
      usedCalls.minute = minute;
      usedCalls.calls = 0;
    }
    spent.set(account, usedCalls);
    const { minute: counter, day } = account.client.callsLeft();
    // An unknown limit counts as the smallest plan's; a small share is at least one call.
    const allowed = share === 0 ? 0 : Math.max(1, Math.floor(((counter.limit ?? 30) * share) / 100));
    if (usedCalls.calls >= allowed || (counter.left ?? 1) < 1 || (day.left ?? 1) < 1) {
      return false;
    }
    usedCalls.calls += 1;
    return true;
  };

  const call = async ({ account, databaseId, value, caseSensitive }: LiveQuery): Promise<DatabaseResult> => {
    try {
      const values = await readExactValues(account.client, databaseId, value, { maxWaitMs: 0 });
      const found = rowOf(values, value, caseSensitive);
      return found ? { ...found, kind: 'found' } : { kind: 'absent' };
    } catch (error) {
      log.info({ code: codeOf(error) }, 'a live look-up failed');
      return { kind: 'unknown', why: whyOf(error) };
    }
  };

  const remember = (key: string, account: Account, answer: DatabaseResult): void => {
    answers.set(key, { account, answer, until: clock.now() + recentMs });
  };

  /** The answer of a call under way or a new one; undefined if the share does not allow that call. */
  const startOrJoin = (question: LiveQuery, key: string, share: number): Promise<DatabaseResult> | undefined => {
    const { account } = question;
    const accountFlights = flights.get(account) ?? createSingleFlight<DatabaseResult>();
    flights.set(account, accountFlights);
    const running = accountFlights.get(key);
    if (running) {
      return running.join();
    }
    if (!spend(account, share)) {
      return undefined;
    }
    const search = async (): Promise<DatabaseResult> => {
      const answer = await call(question);
      if (answer.kind !== 'unknown') {
        remember(key, account, answer);
      }
      return answer;
    };
    return accountFlights.start(key, search).join();
  };

  return async (question, share, withinMs) => {
    const key = JSON.stringify([question.databaseId, question.value, question.changes]);
    const recentAnswer = answers.get(key);
    if (recentAnswer?.account === question.account && clock.now() < recentAnswer.until) {
      return recentAnswer.answer;
    }
    const flight = startOrJoin(question, key, share);
    if (!flight) {
      return { kind: 'unknown', why: 'calls' };
    }
    return await withTimeout(clock, withinMs, () => flight, { kind: 'unknown', why: 'slow' });
  };
}

function whyOf(error: unknown): UncheckedReason {
  switch (codeOf(error)) {
    case 'account.quota':
      return 'calls';
    case 'account.slow':
      return 'slow';
    default:
      return 'failed';
  }
}
