/** Which modal a click changes, and which channel that modal was opened from. */

import { originNotes } from '../ids.js';
import type { ActionContext } from './context.js';
import type { Modal } from './modal.js';

/** A click in a modal changes that modal; one in App Home or on a message opens one. */
export function windowOf({ inside, window }: Pick<ActionContext, 'inside' | 'window'>): Modal {
  return inside && inside.view.type === 'modal' ? inside : window;
}

/** Passes the channel on from modal to modal. */
export function withOrigin(context: ActionContext): ActionContext {
  const { inside, asker } = context;
  if (asker.channelId !== undefined || inside?.view.type !== 'modal') {
    return context;
  }
  const { channel } = originNotes.read(inside.view.private_metadata);
  return channel === undefined ? context : { ...context, asker: { ...asker, channelId: channel } };
}
