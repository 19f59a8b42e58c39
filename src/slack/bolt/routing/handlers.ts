/** What happens around a listener, by kind of request: acknowledgement, context, permission, and the error's answer. */
import type {
  AllMiddlewareArgs,
  BlockAction,
  BlockElementAction,
  Context,
  GlobalShortcut,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewOutput,
  ViewSubmitAction,
} from '@slack/bolt';
import { cut, plain } from '../../block-kit/elements.js';
import { decode } from '../../block-kit/text.js';
import { unavailable } from '../../block-kit/view-state.js';
import { isExpected } from '../errors.js';
import { originMetadata } from '../ids.js';
import { authorize } from '../people/permissions.js';
import { ownerOf } from '../people/workspace.js';
import {
  answerError,
  type ErrorReporter,
  outcomeOf,
  type RequestOutcome,
  reportUnseenChanges,
} from '../problem/answer-error.js';
import { loadingView } from '../problem/loading.js';
import { problemOf, problemView } from '../problem/problem.js';
import { createChanges, tracking } from './changes.js';
import type {
  ActionContext,
  BaseContext,
  CommandContext,
  Handler,
  ListenerDeps,
  OptionsHandler,
  ShortcutContext,
  ViewContext,
  ViewHandler,
} from './context.js';
import type { Actor } from './deps.js';
import { errorsSomewhere, fieldErrors } from './field-errors.js';
import { type Modal, modalToOpen, openedModal } from './modal.js';
import { postPrivatelyThrough, privatelyElse, respondThrough } from './respond.js';
import { startSlowNotice } from './slow-notice.js';

/** The permission depends on the subcommand, so a command's context comes without the person. */
export type Unchecked<C extends BaseContext> = Omit<C, 'person'>;

type Basics = Pick<AllMiddlewareArgs, 'context' | 'client'>;
export type CommandArgs = Basics & Pick<SlackCommandMiddlewareArgs, 'ack' | 'command'>;
export type ActionArgs = Basics & SlackActionMiddlewareArgs<BlockAction>;
export type ViewArgs = Basics & SlackViewMiddlewareArgs<ViewSubmitAction>;
export type ShortcutArgs = Basics & SlackShortcutMiddlewareArgs;
export type OptionsArgs = Basics & SlackOptionsMiddlewareArgs<'block_suggestion'>;

function actorOf(context: Context, userId: string, channelId?: string): Actor {
  return { owner: ownerOf(context), userId, ...(channelId ? { channelId } : {}) };
}

export async function onCommand(
  { ack, command, context, client }: CommandArgs,
  deps: ListenerDeps,
  reporter: ErrorReporter,
  run: (context: Unchecked<CommandContext>) => Promise<void>,
): Promise<RequestOutcome> {
  await ack();
  const reference = reporter.newReference();
  const changes = createChanges();
  const modal = modalToOpen({ client, deps, changes }, command.trigger_id);
  const answer = startSlowNotice(deps, {
    respond: respondThrough(command.response_url),
    seen: () => modal.opened,
    reference,
  });
  const actor = actorOf(context, command.user_id, command.channel_id);
  const postPrivately = tracking(changes, postPrivatelyThrough(client, actor, answer.respond));
  const commandContext: Unchecked<CommandContext> = {
    deps,
    actor,
    client,
    reference,
    topic: {},
    changes,
    postPrivately,
    command: command.command,
    text: decode(command.text ?? ''),
    channelId: command.channel_id,
    triggerId: command.trigger_id,
    respond: tracking(changes, privatelyElse(answer.respond, postPrivately)),
    modal,
    slowNotice: answer.slowNotice,
  };
  try {
    await run(commandContext);
    await reportUnseenChanges(commandContext);
    return 'ok';
  } catch (error) {
    const modals = modal.opened ? [modal] : [];
    return await answerError(error, command.command, { ...commandContext, modals }, reporter);
  } finally {
    await answer.stop();
  }
}

export async function onAction(
  { ack, action, body, context, client }: ActionArgs,
  deps: ListenerDeps,
  reporter: ErrorReporter,
  handler: Handler<ActionContext>,
): Promise<RequestOutcome> {
  await ack();
  const actor = actorOf(context, body.user.id, body.channel?.id);
  const reference = reporter.newReference();
  const changes = createChanges();
  const host = { client, deps, changes };
  const modal = modalToOpen(host, body.trigger_id, body.view?.type === 'modal');
  // A click in a modal shows its progress there; one on a message gets the slow notice through its response_url.
  const answer = body.response_url
    ? startSlowNotice(deps, { respond: respondThrough(body.response_url), seen: () => modal.opened, reference })
    : undefined;
  const inside = body.view ? Object.assign(openedModal(host, body.view.id), { view: body.view }) : undefined;
  const base = {
    deps,
    actor,
    client,
    reference,
    topic: {},
    changes,
    postPrivately: tracking(changes, postPrivatelyThrough(client, actor, answer?.respond)),
    action: action as BlockElementAction,
    body,
    triggerId: body.trigger_id,
    modal,
    ...(answer ? { respond: tracking(changes, answer.respond) } : {}),
    ...(inside ? { inside } : {}),
  };
  try {
    const replacesContent = inside?.view.type === 'modal' && !handler.push;
    const modalTitle = replacesContent ? undefined : titleOf(handler, base);
    const person = await authorize(base, { role: handler.role, modalTitle });
    await handler.run({ ...base, person });
    await reportUnseenChanges(base);
    return 'ok';
  } catch (error) {
    const modals = modalsOfClick(base.modal, inside);
    return await answerError(error, action.action_id, { ...base, modals }, reporter);
  } finally {
    await answer?.stop();
  }
}

