/**
 * The pool of opened accounts. An idle, refused or disconnected account is evicted with its key, but not during a call.
 * The account's counters, which hold no key, stay for 26 hours, so that opening the key again does not reset them.
 */
import type { Clock } from '../clock.js';
import type { RateLimiter } from './rate-limiter.js';
import { type Account, type AccountClient, AccountError, type KeyState } from './types.js';

/** How long an idle account stays open: long enough for somebody at work, short enough for a key that nobody uses. */
const idleMs = 15 * 60_000;
const countersMs = 26 * 3_600_000;
const sweepEveryMs = 60_000;

/** How long the service's last verdict on a key is trusted. */
const keyKnownMs = 10 * 60_000;

/** The error codes of an unknown key; code 10 refuses one operation alone. */
const unknownKeyCodes: readonly (string | undefined)[] = ['100', '101'];

interface PoolEntry {
  readonly quota: RateLimiter;
  account: Account | undefined;
  inFlight: number;
  usedAt: number;
  key: { readonly state: KeyState; readonly at: number } | undefined;
  /** Whether to evict the account as soon as no call is under way. */
  evicting: boolean;
}

/** Wraps a client so that the pool sees its calls. */
export type ClientDecorator = (client: Omit<AccountClient, 'key'>) => AccountClient;

export function createClientPool(deps: { readonly clock: Clock; readonly quota: () => RateLimiter }) {
  const { clock } = deps;
  const entries = new Map<string, PoolEntry>();
  let sweptAt = clock.now();

  function evictIfIdle(entry: PoolEntry): void {
    if (entry.evicting && entry.inFlight === 0) {
      entry.account = undefined;
      entry.evicting = false;
    }
  }

  function sweep(): void {
    const now = clock.now();
    if (Math.abs(now - sweptAt) < sweepEveryMs) {
      return;
    }
    sweptAt = now;
    for (const [id, entry] of entries) {
      const idle = now - entry.usedAt;
      entry.evicting ||= idle >= idleMs;
      evictIfIdle(entry);
      if (!entry.account && idle >= countersMs) {
        entry.quota.close();
        entries.delete(id);
      }
    }
  }

  function decorate(entry: PoolEntry): ClientDecorator {
    return (client) => ({
      callsLeft: client.callsLeft,
      changes: client.changes,
      key: () => (entry.key && clock.now() - entry.key.at < keyKnownMs ? entry.key.state : undefined),
      async call(operation, input, options) {
        entry.inFlight += 1;
        try {
          const output = await client.call(operation, input, options);
          entry.key = { state: 'accepted', at: clock.now() };
          return output;
        } catch (error) {
          if (isUnknownKey(error)) {
            entry.evicting = true;
            entry.key = { state: 'refused', at: clock.now() };
          }
          throw error;
        } finally {
          entry.inFlight -= 1;
          entry.usedAt = clock.now();
          evictIfIdle(entry);
          sweep();
        }
      },
    });
  }

  return {
    /** The pooled account, else the one that `make` builds around the counters of its key. */
    open(id: string, make: (quota: RateLimiter, watchCalls: ClientDecorator) => Account): Account {
      sweep();
      const entry = entries.get(id) ?? {
        quota: deps.quota(),
        account: undefined,
        inFlight: 0,
        usedAt: 0,
        key: undefined,
        evicting: false,
      };
      entries.set(id, entry);
      entry.usedAt = clock.now();
      entry.account ??= make(entry.quota, decorate(entry));
      return entry.account;
    },
    forget(id: string): void {
      const entry = entries.get(id);
      if (entry) {
        entry.evicting = true;
        evictIfIdle(entry);
      }
    },
    close(): void {
      for (const { quota } of entries.values()) {
        quota.close();
      }
      entries.clear();
    },
  };
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof AccountError && unknownKeyCodes.includes(error.apiCode);
}
