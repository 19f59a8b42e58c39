/** The redraw of a form, with problems or with more fields. What was entered stays. */
import { AccountError } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import { message } from '../../block-kit/elements.js';
import { bold, escaped, richText } from '../../block-kit/text.js';
import { isUnconfirmed } from '../../bolt/problem/problem.js';
import type { FormContext, ViewContext } from '../../bolt/routing/context.js';
import { accountOf } from '../../connection/connection.js';
import { messageOf, problemsFor } from '../form-problems.js';
import type { ModalOperationContext, OperationContext } from '../types.js';
import { drawForm, type FormInput } from './load-form.js';
import { keptInput, submissionIn } from './submitted-form.js';

/** @throws the error if it does not concern the form */
export async function redraw(
  context: OperationContext & Pick<ViewContext, 'modal'>,
  drawing: FormInput,
  error?: unknown,
): Promise<void> {
  const { deps, reference, modal, postPrivately, actor } = context;
  const told =
    error === undefined ? { problems: drawing.problems ?? [] } : problemsFor(drawing.operation, error, reference);
  if (!told) {
    throw error;
  }
  if (error !== undefined) {
    const apiCode = error instanceof AccountError ? error.apiCode : undefined;
    deps.log.info({ code: codeOf(error), apiCode, reference }, 'operation form redrawn with an error');
  }
  const account = await accountOf(deps, actor.owner);
  const problems = told.problems.map((problem) => ({ ...problem, message: messageOf(problem) }));
  const trouble = 'trouble' in told ? told.trouble : undefined;
  if (!(await modal.show(await drawForm(context, account, { ...drawing, problems, trouble })))) {
    const said = [
      `${drawing.operation.title}: ${isUnconfirmed(error) ? 'not confirmed' : 'failed'}.`,
      ...(trouble ? [trouble] : []),
      ...problems.map(({ message }) => message),
    ];
    await postPrivately(message(escaped(said.join(' ')), [richText(...said.map((line) => [bold(line)]))]));
  }
}

/** The button *More*: unfolds another group. */
export async function unfold(
  { deps, actor, reference, modal }: Pick<ModalOperationContext, 'deps' | 'actor' | 'reference' | 'modal'>,
  view: FormContext['view'],
  group: string,
): Promise<void> {
  const submission = submissionIn(view);
  const { notes, ...held } = keptInput(submission);
  const account = await accountOf(deps, actor.owner);
  const { operation } = submission;
  await modal.show(
    await drawForm({ deps, reference }, account, { operation, notes: { ...notes, open: group }, ...held }),
  );
}
