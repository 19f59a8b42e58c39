/** The public interface of the simulated Slack workspace. */
export { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.js';
export { harbourHall, northDepot } from './world/seed.js';
