/** Authentication of senders by a relay's live secret. Relays are cached for seconds; the commit checks again. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { StoreError } from '../../database/errors.js';
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
  const cached = new LRUCache<string, { access: RelayAccess; readAt: number }>({ max: maxCached });
  const pendingReads = new Map<string, Promise<RelayAccess | undefined>>();

  const readAccess = (relayId: string): Promise<RelayAccess | undefined> => {
    const pendingRead = pendingReads.get(relayId);
    if (pendingRead) {
      return pendingRead;
    }
    const readAt = clock.now();
    const readOfAccess = relays
      .access(relayId)
      .then((access) => {
        cached.delete(relayId);
        if (access) {
          cached.set(relayId, { access, readAt });
        }
        return access;
      })
      .finally(() => pendingReads.delete(relayId));
    pendingReads.set(relayId, readOfAccess);
    return readOfAccess;
  };

  return {
    /** Undefined: no such relay, or none of its live secrets. @throws StoreError */
    async authenticate(relayId: string, secret: string): Promise<AuthenticatedRelay | undefined> {
      const hashed = hashSecret(secret);
      const entry = cached.get(relayId);
      const age = entry ? clock.now() - entry.readAt : Number.NaN;
      if (entry && age >= 0 && age < usableMs) {
        const found = withSecret(entry.access, hashed);
        if (found !== undefined) {
          if (age >= freshMs) {
            // The relay is read in the background: the next scan reads it again if this fails.
            readAccess(relayId).catch(() => undefined);
          }
          return found;
        }
      }
      // An unknown relay and a wrong secret take the same path: a read, then `matchSecret`.
      const readRelay = () => readAccess(relayId).then((access) => ({ relay: withSecret(access, hashed) }));
      const readResult = await withTimeout(clock, readTimeoutMs, readRelay, undefined);
      if (!readResult) {
        throw new StoreError('store.unavailable', `relay ${relayId} could not be read in time`);
      }
      return readResult.relay;
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
