/**
 * The submission of an operation's form: it is validated at once, with errors under the fields; then the account is
 * called. The modal shows the answer, the confirmation, or the form again with its problems.
 */
import type { Operation } from '../../../codereadr/operations/operation.js';
import type { RequiredRole } from '../../bolt/people/permissions.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged, ViewContext } from '../../bolt/routing/context.js';
import { type Listener, modal } from '../../bolt/routing/listeners.js';
import { accountSince } from '../../connection/account.js';
import type { FormFile } from '../../forms/view-state.js';
import { confirmView } from '../delete/confirm.js';
import { type FileSource, openFile, readText } from '../files/files.js';
import { formModal } from '../metadata.js';
import { performChecked } from '../perform.js';
import { finish } from '../result/finish.js';
import type { Afterwards, Values } from '../types.js';
import { askUpload, uploadOperation } from '../upload/ask-upload.js';
import { needsConfirmation } from './limits.js';
import { inputOf } from './read-form.js';
import { redraw } from './redraw.js';
import {
  fieldErrors,
  fileGiven,
  fileProblems,
  namesIn,
  redrawInput,
  type Submission,
  submissionIn,
} from './submitted-form.js';

export function formSubmitted(id: string, role: RequiredRole, afterSteps: Afterwards): Listener {
  return modal(id, {
    role,
    metadata: formModal,
    fields({ view, deps, metadata }): Acknowledged<Submission> {
      const submission = submissionIn(view, metadata);
      const { operation } = submission;
      const read = inputOf(submission, { now: deps.clock.now() });
      const problems = [...fileProblems(submission), ...(read.ok ? [] : read.problems)];
      return problems.length > 0
        ? { errors: fieldErrors(view, operation, problems) }
        : { show: savingView(operation.title, progressText(operation)), input: submission };
    },
    run: (context, submission) => send(context, submission, afterSteps),
  });
}

function progressText({ effect }: Operation): string {
  return effect === 'read'
    ? 'Waiting for the account…'
    : effect === 'delete'
      ? 'Checking what will be deleted…'
      : 'Saving…';
}

async function send(context: ViewContext, submission: Submission, afterSteps: Afterwards): Promise<void> {
  const { operation, metadata } = submission;
  const { deps, modal, actor } = context;
  const redrawnInput = redrawInput(submission);
  try {
    const account = await accountSince(deps, actor.owner, metadata.since);
    const texts = await textsOf(context, submission);
    const readInput = inputOf(submission, { now: deps.clock.now(), texts });
    if (!readInput.ok) {
      await redraw(context, { ...redrawnInput, problems: readInput.problems });
      return;
    }
    const { input } = readInput;
    if (needsConfirmation(operation, input)) {
      await modal.show(
        await confirmView(context, account, { operation, input, after: metadata.after, since: metadata.since }),
      );
      return;
    }
    const givenFile = fileGiven(submission);
    if (operation === uploadOperation && givenFile) {
      await askUpload(context, account, { metadata, file: givenFile.file, input, names: namesIn(submission) });
      return;
    }
    const output = await call(context, submission, input);
    await finish(context, { operation, input, output, names: namesIn(submission) }, metadata.after, afterSteps);
  } catch (error) {
    await redraw(context, redrawnInput, error);
  }
}

async function call(context: ViewContext, submission: Submission, input: Values): Promise<unknown> {
  const { operation, metadata } = submission;
  const performOptions = { connectedAt: metadata.since };
  const givenFile = fileGiven(submission);
  if (givenFile === undefined) {
    return await performChecked(context, operation, input, performOptions);
  }
  const { name, file, maxBytes } = givenFile;
  const { client, deps } = context;
  const opened = await openFile({ client, config: deps.config, clock: deps.clock }, file, maxBytes);
  try {
    const content = { name: file.name, type: file.type, content: opened.pieces };
    return await performChecked(context, operation, { ...input, [name]: content }, performOptions);
  } finally {
    opened.close();
  }
}

/** The contents of files given in place of texts. @throws FileError */
async function textsOf(
  { client, deps }: ViewContext,
  { builtForm, draft }: Submission,
): Promise<Record<string, string>> {
  const source: FileSource = { client, config: deps.config, clock: deps.clock };
  const texts: Record<string, string> = {};
  for (const { name } of builtForm.params) {
    const file = draft[`f.${name}`] as FormFile | undefined;
    if (file) {
      texts[name] = await readText(source, file);
    }
  }
  return texts;
}
