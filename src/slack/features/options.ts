/**
 * Owns the list of what pickers offer while somebody types: one line each.
 */
import { actionIds } from '../bolt/ids.js';
import type { Registry } from '../bolt/routing/router.js';
import { userGroupOptions } from '../connection/access/user-groups-options.js';
import { databaseOptions } from '../connection/databases/databases-options.js';
import { relayServiceOptions } from '../relays/service-options.js';

export function registerOptions(registry: Registry): void {
  registry.options(actionIds.databaseAdd, databaseOptions);
  registry.options(actionIds.accessGroups, userGroupOptions);
  registry.options(actionIds.relayService, relayServiceOptions);
}
