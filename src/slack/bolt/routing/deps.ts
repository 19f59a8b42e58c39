/**
 * Owns what a listener is handed. Listeners get everything from here and nothing from module state.
 */

import type { Clock, Random } from '../../../clock.js';
import type { Accounts } from '../../../codereadr/types.js';
import type { Config } from '../../../config.js';
import type { Log } from '../../../log.js';
import type { ReceivedScans } from '../../../lookup/index.js';
import type { Metrics } from '../../../metrics.js';
import type { Owner } from '../../../ownership.js';
import type { RefusalLog } from '../../../refusal-log.js';
import type { MirrorState } from '../../../relay/index.js';
import type { Relays } from '../../../relay/relays/types.js';
import type { Store } from '../../../workspaces/types.js';

export interface SlackDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly refusals: RefusalLog;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly relays: Relays;
  /** The scans that the relay took, which a lookup shows beside the account's. */
  readonly received?: ReceivedScans;
  /** The kept copies of databases that relays judge by. */
  readonly copies?: { states(owner: Owner): Promise<readonly MirrorState[]> };
}

/** Who asks, from where. `owner` is what every record is filed under. */
export interface Asker {
  readonly owner: Owner;
  readonly userId: string;
  readonly channelId?: string;
}
