/** The install feature: the events by which a workspace removes the app. */

import type { Feature } from '../bolt/routing/feature.js';
import { event } from '../bolt/routing/listeners.js';
import { appUninstalled, teamAccessRevoked, tokensRevoked } from './removed-event.js';

export const install: Feature = {
  listeners: [
    event('app_uninstalled', appUninstalled),
    event('tokens_revoked', tokensRevoked),
    event('team_access_revoked', teamAccessRevoked),
  ],
};
