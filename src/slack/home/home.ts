/**
 * App Home's publishing: at once from what is known here, again once the account has answered.
 * Buttons need the permission to change settings; a person Slack cannot identify sees nothing of the workspace.
 */

import { z } from 'zod';
import { SlackError } from '../bolt/errors.js';
import { ownerOf } from '../bolt/people/workspace.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { event } from '../bolt/routing/listeners.js';
import { type ConnectionStatus, liveStatus, localStatus } from '../connection/status.js';
import { type HomeRole, homeView, unknownHomeView } from './home-view.js';

type HomeContext = Pick<BaseContext, 'deps' | 'actor' | 'client'>;

/** Publishes a second time only if the view differs. */
export async function drawHome({ deps, actor, client }: HomeContext): Promise<void> {
  const [facts, role] = await Promise.all([localStatus(deps, actor.owner), roleOf({ deps, actor, client })]);
  if (role === 'unknown') {
    await client.views.publish({ user_id: actor.userId, view: unknownHomeView() });
    return;
  }
  const first = await publish({ deps, actor, client }, facts, role);
  if (!facts.connection || role === 'outside') {
    return;
  }
  const live = await liveStatus(deps, actor.owner, { counters: false });
  const second = homeView(live, role);
  if (JSON.stringify(second) !== JSON.stringify(first)) {
    await client.views.publish({ user_id: actor.userId, view: second });
  }
}

/** After a change. Nobody waits for it; after a failure App Home is merely out of date. */
export async function refreshHome(context: HomeContext & Pick<BaseContext, 'reference'>): Promise<void> {
  try {
    await drawHome(context);
  } catch (error) {
    context.deps.log.info({ err: error, reference: context.reference }, 'App Home could not be refreshed');
  }
}

async function publish({ actor, client }: HomeContext, facts: ConnectionStatus, role: HomeRole) {
  const view = homeView(facts, role);
  await client.views.publish({ user_id: actor.userId, view });
  return view;
}

async function roleOf({ deps, actor, client }: HomeContext): Promise<HomeRole | 'unknown'> {
  try {
    return await deps.permissions.highestRole(client, actor);
  } catch (error) {
    if (error instanceof SlackError && error.code === 'slack.not_allowed' && error.why !== 'unknown') {
      return 'outside';
    }
    // The person may be a guest, and App Home stays as published.
    return 'unknown';
  }
}

const opened = z.object({ user: z.string(), tab: z.string() });

export const homeOpened = event('app_home_opened', async ({ deps, client, ...context }) => {
  const { user, tab } = opened.parse(context.event);
  if (tab === 'home') {
    await drawHome({ deps, client, actor: { owner: ownerOf(context), userId: user } });
  }
});
