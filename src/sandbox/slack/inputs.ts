/**
 * Client-side validation of a modal's inputs, before the app receives a submission: missing, too short, not a number.
 */
import type { Json } from './choice.js';
import { entryValue, isEmpty, type StateValues } from './state.js';
import type { Block } from './world/records.js';

/** Error messages by block_id; empty if the form can be submitted. */
export function inputErrors(blocks: readonly Block[], state: StateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input') {
      continue;
    }
    const element = block.element as Json;
    const entry = state[block.block_id]?.[String(element.action_id)];
    const value = entry && entryValue(entry);
    if (isEmpty(value)) {
      if (block.optional !== true) {
        errors[block.block_id] = 'Please complete this required field.';
      }
      continue;
    }
    const error = typeof value === 'string' ? textError(element, value) : undefined;
    if (error !== undefined) {
      errors[block.block_id] = error;
    }
  }
  return errors;
}

function textError(element: Json, value: string): string | undefined {
  switch (element.type) {
    case 'plain_text_input': {
      const least = Number(element.min_length ?? 0);
      const most = Number(element.max_length ?? 3000);
      return value.length < least
        ? `Please use at least ${least} characters.`
        : value.length > most
          ? `Please use no more than ${most} characters.`
          : undefined;
    }
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : 'Please enter a valid email address.';
    case 'url_text_input':
      return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) && URL.canParse(value)
        ? undefined
        : 'Please enter a valid URL.';
    case 'number_input':
      return numberError(element, value);
    default:
      return undefined;
  }
}

function numberError(element: Json, value: string): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(value)) {
    return 'Please enter a valid number.';
  }
  if (element.is_decimal_allowed !== true && value.includes('.')) {
    return 'Please enter a whole number.';
  }
  if (element.min_value !== undefined && Number(value) < Number(element.min_value)) {
    return `Please enter a number of at least ${element.min_value}.`;
  }
  if (element.max_value !== undefined && Number(value) > Number(element.max_value)) {
    return `Please enter a number of at most ${element.max_value}.`;
  }
  return undefined;
}
