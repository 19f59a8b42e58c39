/**
 * The matching of mirrors to connections: one mirror for each connection, with the databases that relays validate with.
 * Mirrors of another connection, or of none, are deleted.
 */
import type { Clock } from '../clock.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import type { AccountMirrors } from './tables/accounts.js';
import type { DatabaseMirrorStore } from './tables/databases.js';
import { sweepOrphans } from './tables/erase.js';

export interface RequiredDatabase {
  readonly owner: Owner;
  readonly databaseId: string;
}

export interface ConnectionsDeps {
  readonly store: Pick<Store, 'workspaces' | 'db'>;
  readonly mirrors: AccountMirrors;
  readonly databases: DatabaseMirrorStore;
  readonly clock: Clock;
  /** The databases that relays validate with. */
  readonly required: () => Promise<readonly RequiredDatabase[]>;
}

const sweepEveryMs = 60 * 60_000;
const noDatabases: ReadonlySet<string> = new Set();

export function createConnections(deps: ConnectionsDeps) {
  const { store, mirrors, databases, clock } = deps;
  let relayDatabases: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  let sweptAt: number | undefined;

  const matchMirrors = async (connections: Awaited<ReturnType<typeof store.workspaces.connections>>): Promise<void> => {
    const connected = new Map(connections.map((one) => [ownerKey(one.owner), one]));
    const connectedOwners = new Set<string>();
    for (const { id, owner, connectedAt } of await mirrors.all()) {
      const key = ownerKey(owner);
      if (connected.get(key)?.connectedAt === connectedAt) {
        connectedOwners.add(key);
      } else {
        await mirrors.drop(id);
        for (const database of await databases.of(owner)) {
          await databases.drop(database.id);
        }
      }
    }
    for (const { owner, connectedAt } of connections) {
      if (!connectedOwners.has(ownerKey(owner))) {
        await mirrors.create(owner, connectedAt, clock.now());
      }
    }
  };

  const requireForRelays = async (connected: ReadonlySet<string>): Promise<void> => {
    const now = clock.now();
    const byOwner = new Map<string, Set<string>>();
    for (const { owner, databaseId } of await deps.required()) {
      const known = byOwner.get(ownerKey(owner)) ?? new Set();
      if (connected.has(ownerKey(owner)) && !known.has(databaseId)) {
        byOwner.set(ownerKey(owner), known.add(databaseId));
        await databases.require(owner, databaseId, now);
      }
    }
    relayDatabases = byOwner;
    for (const { id, owner } of await databases.all()) {
      if (!connected.has(ownerKey(owner))) {
        await databases.drop(id);
      }
    }
  };

  return {
    async match(): Promise<void> {
      const connections = await store.workspaces.connections();
      await matchMirrors(connections);
      await requireForRelays(new Set(connections.map(({ owner }) => ownerKey(owner))));
      if (sweptAt === undefined || Math.abs(clock.now() - sweptAt) >= sweepEveryMs) {
        sweptAt = clock.now();
        await sweepOrphans(store.db);
      }
    },

    /** The databases that the owner's relays validate with, as of the last matching. */
    relayDatabases: (owner: Owner): ReadonlySet<string> => relayDatabases.get(ownerKey(owner)) ?? noDatabases,

    async eraseAll(): Promise<void> {
      for (const { id } of await mirrors.all()) {
        await mirrors.drop(id);
      }
      for (const { id } of await databases.all()) {
        await databases.drop(id);
      }
      await sweepOrphans(store.db);
    },
  };
}
