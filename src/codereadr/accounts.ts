/**
 * Owns the open accounts: one per API key, with its counters, its calls in flight and its names, for as long as it is used.
 * Refuses to keep or show a key anywhere but in the body of a call.
 */
import { createHmac } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Clock, Random } from '../clock.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { createClient } from './client.js';
import { type ClientDecorator, createOpenedAccounts } from './client-pool.js';
import { createReference, keptMs } from './name-cache.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';
import { createTransport, defaultTimeouts, type Timeouts } from './transport.js';
import type { Account, Accounts } from './types.js';

export interface AccountsDeps {
  /** Where the account service is; ends in `/api/`. */
  readonly apiUrl: string;
  /** Where the barcode generator is; ends in `/api/`. */
  readonly generatorUrl: string;
  /** A cache of that name; whoever hands it in decides where it lives. */
  readonly cache: (namespace: string, options: { readonly ttlMs: number }) => Keyv;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** What the plan allows, until the account has told itself. */
  readonly callsPerMinute: number;
  readonly timeouts?: Partial<Timeouts>;
  /** The largest answer that is read; default 16 MB. */
  readonly maxAnswerBytes?: number;
}

const defaultMaxAnswerBytes = 16_000_000;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { clock, random, metrics, callsPerMinute } = deps;
  const log = deps.log.child({ room: 'account' });
  const timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const maxAnswerBytes = deps.maxAnswerBytes ?? defaultMaxAnswerBytes;
  const account = createTransport({ url: deps.apiUrl, clock, timeouts, maxAnswerBytes });
  const generator = createTransport({ url: deps.generatorUrl, clock, timeouts, maxAnswerBytes });
  const cache = deps.cache('account-names', { ttlMs: keptMs });
  const opened = createOpenedAccounts({ clock, quota: () => createRateLimiter(clock, callsPerMinute) });

  function create(apiKey: string, accountId: string, quota: RateLimiter, watch: ClientDecorator): Account {
    const client = watch(
      createClient({
        apiKey,
        account,
        generator,
        quota,
        clock,
        random,
        log,
        metrics,
        onChange: (section) => reference.forgetSection(section),
      }),
    );
    const reference = createReference({ client, accountId, cache, clock, log });
    return { client, reference };
  }

  return {
    open: (apiKey) => {
      const accountId = idOf(apiKey);
      return opened.open(accountId, (quota, watch) => create(apiKey, accountId, quota, watch));
    },
    forget: (apiKey) => opened.forget(idOf(apiKey)),
    close: async () => {
      opened.close();
      await Promise.all([account.close(), generator.close()]);
    },
  };
}

/** The same on every instance and after every start, so that caches are shared; it leads back to no key. */
function idOf(apiKey: string): string {
  return createHmac('sha256', 'scandesk: which account').update(apiKey).digest('base64url');
}
