/** The event of a person opening App Home: publishes it. */
import { z } from 'zod';
import { ownerOf } from '../bolt/people/owner.js';
import type { EventContext } from '../bolt/routing/context.js';
import { drawHome } from './home.js';

const opened = z.object({ user: z.string(), tab: z.string() });

export async function homeOpened({ deps, client, ...context }: EventContext): Promise<void> {
  const { user, tab } = opened.parse(context.event);
  if (tab === 'home') {
    await drawHome({ deps, client, actor: { owner: ownerOf(context), userId: user } });
  }
}
