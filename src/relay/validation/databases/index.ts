/** Public interface of database validation: the mirrors, and live look-ups for what they do not have. */

import type { Clock } from '../../../clock.js';
import type { Accounts } from '../../../codereadr/types.js';
import type { Log } from '../../../log.js';
import type { Metrics } from '../../../metrics.js';
import type { Store } from '../../../workspaces/types.js';
import { createKnowledge, type DatabaseLookup } from './database-lookup.js';
import { type CopyTimes, createCopies, type DatabaseMirrors } from './database-mirror.js';
import { createCopyStore } from './mirror-table.js';

export type { DatabaseJudging, DatabaseLookup, LookedUpValue } from './database-lookup.js';
export type { CopyTimes, DatabaseMirrors, MirrorState } from './database-mirror.js';

export interface DatabasesDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly times?: Partial<CopyTimes>;
  /** Values in one call, at first. */
  readonly pageSize?: number;
}

export interface Databases {
  readonly knowledge: DatabaseLookup;
  /** Start and stop it with the process; wake it when a relay's settings have changed. */
  readonly copies: DatabaseMirrors;
}

export function createDatabases(deps: DatabasesDeps): Databases {
  const copies = createCopyStore(deps.store);
  return { knowledge: createKnowledge({ ...deps, copies }), copies: createCopies({ ...deps, copies }) };
}
