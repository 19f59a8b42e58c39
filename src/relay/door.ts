/**
 * Owns who may post scans: whoever knows a live secret of a relay. What it knows of relays is a few seconds old, which only
 * saves the look for each scan: what counts is looked at again inside the commit.
 */
import type { Clock } from '../clock.js';
import type { RelayAccess, RelayWork } from '../store/index.js';
import { hashSecret, matchSecret } from './secrets.js';

export interface Door {
  /** The id of the secret; undefined when there is no such relay or the secret is none of its. */
  enter(relayId: string, secret: string): string | undefined | Promise<string | undefined>;
}

const freshMs = 2_000;
const relaysKept = 10_000;

export function createDoor(deps: { relays: Pick<RelayWork, 'access'>; clock: Clock }): Door {
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
      if (entry && age >= 0 && age < freshMs) {
        const found = matchSecret(entry.access.secrets, hashed);
        if (found !== undefined) {
          return found;
        }
      }
      // A relay nobody has and a secret that is wrong take the same way: one look at the store, one comparison.
      return ask(relayId).then((access) => matchSecret(access?.secrets ?? [], hashed));
    },
  };
}
