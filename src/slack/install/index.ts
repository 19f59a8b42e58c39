/** The install feature: the events by which a workspace removes the app. */
import type { Feature } from '../bolt/routing/feature.js';
import { appUninstalled, teamAccessRevoked, tokensRevoked } from './removed-event.js';

export const install: Feature = {
  listeners: [appUninstalled, tokensRevoked, teamAccessRevoked],
};
