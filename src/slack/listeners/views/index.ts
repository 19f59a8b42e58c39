/**
 * Owns the list of what happens when a form is sent: one line each.
 */
import type { Registry } from '../../registry.js';

export function registerViews(_registry: Registry): void {}
