/** The redraw of a form, with problems or with more fields. The entered values stay, except for secrets. */
import { z } from 'zod';
import { AccountError } from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import { bold, type Line, textMessage } from '../../block-kit/text.js';
import { isUnconfirmed } from '../../bolt/problem/problem.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import { action } from '../../bolt/routing/listeners.js';
import { accountOf } from '../../connection/account.js';
import { messageOf, problemsFor } from '../form-problems.js';
import { formModal } from '../metadata.js';
import type { OperationContext } from '../types.js';
import { drawForm, type FormInput } from './load-form.js';
import { redrawInput, submissionIn } from './submitted-form.js';

/** Redraws the form with the problems of `drawing` or of an error. @throws the error if it does not concern the form */
export async function redraw(
  context: OperationContext & Pick<ViewContext, 'modal'>,
  drawing: FormInput,
  error?: unknown,
): Promise<void> {
  const { deps, reference, modal, postPrivately, actor } = context;
  const redrawn =
    error === undefined ? { problems: drawing.problems ?? [] } : problemsFor(drawing.operation, error, reference);
  if (!redrawn) {
    throw error;
  }
  if (error !== undefined) {
    const apiCode = error instanceof AccountError ? error.apiCode : undefined;
    deps.log.info({ code: codeOf(error), apiCode, reference }, 'operation form redrawn with an error');
  }
  const account = await accountOf(deps, actor.owner);
  const problems = redrawn.problems.map((problem) => ({ ...problem, message: messageOf(problem) }));
  const formProblem = 'formProblem' in redrawn ? redrawn.formProblem : undefined;
  if (!(await modal.show(await drawForm(context, account, { ...drawing, problems, formProblem })))) {
    const lines: readonly Line[] = [
      `${drawing.operation.title}: ${isUnconfirmed(error) ? 'not confirmed' : 'failed'}.`,
      ...(formProblem ? [formProblem] : []),
      ...problems.map(({ message }) => message),
    ];
    await postPrivately(textMessage(...lines.map((line) => (typeof line === 'string' ? [bold(line)] : line))));
  }
}

/** Headings that forms opened before a rename carry in their buttons. */
const formerHeadings: Readonly<Record<string, string>> = {
  What: 'Barcode and result',
  When: 'Date and time',
  'Who and where': 'Service, device, and user',
  Order: 'Sorting',
  Look: 'Appearance',
};

/** The button *More settings*: unfolds another group. */
export const unfoldGroup = action('form.more', {
  role: 'everyone',
  data: z.string(),
  metadata: formModal,
  async run({ deps, actor, reference, inside, data, metadata }) {
    const heading = data.slice('g.'.length);
    const open = formerHeadings[heading] ?? heading;
    const again = redrawInput(submissionIn(inside.view, metadata));
    const account = await accountOf(deps, actor.owner);
    await inside.show(
      await drawForm({ deps, reference }, account, { ...again, metadata: { ...again.metadata, open } }),
    );
  },
});
