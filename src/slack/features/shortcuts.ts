/**
 * Owns the list of the shortcuts: one line each.
 */
import type { Registry } from '../bolt/routing/router.js';

export function registerShortcuts(_registry: Registry): void {}
