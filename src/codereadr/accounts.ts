/**
 * The open accounts: one per API key, with its rate limiter, single flights and name cache, for as long as the key is
 * used. In clear text the key leaves this process only in the body of a call.
 */
import { createHmac } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { ProcessDeps } from '../process.js';
import { createClient } from './client.js';
import { type ClientDecorator, createClientPool } from './client-pool.js';
import { createResourceNames, maxAgeMs } from './name-cache.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';
import { createTransport, defaultTimeouts, type Timeouts } from './transport.js';
import type { Account, Accounts } from './types.js';

export interface AccountsDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'log' | 'metrics'> {
  /** The URL of the account service; ends in `/api/`. */
  readonly apiUrl: string;
  /** The URL of the barcode generator; ends in `/api/`. */
  readonly generatorUrl: string;
  /** Opens the cache with a namespace; the caller decides where it is stored. */
  readonly cache: (namespace: string, options: { readonly ttlMs: number }) => Keyv;
  /** The plan's limit of calls a minute, until the account has reported its own. */
  readonly callsPerMinute: number;
  readonly timeouts?: Partial<Timeouts>;
  /** The most bytes that are read of an answer; default 16 MB. */
  readonly maxAnswerBytes?: number;
}

const defaultMaxAnswerBytes = 16_000_000;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { clock, random, metrics, callsPerMinute } = deps;
  const log = deps.log.child({ component: 'account' });
  const timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const maxAnswerBytes = deps.maxAnswerBytes ?? defaultMaxAnswerBytes;
  const account = createTransport({ url: deps.apiUrl, clock, timeouts, maxAnswerBytes });
  const generator = createTransport({ url: deps.generatorUrl, clock, timeouts, maxAnswerBytes });
  const cache = deps.cache('account-names', { ttlMs: maxAgeMs });
  const pool = createClientPool({ clock, quota: () => createRateLimiter(clock, callsPerMinute) });

  function createAccount(apiKey: string, accountId: string, quota: RateLimiter, watchCalls: ClientDecorator): Account {
    const client = watchCalls(
      createClient({
        apiKey,
        account,
        generator,
        quota,
        clock,
        random,
        log,
        metrics,
        onChange: (section) => names.invalidateSection(section),
      }),
    );
    const names = createResourceNames({ client, accountId, cache, clock, log });
    return { client, names };
  }

  return {
    open: (apiKey) => {
      const accountId = idOf(apiKey);
      return pool.open(accountId, (quota, watchCalls) => createAccount(apiKey, accountId, quota, watchCalls));
    },
    forget: (apiKey) => pool.forget(idOf(apiKey)),
    close: async () => {
      pool.close();
      await Promise.all([account.close(), generator.close()]);
    },
  };
}

/**
 * The account's id, made from its API key: equal on every instance and after every start, so that caches are shared.
 * The key cannot be derived from it.
 */
function idOf(apiKey: string): string {
  return createHmac('sha256', 'scandesk: which account').update(apiKey).digest('base64url');
}
