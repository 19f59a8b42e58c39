/** The steps around the listener of a click, a form, a picker or an event: acknowledgement, context, permission. */
import type {
  BlockAction,
  SlackActionMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewOutput,
  ViewSubmitAction,
} from '@slack/bolt';
import { z } from 'zod';
import { cut, plain, unavailable } from '../../block-kit/elements.js';
import { isExpected, SlackError } from '../errors.js';
import { decode, originOf } from '../metadata.js';
import { authorize } from '../people/permissions.js';
import { outcomeOf, type RequestOutcome } from '../problem/answer-error.js';
import { loadingView } from '../problem/loading.js';
import { problemOf, problemView } from '../problem/problem.js';
import { scopesMissedBy } from '../scopes.js';
import type { Action, ViewContext } from './context.js';
import type { Actor } from './deps.js';
import { errorsUnderInputs, fieldErrors } from './field-errors.js';
import type { ActionSpec, ClickContext, DataSchema, ListenerOf, ModalSpec, OptionsSpec } from './listeners.js';
import { type ModalHost, modalToOpen, openedModal } from './modal.js';
import { actorOf, answerErrors, type BoltArgs, type Host, requestFrom } from './request.js';
import { trackAnswers } from './respond.js';

export type ActionArgs = BoltArgs & Pick<SlackActionMiddlewareArgs<BlockAction>, 'ack' | 'action' | 'body'>;
export type ViewArgs = BoltArgs & Pick<SlackViewMiddlewareArgs<ViewSubmitAction>, 'ack' | 'body' | 'view'>;
export type OptionsArgs = BoltArgs & Pick<SlackOptionsMiddlewareArgs<'block_suggestion'>, 'ack' | 'body' | 'payload'>;
export type EventArgs = BoltArgs & { readonly event: unknown; readonly body: unknown };

export async function onAction(
  { ack, action, body, context, client }: ActionArgs,
  host: Host,
  spec: ActionSpec,
): Promise<RequestOutcome> {
  await ack();
  const { deps, reporter } = host;
  const view = body.view?.type === 'modal' ? body.view : undefined;
  const request = requestFrom(client, host, {
    actor: actorOf(context, body.user.id, body.channel?.id ?? originOf(view?.private_metadata)),
    reference: reporter.newReference(),
    responseUrl: body.response_url,
    modalIn: (modalHost) => modalToOpen(modalHost, body.trigger_id, view !== undefined),
  });
  const { base, modal: opener, notice } = request;
  const inside = view && Object.assign(openedModal({ client, deps, changes: base.changes }, view.id), { view });
  // A modal whose content has changed shows the error itself; otherwise a new modal shows it, and the form below stays.
  const modals = () => (inside?.changed && !opener.opened ? [inside] : body.view || opener.opened ? [opener] : []);
  const runListener = async (): Promise<void> => {
    const data = spec.data && decode(spec.data, carriedBy(action), action.action_id);
    const metadata = spec.metadata && metadataOf(spec.metadata, view, action.action_id);
    const pushes = typeof spec.push === 'function' ? spec.push({ data, metadata }) : spec.push;
    const fills = inside && !pushes ? inside : opener;
    const click: Omit<ClickContext<DataSchema, DataSchema>, 'person'> = {
      ...base,
      action,
      body,
      data,
      ...(spec.metadata ? { metadata } : {}),
      modal: fills,
      respond: notice ? trackAnswers(base.changes, notice.respond) : async () => reject(action.action_id, 'a message'),
      ...(inside ? { inside } : {}),
    };
    const opens = typeof spec.modalTitle === 'function' ? spec.modalTitle(click) : spec.modalTitle;
    const modalTitle = fills === inside ? undefined : opens;
    const role = typeof spec.role === 'function' ? spec.role(click) : spec.role;
    const person = await authorize(click, { role, modalTitle });
    await spec.run({ ...click, person });
    if (body.view?.type === 'home') {
      await deps.homeClicked(base);
    }
  };
  return answerErrors(action.action_id, request, host, runListener, modals);
}

/** The data of a click: the value of a button or of the chosen option, or the id of the chosen person. */
function carriedBy(action: Action): string | undefined {
  if ('value' in action) {
    return action.value;
  }
  if ('selected_option' in action) {
    return action.selected_option?.value;
  }
  return 'selected_user' in action ? action.selected_user : undefined;
}

