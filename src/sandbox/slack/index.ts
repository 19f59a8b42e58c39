/** The public interface of the simulated Slack workspace. */
export type { Manifest } from './manifest.js';
export { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.js';
export { harbourHall, northDepot, type TeamSeed } from './world/seed.js';
