/** The export feature: scans that a search finds, or a database's values, as a CSV file. */
import type { Feature } from '../bolt/routing/feature.js';
import { exportCancelled, exportScans, exportSubmitted, exportValues } from './actions.js';

export const exporting: Feature = {
  listeners: [exportScans, exportValues, exportSubmitted, exportCancelled],
};
