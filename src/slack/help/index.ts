/** The help feature: help by role, every command, and the answer to an unknown one. */
import type { Feature } from '../bolt/routing/feature.js';
import { allCommandsShown } from './help-command.js';

export const helpFeature: Feature = {
  listeners: [allCommandsShown],
};
