/** Until every feature takes both from the context. */
import type { ActionContext } from './context.js';
import type { Modal } from './modal.js';

export function modalOf({ inside, modal }: Pick<ActionContext, 'inside' | 'modal'>): Modal {
  return inside ?? modal;
}

export function withOrigin<C extends ActionContext>(context: C): C {
  return context;
}
