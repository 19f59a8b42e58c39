/** The first step of a change: the item is chosen, then its current values are read. */

import { currentReaderOf } from '../../../codereadr/current-values.js';
import { operationName } from '../../../codereadr/operations/index.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';
import { assertSameAccount } from '../../connection/version.js';
import { fieldOf } from './input-kind.js';
import { toRaw } from './input-values.js';
import { formViewFor } from './open-form.js';
import { inputOf } from './read-form.js';
import { redraw } from './redraw.js';
import { fieldErrors, type Submission, submissionIn } from './submitted-form.js';
import type { SubmittedState } from './view-state.js';

export const itemChosen = modal('form.choose', {
  role: 'manager',

  fields({ view, deps }): Acknowledged<Submission> {
    const submission = submissionIn(view);
    const { operation, metadata, state } = submission;
    const read = inputOf(operation, metadata, state, { now: deps.clock.now() });
    const keys = keysOf(operation);
    const problems = read.ok ? [] : read.problems.filter(({ param }) => keys.includes(param));
    return problems.length > 0
      ? { errors: fieldErrors(view, operation, problems) }
      : { show: savingView(operation.title, 'Loading the current settings…'), input: submission };
  },

  async run(context, { operation, metadata, state }) {
    const keys = keysOf(operation);
    const { carried = {}, after } = metadata;
    try {
      await assertSameAccount(context.deps, context.actor.owner, metadata.since);
      const prefill = { ...carried, ...named(operation, state, keys) };
      await context.modal.show(await formViewFor(context, { operation, prefill, ...(after ? { after } : {}) }));
    } catch (error) {
      await redraw(context, { operation, metadata, entered: state.entered, keys }, error);
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

function named(
  operation: Operation,
  { entered }: SubmittedState,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map((key) => [key, toRaw(fieldOf(operation, key, 'new', false), entered[key])]));
}
