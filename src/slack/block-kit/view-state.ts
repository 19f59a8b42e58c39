/**
 * Owns reading what a person entered in a form: by block and action, as the kind of input it is. Nothing is trimmed
 * here; a picker's placeholder for trouble is no choice.
 */
import type { ViewOutput } from '@slack/bolt';
import { blockNamed } from './block-names.js';

/** What a picker offers when there is nothing to offer it from; whoever reads a choice must not take it for an id. */
export const unavailable = '!unavailable';

type State = Pick<ViewOutput, 'state'>;

function entered(view: State, blockId: string, actionId: string) {
  const { values } = view.state;
  return values[blockNamed(Object.keys(values), blockId) ?? '']?.[actionId];
}

/** '' where nothing was entered. */
export function textIn(view: State, blockId: string, actionId: string): string {
  return entered(view, blockId, actionId)?.value ?? '';
}

export function usersIn(view: State, blockId: string, actionId: string): readonly string[] {
  return entered(view, blockId, actionId)?.selected_users ?? [];
}

export function conversationIn(view: State, blockId: string, actionId: string): string | undefined {
  return entered(view, blockId, actionId)?.selected_conversation ?? undefined;
}

export function choicesIn(view: State, blockId: string, actionId: string): readonly string[] {
  const options = entered(view, blockId, actionId)?.selected_options ?? [];
  return options.map((option) => option.value).filter((value) => value !== unavailable);
}

export function choiceIn(view: State, blockId: string, actionId: string): string | undefined {
  const value = entered(view, blockId, actionId)?.selected_option?.value;
  return value === unavailable ? undefined : value;
}
