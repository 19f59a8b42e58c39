/** A mirror in a process of its own: the background work, and validation that reads it. */
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import type { Accounts } from '../../src/codereadr/types.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { createMirror, type Mirror, type MirrorDeps } from '../../src/mirror/index.js';
import { createDatabaseLookup, createRequiredDatabases, type DatabaseLookup } from '../../src/relay/index.js';
import type { Store } from '../../src/workspaces/types.js';

export interface TestMirror {
  readonly store: Store;
  readonly mirror: Mirror;
  readonly databaseLookup: DatabaseLookup;
}

export function mirrorOf(
  store: Store,
  accounts: Accounts,
  { clock = systemClock, ...options }: Partial<MirrorDeps> & { clock?: Clock } = {},
): TestMirror {
  const shared = { store, accounts, clock, log: silentLog, metrics: createMetrics() };
  const mirror = createMirror({
    ...shared,
    instanceId: systemRandom.bytes(6).toString('hex'),
    required: createRequiredDatabases(shared),
    ...options,
    times: { pollMs: 50, changesMs: 50, leastBackoffMs: 100, ...options.times },
  });
  return { store, mirror, databaseLookup: createDatabaseLookup({ ...shared, mirror }) };
}
