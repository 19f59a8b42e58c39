/**
 * Owns the list of the events Scandesk hears: one line each.
 */
import type { Registry } from '../bolt/routing/router.js';
import { homeOpened } from '../home/opened-event.js';
import { appUninstalled, teamAccessRevoked, tokensRevoked } from '../install/removed-event.js';

export function registerEvents(registry: Registry): void {
  registry.event('app_home_opened', homeOpened);
  registry.event('app_uninstalled', appUninstalled);
  registry.event('tokens_revoked', tokensRevoked);
  registry.event('team_access_revoked', teamAccessRevoked);
}
