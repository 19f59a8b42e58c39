/** The relays feature: creating and changing relays. */

import { actionIds, callbackIds } from '../bolt/ids.js';
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
    [actionIds.relayList]: relayList,
    [actionIds.relayBefore]: relayPage,
    [actionIds.relayAfter]: relayPage,
    [actionIds.relayManage]: relayManage,
    [actionIds.relayNew]: relayNew,
    [actionIds.relayChange]: relayChange,
    [actionIds.relayPause]: relayPause,
    [actionIds.relayResume]: relayResume,
    [actionIds.relayReplay]: relayReplay,
    [actionIds.relayRotate]: relayRotate,
    [actionIds.relayService]: relayFormRedraw,
    [actionIds.relayChannel]: relayFormRedraw,
    [actionIds.relayNotable]: relayFormRedraw,
    [actionIds.relayEndSecret]: relayEndSecret,
    [actionIds.relayRemove]: relayRemove,
  },
  views: {
    ...settings.views,
    ...setup.views,
    [callbackIds.relayForm]: relaySubmitted,
    [callbackIds.relayShared]: relaySharedAgreed,
  },
  options: {
    ...settings.options,
    ...setup.options,
    [actionIds.relayService]: relayServiceOptions,
  },
};
