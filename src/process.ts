/** The dependencies that parts of the process share. */
import type { Clock, Random } from './clock.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

export interface ProcessDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The id of this process, unique among all processes that ever run on this store. */
  readonly instanceId: string;
}
