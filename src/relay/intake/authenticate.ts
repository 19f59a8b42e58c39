/** Authentication of senders by a relay's live secret. Results are cached for seconds; the commit checks again. */
import type { Clock } from '../../clock.js';
import { StoreError } from '../../database/errors.js';
import type { Owner } from '../../ownership.js';
import { within } from '../delivery/timeout.js';
import type { RelaysById } from '../relays/by-id.js';
import type { RelayAccess } from '../relays/records.js';
import { hashSecret, matchSecret } from '../relays/secrets/webhook-secret.js';

export interface Authenticator {
  /** Undefined: no such relay, or none of its live secrets. @throws StoreError */
  enter(relayId: string, secret: string): AuthenticatedRelay | undefined | Promise<AuthenticatedRelay | undefined>;
  /** Drops the cached relay: the next request reads it again. */
  forget(relayId: string): void;
}

export interface AuthenticatedRelay {
  readonly secretId: string;
  readonly owner: Owner;
  /** JSON, as it is stored. */
  readonly settings: string;
}

const freshMs = 2_000;
/**
 * How long a cached relay is used while it is read again: a scan must not wait for a database that does not respond.
 */
const usableMs = 10_000;
/** A device must get its error in time. */
const lookMs = 2_500;
const relaysKept = 10_000;

export function createAuthenticator(deps: { relays: Pick<RelaysById, 'access'>; clock: Clock }): Authenticator {
  const { relays, clock } = deps;
  const known = new Map<string, { access: RelayAccess; readAt: number }>();
  const asking = new Map<string, Promise<RelayAccess | undefined>>();

  const ask = (relayId: string): Promise<RelayAccess | undefined> => {
    const before = asking.get(relayId);
    if (before) {
      return before;
    }
    const readAt = clock.now();
    const asked = relays
      .access(relayId)
      .then((access) => {
        known.delete(relayId);
        if (access) {
          if (known.size >= relaysKept) {
            known.clear();
          }
          known.set(relayId, { access, readAt });
        }
        return access;
      })
      .finally(() => asking.delete(relayId));
    asking.set(relayId, asked);
    return asked;
  };

  return {
    enter(relayId, secret) {
      const hashed = hashSecret(secret);
      const entry = known.get(relayId);
      const age = entry ? clock.now() - entry.readAt : Number.NaN;
      if (entry && age >= 0 && age < usableMs) {
        const found = enteredBy(entry.access, hashed);
        if (found !== undefined) {
          if (age >= freshMs) {
            // In the background: the next scan reads again if this fails.
            ask(relayId).catch(() => undefined);
          }
          return found;
        }
      }
      // An unknown relay and a wrong secret take the same path: one read, one comparison.
      const looked = ask(relayId).then((access) => ({ entered: enteredBy(access, hashed) }));
      return within(clock, lookMs, looked, undefined).then((look) => {
        if (!look) {
          throw new StoreError('store.unavailable', 'the store does not say whose secret it is');
        }
        return look.entered;
      });
    },

    forget(relayId) {
      known.delete(relayId);
    },
  };
}

function enteredBy(access: RelayAccess | undefined, hashed: string): AuthenticatedRelay | undefined {
  const secretId = matchSecret(access?.secrets ?? [], hashed);
  return access && secretId !== undefined ? { secretId, owner: access.owner, settings: access.settings } : undefined;
}
