/** Which modal a click changes, and which channel that modal was opened from. */

import { originMetadata } from '../ids.js';
import type { ActionContext } from './context.js';
import type { Modal } from './modal.js';

/** A click in a modal changes that modal; one in App Home or on a message opens one. */
export function modalOf({ inside, modal }: Pick<ActionContext, 'inside' | 'modal'>): Modal {
  return inside && inside.view.type === 'modal' ? inside : modal;
}

/** Passes the channel on from modal to modal. */
export function withOrigin(context: ActionContext): ActionContext {
  const { inside, actor } = context;
  if (actor.channelId !== undefined || inside?.view.type !== 'modal') {
    return context;
  }
  const { channel } = originMetadata.read(inside.view.private_metadata);
  return channel === undefined ? context : { ...context, actor: { ...actor, channelId: channel } };
}
