/**
 * The answer to a failed request: in a modal the person sees, else in a message. It never fails itself.
 * Changes made before the failure are listed as done.
 */
import { AccountError } from '../../../codereadr/types.js';
import { isExpected, SlackError } from '../errors.js';
import type { BaseContext, ChangeFailure } from '../routing/context.js';
import type { Modal } from '../routing/modal.js';
import { type ErrorReporter, outcomeOf, type RequestOutcome } from './error-reporter.js';
import { type ProblemSubject, problemMessage, problemView, type Reader } from './problem.js';

interface Listening
  extends Pick<BaseContext, 'deps' | 'client' | 'actor' | 'reference' | 'topic' | 'changes' | 'postPrivately'> {
  /** Where the answer can be shown: the first modal the person sees; a message comes last. */
  readonly windows: readonly Modal[];
}

/** Showing can fail too; then only the log has it. */
export async function answerTrouble(
  error: unknown,
  where: string,
  to: Listening,
  troubles: ErrorReporter,
): Promise<RequestOutcome> {
  troubles.record(error, to.reference, where);
  const reader = await readerOf(error, to);
  const subject = subjectOf(to);
  const made = to.changes.made.length > 0 ? await changesOf(to, { error, reference: to.reference }) : undefined;
  for (const modal of to.windows) {
    try {
      const view = made ? made.view : problemView(error, to.reference, reader, subject);
      if (await modal.show(view)) return outcomeOf(error);
    } catch (failure) {
      troubles.record(failure, to.reference, `${where} (telling in a modal)`);
    }
  }
  try {
    await to.postPrivately(made ? made.message : problemMessage(error, to.reference, reader, subject));
  } catch (failure) {
    troubles.record(failure, to.reference, `${where} (telling)`);
  }
  return outcomeOf(error);
}

function subjectOf({ deps, topic: { barcode } }: Listening): ProblemSubject {
  return barcode === undefined ? {} : { barcode, again: deps.tryAgain(barcode) };
}

/** Who can help, the reader included. Read only where needed: it may cost a call to Slack. */
async function readerOf(error: unknown, { deps, client, actor }: Listening): Promise<Reader> {
  if (!isExpected(error)) {
    return {};
  }
  const { workspaces } = deps.store;
  try {
    if (error instanceof AccountError) {
      const connectedBy = (await workspaces.connection(actor.owner))?.connectedBy;
      return connectedBy === undefined || connectedBy === actor.userId ? {} : { connectedBy };
    }
    const why = error instanceof SlackError ? error.why : undefined;
    if (why !== undefined && why !== 'not_manager') {
      return {};
    }
    const [{ managers }, mayConnect] = await Promise.all([
      workspaces.settings(actor.owner),
      deps.permissions.can(client, actor, 'manager'),
    ]);
    return { mayConnect, ...(managers ? { managers } : {}) };
  } catch {
    // The names are optional.
    return {};
  }
}

/** Posts the outcome of a change as a message where the person did not see it: modal closed, or Slack failed. */
export async function tellUnseen(to: Omit<Listening, 'windows'>): Promise<void> {
  if (to.changes.unseen) {
    await to.postPrivately((await changesOf(to)).message);
  }
}

function changesOf({ deps, actor, changes: { made } }: Omit<Listening, 'windows'>, failed?: ChangeFailure) {
  return deps.describeChanges(actor.owner, made, failed);
}
