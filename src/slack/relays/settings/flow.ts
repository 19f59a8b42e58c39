/**
 * The modal stack of a relay's settings: the relay at the bottom, forms on top. A saved form closes, and the modal
 * below shows the change.
 */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { type ModalView, message } from '../../block-kit/elements.js';
import { escaped, richText, textElement } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import type { ActionContext, BaseContext, Handler, ViewContext } from '../../bolt/routing/context.js';
import { type Modal, openedModal } from '../../bolt/routing/modal.js';
import { withOrigin } from '../../bolt/routing/origin.js';
import { relayModal } from '../load-views.js';
import { relayButtonMetadata } from '../metadata.js';
import { notSaved, SettingsRejectedError } from './edit-conflict.js';
import type { SettingsVersion } from './etag.js';
import { settingActions } from './ids.js';
import { type Change, changeSettings } from './save.js';

export function buttonValue({ action }: Pick<ActionContext, 'action'>): string | undefined {
  return 'value' in action && typeof action.value === 'string' ? action.value : undefined;
}

/** The value chosen in a menu or select. */
export function chosenValue({ action }: Pick<ActionContext, 'action'>): string {
  const chosen = 'selected_option' in action ? action.selected_option : undefined;
  const parsed = z.object({ value: z.string() }).safeParse(chosen);
  return parsed.success ? parsed.data.value : '';
}

/** The modal of the click. @throws SlackError `slack.state` */
export function clickedModal({
  inside,
  action,
}: Pick<ActionContext, 'inside' | 'action'>): Modal & { readonly view: ViewOutput } {
  if (!inside) {
    throw new SlackError('slack.state', `click outside a modal: ${action.action_id}`);
  }
  return inside;
}

/** Opens a modal on top of the relay's. */
export function pushing(
  title: string,
  make: (context: ActionContext, relay: string) => Promise<ModalView>,
): Handler<ActionContext> {
  return {
    role: 'manager',
    modalTitle: title,
    push: true,
    run: async (clicked) => {
      const context = withOrigin(clicked);
      const { relay } = relayButtonMetadata.read(buttonValue(context));
      await context.modal.fill(title, () => make(context, relay));
    },
  };
}

/** Rerenders the form that was clicked in. */
export function rerendering(
  make: (context: ActionContext, view: ViewOutput) => Promise<ModalView>,
): Handler<ActionContext> {
  return {
    role: 'manager',
    run: async (clicked) => {
      const context = withOrigin(clicked);
      const { view } = clickedModal(context);
      await context.deps.rerenders.draw(context.client, view, () => make(context, view));
    },
  };
}

/** Shows the outcome in the modal below the submitted one, or as a message if that cannot be seen. */
export async function showBelow(context: ViewContext, make: () => Promise<ModalView>, notice: string): Promise<void> {
  const { previous_view_id: id } = context.view;
  if (!id || !(await openedModal(context, id).showOutcome(await make()))) {
    const line = `${context.view.title.text}: ${notice}`;
    await context.postPrivately(message(escaped(line), [richText([textElement(line)])]));
  }
}

/**
 * Rerenders the modal below. If that fails, nothing is sent: a person who looks at something above it has closed nothing.
 */
export async function refreshBelow(
  { deps, client, reference }: Pick<BaseContext, 'deps' | 'client' | 'reference'>,
  id: string | null,
  make: () => Promise<ModalView>,
): Promise<void> {
  if (!id) {
    return;
  }
  try {
    await openedModal({ client, deps }, id).show(await make());
  } catch (error) {
    deps.log.info({ err: error, reference }, 'the modal below could not be rerendered');
  }
}

/** Rerenders the relay's modal at the bottom. */
export async function refreshRelay(
  context: Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference'>,
  view: ViewOutput,
  relay: string,
): Promise<void> {
  const { root_view_id: id } = view;
  await refreshBelow(context, id === view.id ? null : id, () => relayModal(context, relay));
}

/**
 * Saves a change after its form was acknowledged by closing, and shows the result, or the rejection, in the relay's
 * modal.
 */
export async function saveAndShow(
  context: ViewContext,
  relay: string,
  what: string,
  change: Change,
  seen: SettingsVersion,
): Promise<void> {
  try {
    await changeSettings(context, relay, what, change, seen);
  } catch (error) {
    if (!(error instanceof SettingsRejectedError)) {
      throw error;
    }
    const problem = notSaved(error);
    return showBelow(context, () => relayModal(context, relay, { problem }), problem);
  }
  await showBelow(context, () => relayModal(context, relay, { done: saved }), saved);
}

/** For a form submitted before its dependent fields were shown. */
export const missingFields = 'Not saved yet. Fill in the fields that your choice added, then save again.';

export const saved = 'Saved. It applies from the next scan.';

/** Whether the click expands the form; otherwise it only rerenders it. */
export function expands({ action }: Pick<ActionContext, 'action'>): boolean {
  return action.action_id === settingActions.more;
}
