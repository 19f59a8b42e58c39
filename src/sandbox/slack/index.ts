/**
 * The simulated Slack workspace's face.
 */
export type { Manifest } from './manifest.js';
export { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.js';
export { harbourHall, northDepot, type TeamSeed } from './world/seed.js';
