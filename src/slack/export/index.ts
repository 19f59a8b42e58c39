/** The export feature: scans that a search finds, a database's values, or what lists know, as a file. */
import type { Feature } from '../bolt/routing/feature.js';
import {
  exportCancelled,
  exportInside,
  exportOut,
  exportRollCall,
  exportScans,
  exportSubmitted,
  exportValues,
} from './actions.js';

export const exporting: Feature = {
  listeners: [
    ...[exportScans, exportValues, exportInside, exportSubmitted],
    ...[exportRollCall, exportOut, exportCancelled],
  ],
};
