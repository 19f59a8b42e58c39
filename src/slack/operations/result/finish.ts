/** The end of an operation: shows the answer in the modal it came from, else posts it; then runs what follows. */
import type { ViewContext } from '../../bolt/routing/context.js';
import { withoutSecrets } from '../redact.js';
import type { After, Afterwards, OperationContext } from '../types.js';
import { answerOf, type OperationResult } from './answer.js';

export async function finish(
  context: OperationContext & Pick<ViewContext, 'modal'>,
  outcome: OperationResult,
  after: After | undefined,
  afterwards: Afterwards,
): Promise<void> {
  const { deps, modal, postPrivately, reference } = context;
  const { operation, input, output } = outcome;
  const answer = await answerOf(context, outcome);
  if (!(await modal.showOutcome(answer.view))) {
    await postPrivately(answer.message);
  }
  const next = after && afterwards[after.name];
  if (after && next) {
    await next(context, { operation, input: withoutSecrets(operation, input), output }, after.value).catch(
      (error: unknown) =>
        deps.log.warn({ err: error, reference, after: after.name }, 'follow-up of an operation failed'),
    );
  }
}
