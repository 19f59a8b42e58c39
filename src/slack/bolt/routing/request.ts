/** A request from Slack while Scandesk works on it: the parts of every context, and the answer to an error. */
import type { AllMiddlewareArgs, Context } from '@slack/bolt';
import { ownerOf } from '../people/workspace.js';
import { answerError, type ErrorReporter, type RequestOutcome, reportUnseenChanges } from '../problem/answer-error.js';
import type { BaseContext, ListenerDeps, Unchecked } from './context.js';
import type { Actor } from './deps.js';
import type { Modal, ModalHost } from './modal.js';
import { createChanges, postPrivatelyThrough, type Respond, respondThrough, trackAnswers } from './respond.js';
import { type SlowNoticeHandle, startSlowNotice } from './slow-notice.js';

export type BoltArgs = Pick<AllMiddlewareArgs, 'context' | 'client'>;

export interface Host {
  readonly deps: ListenerDeps;
  readonly reporter: ErrorReporter;
}

export interface Request {
  readonly base: Unchecked<BaseContext>;
  readonly modal: Modal;
  readonly notice?: SlowNoticeHandle | undefined;
}

export interface RequestOrigin {
  readonly actor: Actor;
  readonly reference: string;
  /** The response_url of a command, a message shortcut or a click on a message; a click in a modal has none. */
  readonly responseUrl?: string | undefined;
  /** Responds to a request without a response_url. */
  readonly answer?: Respond;
  modalIn(host: ModalHost): Modal;
}

export function actorOf(context: Context, userId: string, channelId: string | undefined): Actor {
  return { owner: ownerOf(context), userId, ...(channelId ? { channelId } : {}) };
}

export function requestFrom(
  client: BoltArgs['client'],
  { deps }: Host,
  { actor, reference, responseUrl, answer, modalIn }: RequestOrigin,
): Request {
  const changes = createChanges();
  const modal = modalIn({ client, deps, changes });
  const respond = answer ?? (responseUrl ? respondThrough(responseUrl) : undefined);
  const notice = respond ? startSlowNotice(deps, { respond, sawModal: () => modal.opened, reference }) : undefined;
  const postPrivately = trackAnswers(changes, postPrivatelyThrough(client, actor, notice?.respond));
  return { base: { deps, actor, client, reference, topic: {}, changes, postPrivately }, modal, notice };
}

/** Runs `runListener`; its error is shown in the first of `modals` that the person sees, else in a private message. */
export async function answerErrors(
  listenerId: string,
  { base, modal, notice }: Request,
  { reporter }: Host,
  runListener: () => Promise<void>,
  modals = (): readonly Modal[] => (modal.opened ? [modal] : []),
): Promise<RequestOutcome> {
  try {
    await runListener();
    await reportUnseenChanges(base);
    return 'ok';
  } catch (error) {
    return await answerError(error, listenerId, { ...base, modals: modals() }, reporter);
  } finally {
    await notice?.stop();
  }
}
