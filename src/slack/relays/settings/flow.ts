/**
 * Owns how the windows of a relay's settings lie on each other: the relay at the bottom, a form on top of it. A form that was
 * kept closes, and what lies below it says so.
 */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { type ModalView, message } from '../../block-kit/elements.js';
import { escaped, richText, textElement } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import type { ActionContext, BaseContext, Handler, ViewContext } from '../../bolt/routing/context.js';
import { type Modal, windowOpened } from '../../bolt/routing/modal.js';
import { withOrigin } from '../../bolt/routing/origin.js';
import { relayOneWindow } from '../load-views.js';
import { relayButtonNotes } from '../metadata.js';
import { notSaved, SettingsRefused } from './edit-conflict.js';
import type { SettingsVersion } from './etag.js';
import { settingActions } from './ids.js';
import { type Change, changeSettings } from './save.js';

export function carried({ action }: Pick<ActionContext, 'action'>): string | undefined {
  return 'value' in action && typeof action.value === 'string' ? action.value : undefined;
}

/** What was chosen from a menu or a select. */
export function picked({ action }: Pick<ActionContext, 'action'>): string {
  const chosen = 'selected_option' in action ? action.selected_option : undefined;
  const parsed = z.object({ value: z.string() }).safeParse(chosen);
  return parsed.success ? parsed.data.value : '';
}

/** The window a click was made in. @throws SlackRoomError `slack.state` */
export function insideOf({ inside }: Pick<ActionContext, 'inside'>): Modal & { readonly view: ViewOutput } {
  if (!inside) {
    throw new SlackError('slack.state', 'a click on a form came from no window');
  }
  return inside;
}

/** A click in the relay's window opens another one on top of it. */
export function onTop(
  title: string,
  make: (context: ActionContext, relay: string) => Promise<ModalView>,
): Handler<ActionContext> {
  return {
    who: 'manager',
    opens: title,
    onTop: true,
    run: async (clicked) => {
      const context = withOrigin(clicked);
      const { relay } = relayButtonNotes.read(carried(context));
      await context.window.fill(title, () => make(context, relay));
    },
  };
}

/** A click in a form draws that form again. */
export function drawingAgain(
  make: (context: ActionContext, view: ViewOutput) => Promise<ModalView>,
): Handler<ActionContext> {
  return {
    who: 'manager',
    run: async (clicked) => {
      const context = withOrigin(clicked);
      const { view } = insideOf(context);
      await context.deps.relayRoom.redraws.draw(context.client, view, () => make(context, view));
    },
  };
}

/**
 * Tells how a change ended in the window under the one that was sent or clicked in, where that can still be seen; else in
 * words.
 */
export async function tellBelow(context: ViewContext, make: () => Promise<ModalView>, words: string): Promise<void> {
  const { previous_view_id: id } = context.view;
  if (!id || !(await windowOpened(context, id).showOutcome(await make()))) {
    const line = `${context.view.title.text}: ${words}`;
    await context.tell(message(escaped(line), [richText([textElement(line)])]));
  }
}

/** A window below says how things stand now. Whoever looks at something above it has closed nothing: what cannot be drawn there is not told. */
export async function refreshBelow(
  { deps, client, reference }: Pick<BaseContext, 'deps' | 'client' | 'reference'>,
  id: string | null,
  make: () => Promise<ModalView>,
): Promise<void> {
  if (!id) {
    return;
  }
  try {
    await windowOpened({ client, deps }, id).show(await make());
  } catch (error) {
    deps.log.info({ err: error, reference }, 'the window below could not be drawn again');
  }
}

/** The relay's own window at the bottom says how it stands now. */
export async function refreshRelay(
  context: Pick<BaseContext, 'deps' | 'asker' | 'client' | 'reference'>,
  view: ViewOutput,
  relay: string,
): Promise<void> {
  const { root_view_id: id } = view;
  await refreshBelow(context, id === view.id ? null : id, () => relayOneWindow(context, relay));
}

/**
 * Keeps a change of settings once its form was acknowledged with closing, and tells so in the relay's window below. What the
 * settings as a whole refuse is told there as well.
 */
export async function keepAndTell(
  context: ViewContext,
  relay: string,
  what: string,
  change: Change,
  seen: SettingsVersion,
): Promise<void> {
  try {
    await changeSettings(context, relay, what, change, seen);
  } catch (error) {
    if (!(error instanceof SettingsRefused)) {
      throw error;
    }
    const trouble = notSaved(error);
    return tellBelow(context, () => relayOneWindow(context, relay, { trouble }), trouble);
  }
  await tellBelow(context, () => relayOneWindow(context, relay, { done: saved }), saved);
}

/** On a form that was sent before all of it was there. */
export const fillInToo = 'Not saved yet: fill in what came with your choice, then save again.';

/** Of a change of a relay's settings. */
export const saved = 'Saved. It counts from the next scan on.';

/** Which button it was that asked for a form to be drawn again. */
export function unfolds({ action }: Pick<ActionContext, 'action'>): boolean {
  return action.action_id === settingActions.more;
}
