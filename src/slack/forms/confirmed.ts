/** Owns what happens once somebody has said yes to what goes. */
import { parseInput } from '../../account/catalogue/check.js';
import { savingView } from '../blocks/loading.js';
import type { ViewHandler } from '../context.js';
import { SlackRoomError } from '../errors.js';
import { finish } from './finish.js';
import { type ConfirmNotes, confirmNotes, operationOf } from './notes.js';
import { performChecked } from './perform.js';
import type { Afterwards } from './types.js';

export function confirmed(afterwards: Afterwards): ViewHandler<ConfirmNotes> {
  return {
    who: 'manager',
    acknowledge({ view }) {
      const notes = confirmNotes.read(view.private_metadata);
      return { show: savingView(operationOf(notes).title, 'Doing it…'), input: notes };
    },
    async run(context, notes) {
      const operation = operationOf(notes);
      const parsed = parseInput(operation, notes.input);
      if (!parsed.ok) {
        throw new SlackRoomError('slack.state', 'what was confirmed does not fit the operation any more');
      }
      const input = parsed.input as Readonly<Record<string, unknown>>;
      const output = await performChecked(context, operation, input, { connectedAt: notes.since });
      await finish(
        context,
        { operation, input, output, also: [`What it was: ${notes.what}.`] },
        notes.after,
        afterwards,
      );
    },
  };
}
