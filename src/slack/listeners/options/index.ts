/**
 * Owns the list of what pickers offer while somebody types: one line each.
 */
import { actionIds } from '../../ids.js';
import type { Registry } from '../../registry.js';
import { databaseOptions } from './databases.js';
import { relayServiceOptions } from './relay-services.js';
import { userGroupOptions } from './user-groups.js';

export function registerOptions(registry: Registry): void {
  registry.options(actionIds.databaseAdd, databaseOptions);
  registry.options(actionIds.accessGroups, userGroupOptions);
  registry.options(actionIds.relayService, relayServiceOptions);
}
