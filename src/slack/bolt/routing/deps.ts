/** The dependencies that every listener has, and the person and channel of a request. */

import type { Accounts } from '../../../codereadr/types.js';
import type { Config } from '../../../config.js';
import type { Exports } from '../../../exports/index.js';
import type { PictureReader } from '../../../images/index.js';
import type { Mirror } from '../../../mirror/index.js';
import type { Owner } from '../../../ownership.js';
import type { Places } from '../../../places/index.js';
import type { Receipts } from '../../../posts/index.js';
import type { ProcessDeps } from '../../../process.js';
import type { RefusalLog } from '../../../refusal-log.js';
import type { Relays } from '../../../relay/relays/service.js';
import type { Reports } from '../../../reports/index.js';
import type { DeviceClocks } from '../../../scans/device-clocks.js';
import type { Scans } from '../../../scans/index.js';
import type { WorkflowTriggers } from '../../../workflows/index.js';
import type { Erasures } from '../../../workspaces/erasures.js';
import type { Store } from '../../../workspaces/types.js';

export interface SlackDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'log' | 'metrics'> {
  /** The clocks of devices, as far as this process knows them. */
  readonly deviceClocks?: Pick<DeviceClocks, 'wrong'>;
  readonly config: Config;
  readonly refusals: RefusalLog;
  readonly store: Store;
  readonly pictures: PictureReader;
  readonly accounts: Accounts;
  readonly relays: Relays;
  readonly erasures: Pick<Erasures, 'request' | 'find'>;
  readonly exports: Exports;
  readonly reports: Reports;
  readonly workflows: WorkflowTriggers;
  readonly receipts: Receipts;
  /** Called when a receipt proves a post delivered: the posts behind it may be sent. */
  onReceipt(): void;
  readonly scans: Scans;
  readonly places: Places;
  /** The copy of the account, from which lookups are answered. */
  readonly mirror?: Mirror;
}

/** The person and the channel of their request. Every record is stored under `owner`. */
export interface Actor {
  readonly owner: Owner;
  readonly userId: string;
  readonly channelId?: string;
}
