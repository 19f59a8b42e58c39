/** The relays feature: its listeners, and the services that they share. */
import {
  createPageAccess,
  createRelayStatus,
  createTestScanner,
  type PageAccess,
  type RelayStatus,
  type TestScanner,
} from '../../relay/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import type { Feature } from '../bolt/routing/feature.js';
import { createRerenders, type Rerenders } from '../forms/rerender.js';
import {
  relayChange,
  relayEndSecret,
  relayFormRedraw,
  relayList,
  relayManage,
  relayNew,
  relayPage,
  relayPause,
  relayRemove,
  relayReplay,
  relayResume,
  relayRotate,
} from './actions.js';
import { relayServiceOptions, relaySharedAgreed, relaySubmitted } from './form/listeners.js';
import { createRecordedScans, type RecordedScans } from './form/preview.js';
import { relay } from './relay-command.js';
import { settings } from './settings/feature.js';
import { setup } from './setup/feature.js';
import { createSetUps, type SetUps } from './setup/record-store.js';

interface RelayServices {
  readonly relayStatus: RelayStatus;
  readonly devicePages: PageAccess;
  readonly testScanner: TestScanner;
  readonly serviceSetups: SetUps;
  readonly recordedScans: RecordedScans;
  readonly rerenders: Rerenders;
}

declare module '../bolt/routing/context.js' {
  interface ListenerDeps extends RelayServices {}
}

export function createRelayServices(
  deps: Pick<SlackDeps, 'config' | 'store' | 'clock' | 'random'> & Parameters<typeof createRelayStatus>[0],
): RelayServices {
  return {
    relayStatus: createRelayStatus(deps),
    devicePages: createPageAccess(deps),
    testScanner: createTestScanner({ ...deps, publicUrl: deps.config.PUBLIC_URL }),
    serviceSetups: createSetUps(deps),
    recordedScans: createRecordedScans(deps),
    rerenders: createRerenders(),
  };
}

export const relays: Feature = {
  commands: { '/scandesk': [relay] },
  actions: {
    ...settings.actions,
    ...setup.actions,
    'relay.list': relayList,
    'relay.before': relayPage,
    'relay.after': relayPage,
    'relay.manage': relayManage,
    'relay.new': relayNew,
    'relay.change': relayChange,
    'relay.pause': relayPause,
    'relay.resume': relayResume,
    'relay.replay': relayReplay,
    'relay.rotate': relayRotate,
    'relay.service': relayFormRedraw,
    'relay.channel': relayFormRedraw,
    'relay.notable': relayFormRedraw,
    'relay.end_secret': relayEndSecret,
    'relay.remove': relayRemove,
  },
  views: {
    ...settings.views,
    ...setup.views,
    'relay.form': relaySubmitted,
    'relay.shared': relaySharedAgreed,
  },
  options: {
    ...settings.options,
    ...setup.options,
    'relay.service': relayServiceOptions,
  },
};
