/**
 * The end of an operation: it runs the next step, then shows the view the person goes back to, else the answer; it
 * posts the answer if the modal was closed.
 */
import type { ViewContext } from '../../bolt/routing/context.js';
import { withoutSecrets } from '../redact.js';
import type { Afterwards, OperationContext, StepAfter } from '../types.js';
import { answerOf, type OperationResult } from './answer.js';

export async function finish(
  context: OperationContext & Pick<ViewContext, 'modal'>,
  outcome: OperationResult,
  afterCall: StepAfter | undefined,
  afterSteps: Afterwards,
): Promise<void> {
  const { deps, modal, postPrivately, reference } = context;
  const { operation, input, output } = outcome;
  const answer = await answerOf(context, outcome);
  const done = { operation, input: withoutSecrets(operation, input), output, notice: answer.notice };
  const next = afterCall && afterSteps[afterCall.name]?.(context, done, afterCall.value);
  const nextView = await next?.catch((error: unknown) => {
    deps.log.warn({ err: error, reference, after: afterCall?.name }, 'follow-up of an operation failed');
    return undefined;
  });
  if (!(await modal.showOutcome(nextView ?? answer.view))) {
    await postPrivately(answer.message);
  }
}