/** The title of the modal that a handler opens. */
function titleOf<C extends BaseContext>({ modalTitle }: Handler<C>, context: Omit<C, 'person'>): string | undefined {
  return typeof modalTitle === 'function' ? modalTitle(context) : modalTitle;
}

/** A modal whose content has changed shows the error itself; otherwise a new one does, and the form below stays. */
function modalsOfClick(modal: Modal, inside: (Modal & { readonly view: ViewOutput }) | undefined): Modal[] {
  if (!inside) {
    return modal.opened ? [modal] : [];
  }
  return inside.changed && !modal.opened ? [inside] : [modal];
}

export async function onView<Input>(
  { ack, body, view, context, client }: ViewArgs,
  deps: ListenerDeps,
  reporter: ErrorReporter,
  handler: ViewHandler<Input>,
): Promise<RequestOutcome> {
  const reference = reporter.newReference();
  let actor: Actor;
  let work: (context: ViewContext) => Promise<void>;
  try {
    actor = actorOf(context, body.user.id, originOf(view.private_metadata));
    const read = handler.fields({ deps, actor, view });
    if ('errors' in read) {
      const { redraw: redrawn } = handler;
      const errors = fieldErrors(view, read.errors);
      if (errors || !redrawn) {
        await ack({ response_action: 'errors', errors: errors ?? errorsSomewhere(view, read.errors) });
        return 'ok';
      }
      await ack({ response_action: 'update', view: loadingView(view.title.text) });
      work = async (form) => {
        await form.modal.show(await redrawn(form));
      };
    } else {
      work = (form) => handler.run(form, read.input);
      if ('show' in read) {
        await ack({ response_action: 'update', view: read.show });
      } else if (read.close === 'all') {
        await ack({ response_action: 'clear' });
      } else {
        await ack();
      }
    }
  } catch (error) {
    reporter.record(error, reference, view.callback_id);
    await ack({ response_action: 'update', view: problemView(error, reference) });
    return 'failed';
  }
  const changes = createChanges();
  const modal = openedModal({ client, deps, changes }, view.id, deps.clock.now());
  const postPrivately = tracking(changes, postPrivatelyThrough(client, actor));
  const base = { deps, actor, client, reference, topic: {}, changes, postPrivately, view, modal };
  try {
    const person = await deps.permissions.require(client, actor, handler.role);
    await work({ ...base, person });
    await reportUnseenChanges(base);
    return 'ok';
  } catch (error) {
    return await answerError(error, view.callback_id, { ...base, modals: [modal] }, reporter);
  }
}

/** The channel the modal was opened from, where its metadata says. */
function originOf(privateMetadata: string): string | undefined {
  try {
    return originMetadata.read(privateMetadata).channel;
  } catch {
    return undefined;
  }
}

export async function onShortcut(
  { ack, shortcut, context, client }: ShortcutArgs,
  deps: ListenerDeps,
  reporter: ErrorReporter,
  handler: Handler<ShortcutContext>,
): Promise<RequestOutcome> {
  await ack();
  const onMessage = shortcut.type === 'message_action' ? shortcut : undefined;
  const actor = actorOf(context, shortcut.user.id, onMessage?.channel.id);
  const changes = createChanges();
  const respond = onMessage?.response_url ? respondThrough(onMessage.response_url) : undefined;
  const base = {
    deps,
    actor,
    client,
    reference: reporter.newReference(),
    topic: {},
    changes,
    postPrivately: tracking(changes, postPrivatelyThrough(client, actor, respond)),
    callbackId: shortcut.callback_id,
    triggerId: shortcut.trigger_id,
    modal: modalToOpen({ client, deps, changes }, shortcut.trigger_id),
    ...(respond ? { respond: tracking(changes, respond) } : {}),
    ...(onMessage ? { message: onMessage.message } : {}),
  };
  try {
    const person = await authorize(base, { role: handler.role, modalTitle: titleOf(handler, base) });
    await handler.run({ ...base, person });
    await reportUnseenChanges(base);
    return 'ok';
  } catch (error) {
    const modals = base.modal.opened ? [base.modal] : [];
    return await answerError(error, shortcut.callback_id, { ...base, modals }, reporter);
  }
}

export async function onOptions(
  { ack, body, payload, context, client }: OptionsArgs,
  deps: ListenerDeps,
  reporter: ErrorReporter,
  handler: OptionsHandler,
): Promise<RequestOutcome> {
  const reference = reporter.newReference();
  try {
    const actor = actorOf(context, body.user.id, body.channel?.id);
    const person = await deps.permissions.require(client, actor, handler.role);
    const options = await handler.offer({ deps, actor, person, client, reference, typed: payload.value ?? '', body });
    await ack({ options: options.slice(0, 100) });
    return 'ok';
  } catch (error) {
    reporter.record(error, reference, payload.action_id);
    await ack({
      options: [
        {
          text: plain(cut(unavailableLabel(error, reference), 75)),
          value: unavailable,
        },
      ],
    });
    return outcomeOf(error);
  }
}

function unavailableLabel(error: unknown, reference: string): string {
  return isExpected(error) ? problemOf(error).what : `Not available right now (reference ${reference})`;
}

export type { GlobalShortcut, MessageShortcut, ShortcutContext, ViewContext };
