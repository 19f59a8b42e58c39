/** Which parts of an account are mirrored, by the workspace's settings. */
import type { WorkspaceSettings } from '../workspaces/types.js';

/** How far back scans are kept, unless an admin chose. */
export const defaultScanDays = 90;
export const mostScanDays = 3_650;

/** `scanDays` 0: scans are not mirrored. `without`: ids of databases that are not mirrored for lookups. */
export function mirrorSettings({ mirror }: Pick<WorkspaceSettings, 'mirror'>) {
  return { scanDays: mirror?.scanDays ?? defaultScanDays, without: mirror?.without ?? [] };
}
