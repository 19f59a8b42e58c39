/** Authentication of senders by a relay's live secret. Relays are cached for seconds; the commit checks again. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { StoreError } from '../../database/errors.js';
import { agedBy } from '../../read-cache.js';
import { withTimeout } from '../../timeout.js';
import type { RelaysById } from '../record/by-id.js';
import type { RelayAccess } from '../record/records.js';
import { hashSecret, matchSecret } from '../record/webhook-secret.js';

export interface AuthenticatedRelay extends Omit<RelayAccess, 'secrets'> {
  readonly secretId: string;
}

const freshMs = 2_000;
/** How long a cached relay is used while it is read again: a scan must not wait for a slow database. */
const usableMs = 10_000;
/** How long a scan waits for the read, so that the device gets its error in time. */
const readTimeoutMs = 2_500;
const maxCached = 10_000;

export function createAuthenticator(deps: { relays: Pick<RelaysById, 'access'>; clock: Clock }) {
  const { relays, clock } = deps;
  const cached = new LRUCache<string, RelayAccess>({
    max: maxCached,
    ...agedBy(clock, freshMs),
    allowStale: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: (relayId) => relays.access(relayId),
  });
  const readAgain = async (relayId: string) => ({
    access: await cached.fetch(relayId, { forceRefresh: true, allowStale: false }),
  });

  return {
    /** Undefined: no such relay, or none of its live secrets. @throws StoreError */
    async authenticate(relayId: string, secret: string): Promise<AuthenticatedRelay | undefined> {
      const hashed = hashSecret(secret);
      const isUsable = cached.getRemainingTTL(relayId) > freshMs - usableMs;
      const known = isUsable ? withSecret(cached.peek(relayId), hashed) : undefined;
      if (known) {
        // An older relay is read again in the background: the next scan reads it if this fails.
        void cached.fetch(relayId);
        return known;
      }
      // An unknown relay and a wrong secret take the same path: a read, then `matchSecret`.
      const read = await withTimeout(clock, readTimeoutMs, () => readAgain(relayId), undefined);
      if (!read) {
        throw new StoreError('store.unavailable', `relay ${relayId} could not be read in time`);
      }
      return withSecret(read.access, hashed);
    },

    /** Drops the cached relay: the next request reads it again. */
    forget(relayId: string): void {
      cached.delete(relayId);
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

function withSecret(access: RelayAccess | undefined, hashed: string): AuthenticatedRelay | undefined {
  const secretId = matchSecret(access?.secrets ?? [], hashed);
  return access && secretId !== undefined
    ? { relayId: access.relayId, secretId, owner: access.owner, settings: access.settings }
    : undefined;
}
