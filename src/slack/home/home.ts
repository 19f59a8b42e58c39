/**
 * App Home's publishing: soon from the database, and again if the answers of the account and of Slack, or the day's
 * counts, change the view. A person Slack cannot identify sees nothing of the workspace.
 */
import { z } from 'zod';
import { SlackError } from '../bolt/errors.js';
import { ownerOf } from '../bolt/people/workspace.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { event } from '../bolt/routing/listeners.js';
import { homeView, outsideHomeView, unknownHomeView } from './home-view.js';
import { type HomeViewer, loadFacts, loadViewer } from './load-facts.js';
import { welcome } from './welcome.js';

type HomeContext = Pick<BaseContext, 'deps' | 'actor' | 'client'>;

export async function drawHome(context: HomeContext): Promise<void> {
  const { deps, actor, client } = context;
  const publish = (view: ReturnType<typeof homeView>) => client.views.publish({ user_id: actor.userId, view });
  const person = await findViewer(context);
  if (typeof person === 'string') {
    await publish(person === 'outside' ? outsideHomeView() : unknownHomeView());
    return;
  }
  const facts = await loadFacts(deps, client, actor, person);
  const first = homeView(facts.local);
  await publish(first);
  const second = homeView(await facts.live());
  if (JSON.stringify(second) !== JSON.stringify(first)) {
    await publish(second);
  }
}

/** Redraws App Home after a change. No request waits for this; after a failure App Home is merely out of date. */
export async function refreshHome(context: HomeContext & Pick<BaseContext, 'reference'>): Promise<void> {
  try {
    await drawHome(context);
  } catch (error) {
    context.deps.log.info({ err: error, reference: context.reference }, 'App Home could not be refreshed');
  }
}

/** The person who sees App Home. `outside`: guests and people of other organizations. */
async function findViewer({ deps, actor, client }: HomeContext): Promise<HomeViewer | 'outside' | 'unknown'> {
  try {
    return await loadViewer(deps, client, actor);
  } catch (error) {
    if (error instanceof SlackError && error.code === 'slack.not_allowed' && error.why !== 'unknown') {
      return 'outside';
    }
    // The person may be a guest, who must not see what was published before.
    return 'unknown';
  }
}

const openedEvent = z.object({ user: z.string(), tab: z.string(), channel: z.string().optional() });

export const homeOpened = event('app_home_opened', async ({ deps, client, ...context }) => {
  const { user, tab, channel } = openedEvent.parse(context.event);
  const opened = { deps, client, actor: { owner: ownerOf(context), userId: user } };
  if (tab === 'home') {
    await drawHome(opened);
  } else if (tab === 'messages' && channel !== undefined && typeof (await findViewer(opened)) !== 'string') {
    await welcome(opened, channel);
  }
});
