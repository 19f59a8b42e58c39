/** The relays feature: creating and changing relays. */

import type { Feature } from '../bolt/routing/feature.js';
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
import { relaySharedAgreed, relaySubmitted } from './form-submit.js';
import { relay } from './relay-command.js';
import { relayServiceOptions } from './service-options.js';
import { settings } from './settings/feature.js';
import { setup } from './setup/feature.js';

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
