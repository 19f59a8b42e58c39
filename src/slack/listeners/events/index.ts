/**
 * Owns the list of the events Scandesk hears: one line each.
 */
import type { Registry } from '../../registry.js';

export function registerEvents(_registry: Registry): void {}
