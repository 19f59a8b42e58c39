/** The relays feature: its listeners, and the services that they share. */
import { ownerNames } from '../../codereadr/names.js';
import { createPageAccess } from '../../pages/index.js';
import { createDatabaseLookup, createRelayStatus, createSendTestScan } from '../../relay/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import type { Feature } from '../bolt/routing/feature.js';
import { createRerenders } from '../forms/rerender.js';
import { relayActions } from './actions.js';
import { relayFormListeners } from './form/window.js';
import { createLastRecordedScans } from './preview.js';
import { relay } from './relay-command.js';
import { settings } from './settings/feature.js';
import { setup } from './setup/feature.js';
import { createSetUps } from './setup/record-store.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps extends ReturnType<typeof createRelayServices> {}
}

export function createRelayServices(
  deps: Pick<
    SlackDeps,
    'config' | 'store' | 'clock' | 'random' | 'log' | 'metrics' | 'accounts' | 'mirror' | 'deviceClocks'
  >,
) {
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
  listeners: [...settings.listeners, ...setup.listeners, ...relayActions, ...relayFormListeners],
};
