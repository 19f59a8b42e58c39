/** Workflows of Workflow Builder that Scandesk starts, each by its webhook trigger. */
export type { TriggerVariables } from './start-workflow.js';
export { isTrigger } from './trigger-url.js';
export { createWorkflowTriggers, sealedTriggers, type WorkflowTriggers } from './triggers.js';
export { createTriggerPurge } from './unused-triggers.js';
