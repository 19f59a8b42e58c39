/** The submission of a confirmation: runs the operation. */

import { parseInput } from '../../../codereadr/operations/check.js';
import { SlackError } from '../../bolt/errors.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { type Listener, modal } from '../../bolt/routing/listeners.js';
import { type ConfirmNotes, confirmNotes, operationOf } from '../metadata.js';
import { performChecked } from '../perform.js';
import { finish } from '../result/finish.js';
import type { Afterwards } from '../types.js';

export function confirmSubmitted(afterwards: Afterwards): Listener {
  return modal('form.confirm', {
    role: 'manager',
    fields({ view }): Acknowledged<ConfirmNotes> {
      const notes = confirmNotes.read(view.private_metadata);
      const operation = operationOf(notes);
      return {
        show: savingView(operation.title, operation.effect === 'delete' ? 'Deleting…' : 'Saving…'),
        input: notes,
      };
    },
    async run(context, notes) {
      const operation = operationOf(notes);
      const parsed = parseInput(operation, notes.input);
      if (!parsed.ok) {
        throw new SlackError('slack.state', `the confirmed input is not valid for ${notes.op}`);
      }
      const input = parsed.input as Readonly<Record<string, unknown>>;
      const output = await performChecked(context, operation, input, { connectedAt: notes.since });
      await finish(context, { operation, input, output, also: [`Details: ${notes.what}.`] }, notes.after, afterwards);
    },
  });
}
