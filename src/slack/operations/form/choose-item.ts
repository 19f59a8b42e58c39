/** The first step of a change: the person chooses the item, then its current values are read. */
import { currentReaderOf } from '../../../codereadr/current-values.js';
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';
import { assertSameAccount } from '../../connection/account.js';
import { formModal } from '../metadata.js';
import { formViewFor } from './open-form.js';
import { inputOf } from './read-form.js';
import { redraw } from './redraw.js';
import { fieldErrors, type Submission, submissionIn } from './submitted-form.js';

export const itemChosen = modal('form.choose', {
  role: 'manager',
  metadata: formModal,

  fields({ view, deps, metadata }): Acknowledged<Submission> {
    const submission = submissionIn(view, metadata);
    const { operation } = submission;
    const read = inputOf(submission, { now: deps.clock.now() });
    const keys = keysOf(operation);
    const problems = read.ok ? [] : read.problems.filter(({ param }) => keys.includes(param));
    return problems.length > 0
      ? { errors: fieldErrors(view, operation, problems) }
      : { show: savingView(operation.title, 'Loading the current settings…'), input: submission };
  },

  async run(context, { operation, draft, values }) {
    const { metadata } = context;
    const keys = keysOf(operation);
    const { carried = {}, after } = metadata;
    try {
      await assertSameAccount(context.deps, context.actor.owner, metadata.since);
      const prefill = { ...carried, ...Object.fromEntries(keys.map((key) => [key, values[`v.${key}`]])) };
      await context.modal.show(await formViewFor(context, { operation, prefill, ...(after ? { after } : {}) }));
    } catch (error) {
      await redraw(context, { operation, metadata, draft, keys }, error);
    }
  },
});

function keysOf(operation: Operation): readonly string[] {
  const current = currentReaderOf(operation);
  if (!current) {
    throw new TypeError(`${operationName(operation)} has no item to choose first`);
  }
  return current.keys;
}
