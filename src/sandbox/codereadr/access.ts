/**
 * Accounts, API keys and rate limits: a key belongs to an account, whose calls are counted by minute and by day. Keys
 * are stored and looked up by their hash alone.
 */
import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Clock } from '../../clock.js';
import { Refusal } from './answer/refusal.js';
import type { Sql } from './store/sqlite.js';

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: 'paid' | 'free';
  readonly get_allowed: number;
  /** The account's time zone (IANA): the meaning of `timezone=account`, and where the account's midnight is. */
  readonly time_zone: string;
  /** The limit of calls; -1: unlimited. */
  readonly minute_limit: number;
  readonly day_limit: number;
}

export interface CallsLeft {
  readonly limit: number;
  /** The calls left; -1: unlimited. */
  readonly left: number;
}

export interface Access {
  /** The account of an API key. @throws Refusal 100, 101 */
  accountOf(apiKey: string | undefined): Account;
  /** Counts one call. @throws Refusal 111, 113 */
  count(account: Account): void;
  left(account: Account): { minute: CallsLeft; day: CallsLeft };
  /** Sets the calls left of a period, for demos of a used-up quota. */
  setLeft(account: Account, period: Period, left: number): void;
}

export type Period = 'minute' | 'day';

export function hashKey(apiKey: string): string {
  return createHash('sha256').update(`scanning-account:${apiKey}`).digest('hex');
}

export function createAccess({ sql, clock }: { sql: Sql; clock: Clock }): Access {
  const limitOf = (account: Account, period: Period) =>
    period === 'minute' ? account.minute_limit : account.day_limit;

  const callsUsed = (account: Account, period: Period): number =>
    sql.get<{ used: number }>(
      'SELECT used FROM counters WHERE account_id = ? AND period = ? AND began = ?',
      account.id,
      period,
      beginning(period, account, clock.now()),
    )?.used ?? 0;

  const setUsed = (account: Account, period: Period, count: number): void => {
    sql.run(
      `INSERT INTO counters (account_id, period, began, used) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, period) DO UPDATE SET began = excluded.began, used = excluded.used`,
      account.id,
      period,
      beginning(period, account, clock.now()),
      count,
    );
  };

  const callsLeft = (account: Account, period: Period): CallsLeft => {
    const limit = limitOf(account, period);
    return { limit, left: limit < 0 ? -1 : Math.max(0, limit - callsUsed(account, period)) };
  };

  return {
    accountOf: (apiKey) => {
      if (!apiKey) throw new Refusal('101');
      const account = sql.get<Account>(
        'SELECT accounts.* FROM api_keys JOIN accounts ON accounts.id = account_id WHERE hash = ?',
        hashKey(apiKey),
      );
      if (!account) throw new Refusal('100');
      return account;
    },
    count: (account) => {
      // An unlimited period is not counted.
      const limited = (['day', 'minute'] as const).filter((period) => limitOf(account, period) >= 0);
      if (limited.length === 0) return;
      sql.transaction(() => {
        for (const period of limited) {
          if (callsLeft(account, period).left === 0) throw new Refusal(period === 'day' ? '113' : '111');
        }
        for (const period of limited) {
          setUsed(account, period, callsUsed(account, period) + 1);
        }
      });
    },
    left: (account) => ({ minute: callsLeft(account, 'minute'), day: callsLeft(account, 'day') }),
    setLeft: (account, period, count) => setUsed(account, period, Math.max(0, limitOf(account, period) - count)),
  };
}

/** The minute counter resets at the start of each minute, the day counter at the account's midnight *(guess)*. */
function beginning(period: Period, account: Account, now: number): string {
  const zone = period === 'minute' ? 'utc' : account.time_zone;
  return DateTime.fromMillis(now, { zone }).startOf(period).toISO() ?? '';
}
