/** Reader of a form's state, by block and action id. Nothing is trimmed; a failed picker's placeholder is no choice. */
import type { ViewOutput } from '@slack/bolt';
import { blockNamed } from './block-names.js';

/** The value of a picker's only option when its options could not be loaded; it is no id. */
export const unavailable = '!unavailable';

type State = Pick<ViewOutput, 'state'>;

function entered(view: State, blockId: string, actionId: string) {
  const { values } = view.state;
  return values[blockNamed(Object.keys(values), blockId) ?? '']?.[actionId];
}

/** The text of an input; '' for an empty one. */
export function textIn(view: State, blockId: string, actionId: string): string {
  return entered(view, blockId, actionId)?.value ?? '';
}
