/** The relays feature: its listeners, and the services that they share. */
import { ownerNames } from '../../codereadr/names.js';
import { createPageAccess, type PageAccess } from '../../pages/index.js';
import {
  createDatabaseLookup,
  createRelayStatus,
  createSendTestScan,
  type RelayStatus,
  type SendTestScan,
} from '../../relay/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import type { Feature } from '../bolt/routing/feature.js';
import { createRerenders, type Rerenders } from '../forms/rerender.js';
import { relayActions } from './actions.js';
import { relayServiceOptions, relaySharedAgreed, relaySubmitted } from './form/listeners.js';
import { createLastRecordedScans, type LastRecordedScans } from './form/preview.js';
import { relay } from './relay-command.js';
import { settings } from './settings/feature.js';
import { setup } from './setup/feature.js';
import { createSetUps, type SetUps } from './setup/record-store.js';

interface RelayServices {
  readonly relayStatus: RelayStatus;
  readonly devicePages: PageAccess;
  readonly sendTestScan: SendTestScan;
  readonly serviceSetups: SetUps;
  readonly lastRecordedScans: LastRecordedScans;
  readonly rerenders: Rerenders;
}

declare module '../bolt/routing/context.js' {
  interface ListenerDeps extends RelayServices {}
}

export function createRelayServices(
  deps: Pick<SlackDeps, 'config' | 'store' | 'clock' | 'random' | 'log' | 'metrics' | 'accounts' | 'mirror'>,
): RelayServices {
  const { mirror } = deps;
  return {
    relayStatus: createRelayStatus({
      ...deps,
      namesOf: (owner) => ownerNames(deps, owner, (names) => names.findNames(['services', 'users', 'devices'])),
      databaseLookup: mirror && createDatabaseLookup({ ...deps, mirror }),
      lateHours: deps.config.LATE_HOURS,
    }),
    devicePages: createPageAccess(deps),
    sendTestScan: createSendTestScan({ ...deps, publicUrl: deps.config.PUBLIC_URL }),
    serviceSetups: createSetUps(deps),
    lastRecordedScans: createLastRecordedScans(deps),
    rerenders: createRerenders(),
  };
}

export const relays: Feature = {
  commands: { '/scandesk': [relay] },
  listeners: [
    ...settings.listeners,
    ...setup.listeners,
    ...relayActions,
    relaySubmitted,
    relaySharedAgreed,
    relayServiceOptions,
  ],
};
