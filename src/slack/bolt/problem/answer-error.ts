/**
 * The log and the answer of a failed request. The answer is shown in a modal that the person sees, else in a message;
 * answering never fails itself. Changes made before the failure are listed as done.
 */
import { AuthorizationError, type CodedError } from '@slack/bolt';
import { z } from 'zod';
import { AccountError } from '../../../codereadr/types.js';
import { codeOf, newReference } from '../../../errors.js';
import type { ProcessDeps } from '../../../process.js';
import { withTimeout } from '../../../timeout.js';
import type { Button } from '../../block-kit/elements.js';
import { isExpected, SlackError, slackErrorCode } from '../errors.js';
import { adminsOf } from '../people/admins.js';
import type { BaseContext, ChangeFailure } from '../routing/context.js';
import type { Modal } from '../routing/modal.js';
import { postToResponseUrl } from '../routing/respond.js';
import { reinstallUrl, scopesMissedBy } from '../scopes.js';
import { problemMessage, problemView, type Reader } from './problem.js';

interface FailedRequest
  extends Pick<BaseContext, 'deps' | 'client' | 'actor' | 'reference' | 'topic' | 'changes' | 'postPrivately'> {
  /** The places where the answer can be shown: the first of these modals that the person sees, else a message. */
  readonly modals: readonly Modal[];
}

/** Answers and logs an error. Where it cannot be shown, only the log has it. */
export async function answerError(
  error: unknown,
  listenerId: string,
  request: FailedRequest,
  reporter: ErrorReporter,
): Promise<RequestOutcome> {
  reporter.record(error, request.reference, listenerId);
  const reader = await readerOf(error, request);
  const { barcode, again } = request.topic;
  const buttons = nextStepButtons(error, reader, request);
  const changesMade =
    request.changes.made.length > 0 ? await changesOf(request, { error, reference: request.reference }) : undefined;
  for (const modal of request.modals) {
    try {
      const view = changesMade ? changesMade.view : problemView(error, request.reference, reader, { barcode, buttons });
      if (await modal.show(view)) return outcomeOf(error);
    } catch (failure) {
      reporter.record(failure, request.reference, `${listenerId} (answering in a modal)`);
    }
  }
  try {
    // Only the message has the button to try again: a modal is filled in again.
    const options = { barcode, buttons: again && !isRefusedPerson(error) ? [...buttons, again] : buttons };
    await request.postPrivately(
      changesMade ? changesMade.message : problemMessage(error, request.reference, reader, options),
    );
  } catch (failure) {
    reporter.record(failure, request.reference, `${listenerId} (answering)`);
  }
  return outcomeOf(error);
}

/** Whether the person lacks a permission: the same request would be refused again. */
function isRefusedPerson(error: unknown): boolean {
  return error instanceof SlackError && error.code === 'slack.not_allowed' && isExpected(error);
}

function nextStepButtons(error: unknown, { mayConnect }: Reader, { deps }: FailedRequest): readonly Button[] {
  const button = mayConnect && error instanceof SlackError ? deps.nextSteps[error.code] : undefined;
  return button ? [button] : [];
}

/** Naming the admins must not hold up the answer. */
const adminsTimeoutMs = 2_000;

/** What the answer tells its reader: who can help, the reader included. Unneeded facts are not read: Slack is asked. */
export async function readerOf(
  error: unknown,
  { deps, client, actor }: Pick<FailedRequest, 'deps' | 'client' | 'actor'>,
): Promise<Reader> {
  const isKeyRefused = error instanceof AccountError && error.code === 'account.key_refused';
  if (!isExpected(error) && !isKeyRefused) {
    const cause = error instanceof SlackError ? error.cause : error;
    return scopesMissedBy(cause) ? { reinstallUrl: reinstallUrl(deps.config) } : {};
  }
  const { workspaces } = deps.store;
  try {
    if (error instanceof AccountError && !isKeyRefused) {
      const connectedBy = (await workspaces.connection(actor.owner))?.connectedBy;
      return connectedBy === undefined || connectedBy === actor.userId ? {} : { connectedBy };
    }
    const reason = error instanceof SlackError ? error.why : undefined;
    if (reason !== undefined && reason !== 'not_manager' && reason !== 'not_admin') {
      return {};
    }
    const [{ managers }, mayConnect] = await Promise.all([
      workspaces.settings(actor.owner),
      deps.permissions.can(client, actor, 'manager'),
    ]);
    const admins =
      mayConnect && reason !== 'not_admin'
        ? []
        : await withTimeout(deps.clock, adminsTimeoutMs, () => adminsOf(client, actor.owner).catch(() => []), []);
    return { mayConnect, admins, ...(managers ? { managers } : {}) };
  } catch {
    // The explanation does without names.
    return {};
  }
}

/** Posts the outcome of a change as a message where the person did not see it: modal closed, or Slack failed. */
export async function reportUnseenChanges(request: Omit<FailedRequest, 'modals'>): Promise<void> {
  if (request.changes.unseen) {
    await request.postPrivately((await changesOf(request)).message);
  }
}

function changesOf({ deps, actor, changes: { made } }: Omit<FailedRequest, 'modals'>, failed?: ChangeFailure) {
  return deps.describeChanges(actor.owner, made, failed);
}

/** How a request ended, for metrics: `refused` is expected, `failed` is an error. */
export type RequestOutcome = 'ok' | 'refused' | 'failed';

export function outcomeOf(error: unknown): Exclude<RequestOutcome, 'ok'> {
  return isExpected(error) ? 'refused' : 'failed';
}

const reachable = z.object({
  response_url: z.url().optional(),
  response_urls: z.array(z.object({ response_url: z.url() })).optional(),
});

export function createErrorReporter(deps: Pick<ProcessDeps, 'log' | 'clock' | 'random'> & {}) {
  function record(error: unknown, reference: string, where: string): void {
    if (outcomeOf(error) === 'refused') {
      const why = error instanceof SlackError ? error.why : undefined;
      deps.log.info({ reference, where, code: codeOf(error), why }, 'a request was refused');
    } else {
      const line = { reference, where, code: codeOf(error), slack: slackErrorCode(error), err: error };
      deps.log.warn(line, 'a request from Slack failed');
    }
  }

  return {
    newReference: () => newReference(deps.random),
    /** Logs a refused or failed request in one line. `where`: the command, action or form. */
    record,
    /** Answers errors from before a listener runs: no installation for the workspace, a payload Bolt does not know. */
    async outside({ error, body }: { readonly error: CodedError; readonly body: unknown }): Promise<void> {
      const reference = newReference(deps.random);
      record(error, reference, 'bolt');
      const cause = error instanceof AuthorizationError ? new SlackError('slack.not_installed', error.message) : error;
      const parsed = reachable.safeParse(body);
      const url = parsed.data?.response_url ?? parsed.data?.response_urls?.[0]?.response_url;
      if (!url) {
        return;
      }
      const message = problemMessage(cause, reference);
      // Without an installation there is no token; a response_url needs none.
      await postToResponseUrl(url, { ...message, response_type: 'ephemeral', replace_original: false }).catch(
        (failure: unknown) => record(failure, reference, 'bolt answer'),
      );
    },
  };
}

export type ErrorReporter = ReturnType<typeof createErrorReporter>;
