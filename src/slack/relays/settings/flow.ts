/**
 * The modal stack of a relay's settings: the relay at the bottom, forms on top. A saved form closes or says that it was
 * saved, and the modals below show the change.
 */

import type { ViewOutput } from '@slack/bolt';
import type { z } from 'zod';
import type { ModalView } from '../../block-kit/elements.js';
import type { ActionContext, BaseContext } from '../../bolt/routing/context.js';
import { type ActionSpec, opens } from '../../bolt/routing/listeners.js';
import { refreshBelow } from '../../bolt/routing/modal-below.js';
import { relayModal } from '../load-views.js';
import { relayButton } from '../relay-view.js';

/** The spec of a button in the relay's modal that opens a modal on top. */
export function pushedModal(
  title: string,
  make: (context: ActionContext, relay: string) => Promise<ModalView>,
): ActionSpec<typeof relayButton, undefined> {
  return {
    role: 'manager',
    data: relayButton,
    push: true,
    ...opens(title, (context: ActionContext<z.output<typeof relayButton>>) => make(context, context.data.relay)),
  };
}

/** Rerenders the relay's modal at the bottom of the stack, unless `view` is that modal. */
export async function refreshRelay(
  context: Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference'>,
  view: ViewOutput,
  relay: string,
): Promise<void> {
  const { root_view_id: id } = view;
  await refreshBelow(context, id === view.id ? null : id, () => relayModal(context, relay));
}

export const saved = 'Saved. It applies from the next scan.';
