/** The export feature: scans that a search finds, a database's values, or a list's figures, as a CSV file. */
import type { Feature } from '../bolt/routing/feature.js';
import { exportCancelled, exportInside, exportScans, exportSubmitted, exportValues } from './actions.js';

export const exporting: Feature = {
  listeners: [exportScans, exportValues, exportInside, exportSubmitted, exportCancelled],
};
