/**
 * Owns the list of what happens on a click or a choice: one line each.
 */
import { actionIds } from '../../ids.js';
import type { Registry } from '../../registry.js';
import { lookupPage, lookupScans } from './lookup-scans.js';
import { lookupShare } from './lookup-share.js';

export function registerActions(registry: Registry): void {
  registry.action(actionIds.lookupShare, lookupShare);
  registry.action(actionIds.lookupScans, lookupScans);
  registry.action(actionIds.lookupNewer, lookupPage);
  registry.action(actionIds.lookupOlder, lookupPage);
}
