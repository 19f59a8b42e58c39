/**
 * The pool of opened accounts. An idle, refused or disconnected one is evicted with its key, but not during a call. Its
 * counters, which hold no key, stay for a day, so that opening a key again does not reset them.
 */
import type { Clock } from '../clock.js';
import type { RateLimiter } from './rate-limiter.js';
import { type Account, type AccountClient, AccountError, type KeyState } from './types.js';

/** Long enough for somebody at work, short enough for a key that nobody uses. */
const idleMs = 15 * 60_000;
const countersMs = 26 * 3_600_000;
const lookEveryMs = 60_000;

/** How long the service's last verdict on a key is trusted. */
const keyKnownMs = 10 * 60_000;

/** The service does not know the key. Code 10 is about one operation alone. */
const unknownKey: readonly (string | undefined)[] = ['100', '101'];

interface Opened {
  readonly quota: RateLimiter;
  account: Account | undefined;
  underWay: number;
  usedAt: number;
  key: { readonly state: KeyState; readonly at: number } | undefined;
  /** To be evicted as soon as no call is under way. */
  leaving: boolean;
}

export interface OpenedAccounts {
  /** The pooled account, else the one that `make` builds around the counters of its key. */
  open(id: string, make: (quota: RateLimiter, watch: ClientDecorator) => Account): Account;
  forget(id: string): void;
  close(): void;
}

/** Wraps a client so that the pool sees its calls. */
export type ClientDecorator = (client: Omit<AccountClient, 'key'>) => AccountClient;

export function createOpenedAccounts(deps: {
  readonly clock: Clock;
  readonly quota: () => RateLimiter;
}): OpenedAccounts {
  const { clock } = deps;
  const all = new Map<string, Opened>();
  let lookedAt = clock.now();

  function letGo(opened: Opened): void {
    if (opened.leaving && opened.underWay === 0) {
      opened.account = undefined;
      opened.leaving = false;
    }
  }

  function look(): void {
    const now = clock.now();
    if (Math.abs(now - lookedAt) < lookEveryMs) {
      return;
    }
    lookedAt = now;
    for (const [id, opened] of all) {
      const idle = now - opened.usedAt;
      opened.leaving ||= idle >= idleMs;
      letGo(opened);
      if (!opened.account && idle >= countersMs) {
        opened.quota.close();
        all.delete(id);
      }
    }
  }

  function watching(opened: Opened): ClientDecorator {
    return (client) => ({
      callsLeft: client.callsLeft,
      key: () => (opened.key && clock.now() - opened.key.at < keyKnownMs ? opened.key.state : undefined),
      async call(operation, input, options) {
        opened.underWay += 1;
        try {
          const output = await client.call(operation, input, options);
          opened.key = { state: 'accepted', at: clock.now() };
          return output;
        } catch (error) {
          if (isUnknownKey(error)) {
            opened.leaving = true;
            opened.key = { state: 'refused', at: clock.now() };
          }
          throw error;
        } finally {
          opened.underWay -= 1;
          opened.usedAt = clock.now();
          letGo(opened);
          look();
        }
      },
    });
  }

  return {
    open(id, make) {
      look();
      const opened = all.get(id) ?? {
        ...{ quota: deps.quota(), account: undefined, underWay: 0, usedAt: 0, key: undefined, leaving: false },
      };
      all.set(id, opened);
      opened.usedAt = clock.now();
      opened.account ??= make(opened.quota, watching(opened));
      return opened.account;
    },
    forget(id) {
      const opened = all.get(id);
      if (opened) {
        opened.leaving = true;
        letGo(opened);
      }
    },
    close() {
      for (const { quota } of all.values()) {
        quota.close();
      }
      all.clear();
    },
  };
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof AccountError && unknownKey.includes(error.apiCode);
}
