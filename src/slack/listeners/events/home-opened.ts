/**
 * Owns what happens when somebody opens App Home.
 */
import { z } from 'zod';
import type { EventContext } from '../../context.js';
import { drawHome } from '../../home.js';
import { ownerOf } from '../../owner.js';

const opened = z.object({ user: z.string(), tab: z.string() });

export async function homeOpened({ deps, client, ...context }: EventContext): Promise<void> {
  const { user, tab } = opened.parse(context.event);
  if (tab === 'home') {
    await drawHome({ deps, client, asker: { owner: ownerOf(context), userId: user } });
  }
}
