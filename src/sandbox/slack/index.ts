/** The public interface of the simulated Slack workspace. */

export { withSlackbot } from './manifest.js';
export { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.js';
export { harbourHall, northDepot } from './world/seed.js';
