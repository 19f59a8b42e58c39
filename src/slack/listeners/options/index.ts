/**
 * Owns the list of what pickers offer while somebody types: one line each.
 */
import type { Registry } from '../../registry.js';

export function registerOptions(_registry: Registry): void {}