function reject(id: string, place: string): never {
  throw new SlackError('slack.state', `${id} was clicked outside ${place}`);
}

function metadataOf(schema: DataSchema, view: Pick<ViewOutput, 'private_metadata'> | undefined, id: string): unknown {
  if (schema && !view) {
    return reject(id, 'its modal');
  }
  return schema && decode(schema, view?.private_metadata, id);
}

export async function onView(
  { ack, body, view, context, client }: ViewArgs,
  host: Host,
  spec: ModalSpec,
): Promise<RequestOutcome> {
  const { deps, reporter } = host;
  const reference = reporter.newReference();
  const callbackId = view.callback_id;
  let actor: Actor;
  let metadata: unknown;
  let runListener: (context: ViewContext) => Promise<void>;
  try {
    actor = actorOf(context, body.user.id, originOf(view.private_metadata));
    metadata = metadataOf(spec.metadata, view, callbackId);
    const fields = spec.fields({ deps, actor, view, metadata });
    if ('errors' in fields) {
      const errors = fieldErrors(view, fields.errors);
      if (errors || !spec.redraw) {
        await ack({ response_action: 'errors', errors: errors ?? errorsUnderInputs(view, fields.errors) });
        return 'ok';
      }
      await ack({ response_action: 'update', view: loadingView(view.title.text) });
      runListener = async (form) => {
        await form.modal.show(await spec.redraw!(form));
      };
    } else {
      runListener = (form) => spec.run(form, fields.input);
      if ('show' in fields) {
        await ack({ response_action: 'update', view: fields.show });
      } else if (fields.close === 'all') {
        await ack({ response_action: 'clear' });
      } else {
        await ack();
      }
    }
  } catch (error) {
    reporter.record(error, reference, callbackId);
    await ack({ response_action: 'update', view: problemView(error, reference) });
    return 'failed';
  }
  const acknowledgedAt = deps.clock.now();
  const modalIn = (modalHost: ModalHost) => openedModal(modalHost, view.id, acknowledgedAt);
  const request = requestFrom(client, host, { actor, reference, modalIn });
  const { base, modal } = request;
  return answerErrors(callbackId, request, host, async () => {
    const person = await deps.permissions.require(client, actor, spec.role);
    await runListener({ ...base, person, view, metadata, modal });
  });
}

export async function onOptions(
  { ack, body, payload, context, client }: OptionsArgs,
  { deps, reporter }: Host,
  spec: OptionsSpec,
): Promise<RequestOutcome> {
  const reference = reporter.newReference();
  try {
    const actor = actorOf(context, body.user.id, body.channel?.id);
    const person = await deps.permissions.require(client, actor, spec.role);
    const { block_id: blockId, value: typedText } = payload;
    const metadata = metadataOf(spec.metadata, body.view, payload.action_id);
    const options = await spec.offer({ deps, actor, person, client, reference, typed: typedText, blockId, metadata });
    await ack({ options: options.slice(0, 100) });
    return 'ok';
  } catch (error) {
    reporter.record(error, reference, payload.action_id);
    const explained = isExpected(error) || scopesMissedBy(error) !== undefined;
    const label = explained ? problemOf(error).what : `Not available right now (reference ${reference})`;
    await ack({ options: [{ text: plain(cut(label, 75)), value: unavailable }] });
    return outcomeOf(error);
  }
}

const eventEnvelope = z.object({
  event_id: z.string(),
  event_time: z.number(),
  api_app_id: z.string().optional(),
});

/** Runs the listener of an event, to which nobody waits for an answer. */
export async function onEvent(
  { event, body, context, client }: EventArgs,
  { deps, reporter }: Host,
  type: string,
  runEvent: ListenerOf<'event'>['spec'],
): Promise<RequestOutcome> {
  const reference = reporter.newReference();
  try {
    const { event_id: eventId, event_time: seconds, api_app_id: appId } = eventEnvelope.parse(body);
    const { isEnterpriseInstall, teamId, enterpriseId } = context;
    await runEvent({
      deps,
      event,
      eventId,
      happenedAt: seconds * 1000,
      appId,
      botId: context.botId,
      isEnterpriseInstall,
      ...(teamId ? { teamId } : {}),
      ...(enterpriseId ? { enterpriseId } : {}),
      client,
      reference,
    });
    return 'ok';
  } catch (error) {
    reporter.record(error, reference, type);
    return 'failed';
  }
}
