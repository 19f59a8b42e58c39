/** The end of an operation: shows the answer in the modal it came from, else posts it; then runs what follows. */
import type { Operation } from '../../../codereadr/operations/operation.js';
import type { ViewContext } from '../../bolt/routing/context.js';
import { withoutSecrets } from '../redact.js';
import type { After, Afterwards, Performer } from '../types.js';
import { answerOf } from './answer.js';

export interface Finished {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  readonly also?: readonly string[];
  /** Names of the ids in the input, where known. */
  readonly names?: Readonly<Record<string, string>>;
}

export async function finish(
  context: Performer & Pick<ViewContext, 'modal'>,
  outcome: Finished,
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
