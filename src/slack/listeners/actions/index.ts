/**
 * Owns the list of what happens on a click or a choice: one line each.
 */
import type { Registry } from '../../registry.js';

export function registerActions(_registry: Registry): void {}
