/**
 * Errors of a form by the fields it has. Pure. Slack refuses an error for a block that is no input of the form;
 * the person would read that Scandesk did not respond.
 */
import type { ViewOutput } from '@slack/bolt';
import { blockNamed } from '../../block-kit/block-names.js';
import { SlackError } from '../errors.js';

type Errors = Readonly<Record<string, string>>;
type Form = Pick<ViewOutput, 'blocks'>;

/** The errors by block; undefined where an error belongs to a field that the form does not have. */
export function fieldErrors(view: Form, errors: Errors): Record<string, string> | undefined {
  const inputs = inputsOf(view);
  const placed = Object.entries(errors).map(([name, message]) => [blockNamed(inputs, name), message] as const);
  return placed.every(([id]) => id !== undefined) ? Object.fromEntries(placed) : undefined;
}

/** Puts each error under its field, or else under the first input. @throws SlackError `slack.state` */
export function errorsUnderInputs(view: Form, errors: Errors): Record<string, string> {
  const inputs = inputsOf(view);
  const [first] = inputs;
  if (first === undefined) {
    throw new SlackError('slack.state', `an error on a form without inputs: ${Object.keys(errors).join(', ')}`);
  }
  const placed: Record<string, string> = {};
  for (const [name, message] of Object.entries(errors)) {
    placed[blockNamed(inputs, name) ?? first] ??= message;
  }
  return placed;
}

function inputsOf({ blocks }: Form): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'input' && 'block_id' in block ? [String(block.block_id)] : []));
}
