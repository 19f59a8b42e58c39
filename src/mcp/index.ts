/** The public interface of the MCP server: the route that Slackbot, as a client, calls. */
import { createScanSearch } from '../search/index.js';
import type { RequestHandler } from '../server.js';
import type { ListenerDeps } from '../slack/bolt/routing/context.js';
import { createWorkspaceLookups } from '../slack/lookup/workspace-lookups.js';
import { forAssistants } from './assistant-accounts.js';
import { createMcpRoute } from './handler.js';
import { createToolServers } from './server.js';

/** @param listenerDeps the dependencies of commands, from which tools answer too */
export function createMcp(listenerDeps: ListenerDeps): RequestHandler {
  const base = { ...listenerDeps, accounts: forAssistants(listenerDeps.accounts) };
  const deps = { ...base, lookups: createWorkspaceLookups(base), searchScans: createScanSearch(base) };
  const { clock, refusals, clients, config } = deps;
  return createMcpRoute({
    clock,
    refusals,
    clients,
    signingSecret: config.SLACK_SIGNING_SECRET,
    serverFor: createToolServers(deps),
  });
}
