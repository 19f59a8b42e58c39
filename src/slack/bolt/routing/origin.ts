/** Owns from where a click came: which window it changes, and which channel that window was opened from. */

import { originNotes } from '../ids.js';
import type { ActionContext } from './context.js';
import type { Modal } from './modal.js';

/** A click in a window changes that window; one in Home or on a message opens one. */
export function windowOf({ inside, window }: Pick<ActionContext, 'inside' | 'window'>): Modal {
  return inside && inside.view.type === 'modal' ? inside : window;
}

/** The channel the window was opened from, so that it goes on from step to step. */
export function withOrigin(context: ActionContext): ActionContext {
  const { inside, asker } = context;
  if (asker.channelId !== undefined || inside?.view.type !== 'modal') {
    return context;
  }
  const { channel } = originNotes.read(inside.view.private_metadata);
  return channel === undefined ? context : { ...context, asker: { ...asker, channelId: channel } };
}
