/** Public interface of database validation: the mirrors, and live look-ups for what they do not have. */

import type { Clock } from '../../../clock.js';
import type { Accounts } from '../../../codereadr/types.js';
import type { Log } from '../../../log.js';
import type { Metrics } from '../../../metrics.js';
import type { Store } from '../../../workspaces/types.js';
import { createDatabaseLookup, type DatabaseLookup } from './database-lookup.js';
import { createDatabaseMirrors, type DatabaseMirrors, type MirrorTimes } from './database-mirror.js';
import { createMirrorStore } from './mirror-table.js';

export type { DatabaseLookup, DatabaseValidation } from './database-lookup.js';
export type { DatabaseMirrors, MirrorState, MirrorTimes } from './database-mirror.js';

export interface DatabasesDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly times?: Partial<MirrorTimes>;
  /** Values in one call, at first. */
  readonly pageSize?: number;
}

export interface Databases {
  readonly databaseLookup: DatabaseLookup;
  /** Start and stop it with the process; wake it when a relay's settings have changed. */
  readonly mirrors: DatabaseMirrors;
}

export function createDatabases(deps: DatabasesDeps): Databases {
  const copies = createMirrorStore(deps.store);
  return {
    databaseLookup: createDatabaseLookup({ ...deps, copies }),
    mirrors: createDatabaseMirrors({ ...deps, copies }),
  };
}
